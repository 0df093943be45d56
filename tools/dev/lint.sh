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
  prepare_tidy
  echo "${#files[@]} files"
  printf '%s\0' "${files[@]}" | xargs -0 -P "$jobs" -n 1 bash -o pipefail -c 'tidy "$1"' _
}

# One file. The analyzer finds nothing of use in tests. What gcc's headers call deprecated is theirs.
# A file that was clean is clean as long as it, our headers that it includes, the checks and the
# system's headers are the same: that is remembered, as ccache remembers objects.
tidy() {   # FILE
  local -a checks=()
  local seen
  [[ $tidy_analyzer == yes && $1 != *_test.cc && $1 != tests/* ]] || checks=(--checks=-clang-analyzer-*)
  seen=$tidy_seen/$(tidy_key "$1" "${checks[*]}")
  if [[ -f $seen ]]; then return 0; fi
  clang-tidy-19 -p build/release --quiet --extra-arg=-fconstexpr-steps=33554432 \
    --extra-arg=-Wno-deprecated-declarations \
    "${checks[@]}" "$1" 2>&1 | { grep -v 'warnings generated' || true; } && : > "$seen"
}

# What the result rests on. A file that the build does not know yet has a key of its own each time.
tidy_key() {   # FILE, checks
  local -a headers
  mapfile -t headers < <(awk -F '\t' -v file="$1" '$1 == file { print $2 }' "$tidy_includes")
  if ((${#headers[@]} == 0)); then echo "$RANDOM$RANDOM$BASHPID"; return; fi
  { echo "$tidy_system $2"; cat .clang-tidy "${headers[@]}"; } | sha256sum | cut -d ' ' -f 1
}
export -f tidy tidy_key

# For tidy(): where clean files are remembered, what the system's headers are, and who includes what.
prepare_tidy() {
  export tidy_seen=${XDG_CACHE_HOME:-$HOME/.cache}/tollgate-tidy tidy_includes=build/release/includes.txt
  export tidy_system
  mkdir -p "$tidy_seen"
  tidy_system=$(clang-tidy-19 --version | tr -d '\n'; dpkg-query -W "${packages_build[@]}" libstdc++-12-dev 2> /dev/null || true)
  # `ninja -t deps` names each object and, indented, what it was made of, its source first.
  ninja -C build/release -t deps | awk -v top="$PWD/" '
    /^[^ ]/ { source = "" }
    /^ / {
      path = $1
      if (path ~ /^\.\.\/\.\.\//) path = top substr(path, 7)
      if (index(path, top) != 1) next
      path = substr(path, length(top) + 1)
      if (source == "") source = path
      print source "\t" path
    }' > "$tidy_includes"
}

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
