# Fuzzing: every target for some seconds, two side by side; a crash leaves its input behind.
# Sourced by ./dev. Seeds lie in fuzz/seeds/<target>, what was learnt in build/fuzz/corpus/<target>.
# A crash becomes a row of a test table; the input alone fixes nothing.

fuzz_quick_seconds=20           # in `./dev test`
fuzz_full_seconds=60            # in `./dev test --full` …
fuzz_full_budget=$((20 * 60))   # … unless there are so many targets that it takes longer than this
fuzz_beside=2

dev_fuzz() {
  local target=${1:-} seconds=${2:-60}
  if [[ $target =~ ^[0-9]+$ ]]; then seconds=$target target=""; fi
  if [[ -n $target && ! -f fuzz/$(fuzz_program "$target").cc ]]; then
    complain "no fuzz target \`$target\`; there are: $(cd fuzz && echo *_fuzz.cc | sed 's/_fuzz\.cc//g')"
    return 2
  fi
  need_packages "${packages_build[@]}" "${packages_fuzz[@]}"
  tally_start
  build fuzz "$([[ -z $target ]] && echo fuzz_programs || fuzz_program "$target")"
  run_fuzzers "$seconds" "$target"
  tally_end
}

stage_fuzz() {   # full
  step build.fuzz build fuzz fuzz_programs || true
  run_fuzzers "$(fuzz_seconds "$1")" ""
}

run_fuzzers() {   # seconds, target or "" for all
  local name
  local -a names
  mapfile -t names < <(listed_programs fuzz fuzz | grep -v '^$')
  if [[ -n $2 ]]; then names=("$(fuzz_program "$2")"); fi
  if ((${#names[@]} == 0)); then echo "no fuzz targets yet"; return 0; fi
  say "fuzzing ${names[*]%_fuzz}: $1 s each, $fuzz_beside at a time"
  for name in "${names[@]}"; do
    beside "$fuzz_beside" "fuzz.$name" read_status fuzz_one "$name" "$1"
  done
  wait_jobs
}

# Both `json` and `json_fuzz` name the target json_fuzz.
fuzz_program() { echo "${1%_fuzz}_fuzz"; }

fuzz_seconds() {   # full
  local targets each
  if [[ -n ${FUZZ_SECONDS:-} ]]; then echo "$FUZZ_SECONDS"; return; fi
  if [[ $1 == no ]]; then echo "$fuzz_quick_seconds"; return; fi
  targets=$(listed_programs fuzz fuzz | grep -c . || true)
  each=$((fuzz_full_budget * fuzz_beside / (targets > 0 ? targets : 1)))
  echo $((each < fuzz_full_seconds ? each : fuzz_full_seconds))
}

fuzz_one() {   # program, seconds
  local name=$1 stem=${1%_fuzz}
  local corpus=build/fuzz/corpus/$name seeds=fuzz/seeds/$stem dictionary=fuzz/$stem.dict
  local -a arguments=(-max_total_time="$2" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1
    -artifact_prefix="build/fuzz/crash-$name-")
  mkdir -p "$corpus"
  if [[ -f $dictionary ]]; then arguments+=(-dict="$dictionary"); fi
  arguments+=("$corpus")
  if [[ -d $seeds ]]; then arguments+=("$seeds"); fi
  timeout -k 5 $(($2 + 120)) "build/fuzz/bin/$name" "${arguments[@]}"
}
