# `./dev test`, `--full` and `--clients`: what must hold, counted case by case.
# Sourced by ./dev. Every stage adds to the tally and none stops the next, so one run shows all.
# The last line is `N passed, N failed`, alone; the exit status says the same.

program_seconds=900    # a test program that takes longer hangs
long_seconds=2400      # … with TOLLGATE_LONG=1, or under the thread sanitizer

dev_test() {
  local full=no began=$SECONDS
  case ${1:-} in
    "") ;;
    --full) full=yes ;;
    --clients) test_clients; return ;;
    *) complain "usage: ./dev test [--full | --clients]"; return 2 ;;
  esac
  tally_start
  step packages test_packages "$full" || { tally_end; return 1; }
  stage_checks
  stage_debug
  stage_release "$full"
  stage_scripts
  stage_daemon "$full"
  stage_clients "$full"
  stage_fuzz "$full"
  if [[ $full == yes ]]; then
    stage_threads
    stage_bench
    stage_lint
    refuse_skips
    write_evidence $((SECONDS - began))
  fi
  say "$((SECONDS - began)) seconds"
  tally_end
}

# Only the clients, all of them.
test_clients() {
  local began=$SECONDS
  tally_start
  step packages need_packages "${packages_build[@]}" || { tally_end; return 1; }
  step build.release build release programs || true
  stage_clients yes
  refuse_skips
  say "$((SECONDS - began)) seconds"
  tally_end
}

test_packages() {   # full
  local -a packages=("${packages_build[@]}" "${packages_fuzz[@]}" "${packages_daemon[@]}")
  command -v npm > /dev/null || packages+=("${packages_clients[@]}")
  [[ $1 == no ]] || packages+=("${packages_bench[@]}" "${packages_lint[@]}")
  need_packages "${packages[@]}"
}

# --- stages ------------------------------------------------------------------------------------

# What needs no build of ours.
stage_checks() {
  say "checks"
  job check.layers read_status tools/check_layers
  job check.layers-self-test read_counts tools/check_layers --self-test
  job check.docs read_counts tools/check_docs
  job check.script-runner read_counts tests/cli/self_test
  job check.nocompile read_counts tests/nocompile/run
  job check.page read_counts check_page
}

# Every unit test, under the address and undefined behaviour sanitizers.
stage_debug() {
  step build.debug build debug test_programs || true
  say "unit tests (debug, sanitized)"
  run_test_programs debug
}

# The release programs are what scripts, golden tests and decision cases run. Unit tests for them
# cost a second compilation of all tests, so only the full run takes them, with the long loops; but
# the scripts that bash runs beside the gate are too many for a sanitized build.
stage_release() {   # full
  if [[ $1 == no ]]; then
    step build.release build release programs bash_test || true
    say "random scripts beside bash (release)"
    run_test_program release bash_test
    wait_jobs
    return
  fi
  step build.release build release programs test_programs || true
  say "unit tests (release, long)"
  TOLLGATE_LONG=1 program_seconds=$long_seconds run_test_programs release
}

stage_scripts() {
  say "scripts, golden tests, decision cases"
  job scripts.cli read_counts tests/cli/run
  job scripts.golden read_counts tests/golden/run
  job scripts.docs read_counts tests/docs/run
  if [[ -x build/release/bin/tollgate ]]; then
    job check.schema read_status check_schema build/release/bin/tollgate
    job check.hook read_counts tools/check_hook build/release/bin
    if [[ -d tests/decisions ]]; then
      job decisions read_counts build/release/bin/tollgate test tests/decisions
    fi
  else
    echo "no tollgate program yet: no decision cases"
  fi
}

# The daemon as a process of its own, and MCP's conformance suite on it and on a server with the
# suite's fixtures. In the full run the sanitized daemon goes through the same.
stage_daemon() {   # full
  say "daemon"
  step conformance.install tests/conformance/run --install || true
  beside "$jobs" conformance.fixtures read_counts tests/conformance/run --bin build/debug/bin
  beside "$jobs" conformance.daemon read_counts \
    node tests/conformance/on_daemon.mjs build/release/bin/tollgate
  wait_jobs
  step page.install need_page_tests || true
  job page read_counts node tests/page/run.mjs --bin build/release/bin
  job top read_counts tests/top/run --bin build/release/bin
  step notify.install need_notify_tests || true
  job notify read_counts node tests/notify/run.mjs --bin build/release/bin
  if [[ $1 == no ]]; then
    job daemon read_counts tests/daemon/run --bin build/release/bin
    return
  fi
  job daemon read_counts env TOLLGATE_LONG=1 tests/daemon/run --bin build/release/bin
  step build.debug-programs build debug programs || true
  job daemon.sanitized read_counts env TOLLGATE_LONG=1 tests/daemon/run --bin build/debug/bin --rounds 1
}

# The real agent programs, with the hook registered, and with compiled policies in its place.
stage_clients() {   # full, which also installs
  local policies=2
  say "clients"
  [[ $1 == no ]] || policies=10
  [[ $1 == no ]] || step clients.install need_clients || true
  if clients_installed; then
    job clients read_counts tests/e2e/run --clients "$clients_dir"
    job clients.native read_counts tests/e2e/run native --clients "$clients_dir" --policies "$policies"
    job clients.daemon read_counts tests/e2e/run daemon --clients "$clients_dir"
  else
    job clients read_counts tests/e2e/run --clients "$clients_dir/none"
    job clients.native read_counts tests/e2e/run native --clients "$clients_dir/none" --policies "$policies"
    job clients.daemon read_counts tests/e2e/run daemon --clients "$clients_dir/none"
    echo "      the agent programs are not there; \`./dev test --clients\` installs them"
  fi
}

# Data races: the programs that have threads, and the daemon itself with all that tests/daemon does
# to it. Address space randomisation defeats the thread sanitizer on some kernels.
threaded_tests=(os_test config_test service_test hook_test notify_test store_test approvals_test server_test cli_test)

stage_threads() {
  local name
  local -a fixed=()
  step build.tsan build tsan programs "${threaded_tests[@]}" || true
  say "unit tests and the daemon (thread sanitizer)"
  if setarch -R true 2> /dev/null; then fixed=(setarch -R); fi
  for name in "${threaded_tests[@]}"; do
    program_seconds=$long_seconds run_test_program tsan "$name" "${fixed[@]}"
  done
  wait_jobs
  job daemon.threads read_counts "${fixed[@]}" env TOLLGATE_LONG=1 tests/daemon/run --bin build/tsan/bin --rounds 1
}

stage_bench() {
  local name
  step build.bench build bench all || true
  say "benchmarks (smoke)"
  for name in $(listed_programs bench bench); do
    job "bench.$name" read_status "build/bench/bin/$name" --benchmark_min_time=0.01
  done
}

stage_lint() {
  say "lint"
  job lint.format read_status check_format
  job lint.tidy read_status run_tidy --all
}

# --- parts -------------------------------------------------------------------------------------

run_test_programs() {   # preset, wrapper…
  local preset=$1 name
  shift
  for name in $(listed_programs "$preset" test); do run_test_program "$preset" "$name" "$@"; done
  wait_jobs
}

# Beside others; wait_jobs waits for it.
run_test_program() {   # preset, name, wrapper…
  local preset=$1 name=$2
  shift 2
  export ASAN_OPTIONS=strict_string_checks=1:detect_stack_use_after_return=1
  export UBSAN_OPTIONS=print_stacktrace=1
  beside "$jobs" "unit.$preset.$name" read_gtest \
    "$@" timeout -k 5 "$program_seconds" "build/$preset/bin/$name" \
    "--gtest_output=xml:$PWD/$tally_dir/log/unit.$preset.$name.xml"
}

# The committed schema is what the program prints.
check_schema() {   # program
  diff -u schema/config.schema.json <("$1" schema)
}

# In a full run a test that was skipped is a test that did not hold.
refuse_skips() {
  local skipped
  skipped=$(tally_total skipped)
  ((skipped == 0)) || echo "skipped-tests 0 $skipped 0 0" >> "$tally_dir/tally"
}

# What a full run came to, for people who were not there.
write_evidence() {   # seconds
  local file
  file=docs/evidence/full-$(date -u +%F).md
  mkdir -p docs/evidence
  {
    echo "# Full test run, $(date -u +%F)"
    echo
    echo "\`./dev test --full\` on revision $(git rev-parse --short HEAD 2> /dev/null || echo unknown)$(
      git diff --quiet HEAD 2> /dev/null || echo ' with uncommitted changes'), $(nproc) cores," \
      "g++ $(g++ -dumpfullversion) and clang $(clang-19 -dumpversion), $(($1 / 60)) minutes."
    echo
    echo "**$(tally_total passed) passed, $(tally_total failed) failed, $(tally_total skipped) skipped**"
    echo
    echo "| step | passed | failed | skipped | seconds |"
    echo "|---|---:|---:|---:|---:|"
    awk '{ printf "| %s | %d | %d | %d | %s |\n", $1, $2, $3, $4, $5 }' "$tally_dir/tally"
    echo
    echo "Each fuzz target ran for $(fuzz_seconds yes) seconds; release unit tests with" \
      "TOLLGATE_LONG=1. A build step counts only when it fails."
  } > "$file"
  say "summary in $file"
}
