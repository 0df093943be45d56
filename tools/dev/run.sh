# `./dev run`: builds, then starts the gate with sample agents whose calls wait for you (examples/show).
# `./dev tour`: builds, then asks the gate about a handful of calls under examples/tour.yaml.
# Sourced by ./dev. Nothing of either stays: both work in a directory of their own.

dev_run() {
  dev_build
  say "the gate, with examples/run.yaml"
  examples/show --bin build/release/bin "$@"
}

# It needs no terminal and ends by itself.
dev_tour() {
  dev_build
  local program=$PWD/build/release/bin/tollgate place
  if [[ ! -x $program ]]; then
    complain "the tollgate program is not there: src/cli and apps/tollgate make it"
    return 1
  fi
  place=$(mktemp -d /var/tmp/tollgate-tour.XXXXXX)   # /tmp would be a special place
  trap "rm -rf '$place'" EXIT
  mkdir -p "$place/shop/src"
  say "the policy of the tour: examples/tour.yaml"
  tour "$program" "$PWD/examples/tour.yaml" "$place/shop"
}

tour() {   # program, policy, workspace
  visit "$@" eval 'a read is quiet' Bash 'ls -l src'
  visit "$@" eval 'an allow rule covers the tests' Bash 'npm test'
  visit "$@" eval 'publishing asks a person' Bash 'npm publish'
  visit "$@" eval 'a forced push is refused, in any spelling' Bash 'git push origin main -f'
  visit "$@" eval 'one refused command refuses the whole line' Bash 'ls && git push --force'
  visit "$@" eval 'an edit in the workspace is covered' Edit "$3/src/cart.ts"
  visit "$@" eval 'secrets are asked about in every mode' Read "$3/.env"
  visit "$@" explain 'and why, for people' Bash 'npm publish'
  visit "$@" explain 'what would change a refusal' Bash 'git push --force'
}

# Shows one question and its answer. The exit status tells the verdict, so any of the three is fine.
visit() {   # program, policy, workspace, verb, remark, tool, text
  local status=0
  printf '\n-- %s\n$ tollgate %s %s "%s"\n' "$5" "$4" "$6" "${7/"$3"/.}"
  (cd "$3" && "$1" "$4" --config "$2" "$6" "$7" < /dev/null) || status=$?
  case $status in
    0 | 10 | 20) ;;
    *) complain "tollgate $4 ended with status $status"; return 1 ;;
  esac
}

# The daemon under everything at once for so many minutes, or killed so often under a thousand
# questions. What it finds goes into docs/reliability.md.
dev_soak() {
  local usage='usage: ./dev soak [MINUTES] | --kill [ROUNDS]'
  local -a words=(--minutes "${1:-15}")
  [[ ${1:-} != --kill ]] || words=(--kill --rounds "${2:-200}")
  if [[ $# -gt ${#words[@]}-1 || ! ${words[-1]} =~ ^[0-9]+(\.[0-9]+)?$ ]]; then
    complain "$usage"
    return 2
  fi
  need_packages "${packages_build[@]}"
  command -v node > /dev/null || { complain "node is not installed, and agents and people need it"; return 1; }
  build release programs
  tests/soak/run "${words[@]}"
}
