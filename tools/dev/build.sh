# Configuring and building by the presets of CMakePresets.json, one folder build/<preset> each.
# Sourced by ./dev. The compiler cache makes a second build of anything cheap.

jobs=${JOBS:-$(nproc)}

# Paths below the tree count as relative ones, so that a second clone finds what the first compiled.
# The language of messages is nothing that an object depends on.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=locale

dev_build() {
  need_packages "${packages_build[@]}"
  build release programs
  say "programs in build/release/bin: $(programs_in release)"
}

# Brings build/<preset> up to date for some targets; `all` when none is named.
build() {   # preset, target…
  local preset=$1
  shift
  configure "$preset" || return 1
  say "building $preset: ${*:-all}"
  NINJA_STATUS='[%f/%t %es] ' ninja -C "build/$preset" -j "$jobs" -k 0 "$@"
}

# Ninja notices changed CMake files by itself; only a new or changed preset needs a new start.
configure() {   # preset
  local stamp=build/$1/build.ninja
  if [[ -f $stamp && $stamp -nt CMakePresets.json ]]; then return 0; fi
  local -a with=()
  if command -v ccache > /dev/null; then with=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
  say "configuring $1"
  cmake --preset "$1" "${with[@]}"
}

programs_in() {   # preset
  local names
  names=$(find "build/$1/bin" -maxdepth 1 -type f -executable -name 'tollgate*' -printf '%f ' \
    2> /dev/null || true)
  echo "${names:-none yet}"
}

# The programs of one kind that a preset builds (test, fuzz, bench), one a line.
listed_programs() {   # preset, kind
  cat "build/$1/$2_programs.txt" 2> /dev/null || true
}
