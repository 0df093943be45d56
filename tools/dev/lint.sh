# What a machine can say about the sources: clang-tidy, clang-format, layers.
# Sourced by ./dev. clang-tidy reads the release build's compile commands, so that is configured.

dev_lint() {
  local failed=0
  need_packages "${packages_build[@]}" "${packages_lint[@]}"
  say "layers"
  tools/check_layers || failed=1
  say "format"
  check_format || failed=1
  say "clang-tidy"
  run_tidy "$@" || failed=1
  ((failed == 0)) && echo "lint: clean"
}

dev_fmt() {
  need_packages "${packages_lint[@]}"
  cpp_files | xargs -r -P "$jobs" -n 20 clang-format-19 -i
}

check_format() {
  cpp_files | xargs -r -P "$jobs" -n 20 clang-format-19 --dry-run -Werror
}

# clang-tidy over all sources, the named ones, or those that differ from the last commit. The analyzer
# takes two thirds of the time, so it reads what is named or has changed, but not everything.
run_tidy() {   # [--all | FILE…]
  local -a files
  configure release || return 1
  export tidy_analyzer=yes
  if [[ ${1:-} == --all ]]; then
    tidy_analyzer=no
    mapfile -t files < <(tidy_files)
  elif (($#)); then
    files=("$@")
  else
    mapfile -t files < <(comm -12 <(tidy_files) <(changed_files))
  fi
  if ((${#files[@]} == 0)); then echo "no changed sources"; return 0; fi
  echo "${#files[@]} files"
  printf '%s\0' "${files[@]}" | xargs -0 -P "$jobs" -n 1 bash -o pipefail -c 'tidy "$1"' _
}

# One file. The analyzer finds nothing of use in tests. What gcc's headers call deprecated is theirs.
tidy() {   # FILE
  local -a checks=()
  [[ $tidy_analyzer == yes && $1 != *_test.cc && $1 != tests/* ]] || checks=(--checks=-clang-analyzer-*)
  clang-tidy-19 -p build/release --quiet --extra-arg=-fconstexpr-steps=33554432 \
    --extra-arg=-Wno-deprecated-declarations \
    "${checks[@]}" "$1" 2>&1 | { grep -v 'warnings generated' || true; }
}
export -f tidy

# Sources that the release build compiles.
tidy_files() { cpp_files | grep -E '^(src|apps|tests)/.*\.cc$' | grep -v '^tests/nocompile/'; }

cpp_files() {
  find src apps tests fuzz bench -type f \( -name '*.cc' -o -name '*.h' \) | LC_ALL=C sort
}

# Against the last commit; everything when there is none.
changed_files() {
  if git rev-parse -q --verify HEAD > /dev/null 2>&1; then
    { git diff --name-only HEAD; git ls-files --others --exclude-standard; } | LC_ALL=C sort -u
  else
    cpp_files
  fi
}
