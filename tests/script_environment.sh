# The world that script tests run in: a fresh directory, a home inside it, nothing inherited.
# Sourced by tests/cli/run and tests/golden/run, so that both see the same world.
# The directory is not under /tmp, because the gate treats temporary directories as a special place.

# Makes the directory; sets DIR (as the kernel knows it, links resolved).
enter_world() {
  DIR=$(cd "$(mktemp -d "${TOLLGATE_TEST_DIR:-/var/tmp}/tollgate-script.XXXXXX")" && pwd -P)
  mkdir -p "$DIR"/{home,work,tmp,run}
  chmod 700 "$DIR/run"
}

leave_world() {
  chmod -R u+rwX "$DIR" 2> /dev/null || true
  rm -rf "$DIR"
}

# Runs one command line in the world; prints stdout and stderr together with $DIR for the
# directory's name, then sets STATUS. The output's trailing blank lines are dropped.
run_in_world() {   # bin directory, command line
  local output
  STATUS=0
  output=$(cd "$DIR/work" && umask 022 &&
    env -i PATH="$1:/usr/local/bin:/usr/bin:/bin" HOME="$DIR/home" TMPDIR="$DIR/tmp" \
      XDG_CONFIG_HOME="$DIR/home/.config" XDG_DATA_HOME="$DIR/home/.local/share" \
      XDG_STATE_HOME="$DIR/home/.local/state" XDG_CACHE_HOME="$DIR/home/.cache" \
      XDG_RUNTIME_DIR="$DIR/run" LC_ALL=C.UTF-8 TZ=UTC NO_COLOR=1 COLUMNS=100 \
      timeout -k 1 "${SCRIPT_SECONDS:-30}" bash -c "$2" 2>&1 < /dev/null) || STATUS=$?
  [[ -z $output ]] || printf '%s\n' "${output//"$DIR"/\$DIR}"
}

# The program under test; without it there is nothing to run.
require_program() {   # bin directory
  [[ -x $1/tollgate ]] && return 0
  echo "no tollgate program in $1: run ./dev build first" >&2
  return 1
}
