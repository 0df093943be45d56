# The packages of Debian 12 that each command needs, and their installation.
# Sourced by ./dev. A second run costs one question to dpkg and nothing else.
# sudo is used only when needed, and what is about to be installed is said first.

packages_build=(g++ cmake ninja-build pkg-config ccache lld
  libboost1.81-dev libfyaml-dev libhowardhinnant-date-dev
  libncurses-dev libqrencode-dev libre2-dev libsqlite3-dev libssl-dev libsystemd-dev libgtest-dev tzdata)
packages_fuzz=(clang-19 libclang-rt-19-dev)
packages_bench=(libbenchmark-dev)
packages_load=(wrk)
packages_lint=(clang-tidy-19 clang-format-19)
packages_clients=(nodejs npm)
packages_daemon=(openssl bsdutils tmux chromium libnss3-tools zbar-tools systemd e2fsprogs python3)   # certificates, terminals, a browser and what it trusts, a reader of codes, a journal, append-only files: for the daemon's tests

say() { printf '\n== %s\n' "$*"; }
complain() { printf './dev: %s\n' "$*" >&2; }

# Installs those of the named packages that are missing.
need_packages() {   # package…
  local -a missing root=()
  if ! command -v dpkg-query > /dev/null; then return 0; fi   # no Debian: cmake says what it lacks
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  if [[ -n ${TOLLGATE_NO_INSTALL:-} ]]; then
    complain "missing packages: ${missing[*]}"
    return 1
  fi
  if ((EUID != 0)); then
    if ! command -v sudo > /dev/null; then
      complain "run this as root, then try again: apt-get install ${missing[*]}"
      return 1
    fi
    root=(sudo)
  fi
  say "installing ${missing[*]}"
  "${root[@]}" apt-get update -q
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends "${missing[@]}"
}

# Those of the named packages that are not installed, one a line.
missing_packages() {   # package…
  local installed
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2> /dev/null |
    awk '$2 == "installed" { print $1 }' || true)
  printf '%s\n' "$@" | { grep -vxF -f <(printf '%s\n' "$installed") || true; }
}
