# The benchmarks: every bench/*_bench.cc, on a release build of its own.
# Sourced by ./dev. Numbers are only worth comparing on a quiet machine.

dev_bench() {
  local peers=no name
  case ${1:-} in
    "") ;;
    --peers) peers=yes ;;
    *) complain "usage: ./dev bench [--peers]"; return 2 ;;
  esac
  if [[ $peers == yes && ! -x bench/peers/run ]]; then
    complain "there is no comparison with other programs yet (bench/peers/run)"
    return 2
  fi
  need_packages "${packages_build[@]}" "${packages_bench[@]}"
  build bench
  for name in $(listed_programs bench bench); do
    say "$name"
    "build/bench/bin/$name"
  done
  say "instructions of the hook"
  if command -v valgrind > /dev/null; then
    bench/instructions build/bench/bin
  else
    echo "valgrind is not installed: not counted"
  fi
  [[ $peers == no ]] || bench/peers/run build/bench/bin
  bench_daemon "$peers"
}

# The daemon under load; with the official SDK beside it where peers are wanted.
bench_daemon() {   # peers
  local -a with=()
  say "the daemon"
  need_packages "${packages_load[@]}" || return 0
  command -v node > /dev/null || { echo "node is not installed: not measured"; return 0; }
  [[ $1 == no ]] || with=(--peer "$PWD/build/peers")
  node bench/daemon/run.mjs --bin build/bench/bin "${with[@]}"
}
