# The agent programs that tests/e2e runs: pinned by its lock file, installed into build/clients.
# Sourced by ./dev. They are large and not ours, so an ordinary test run takes them only when they
# are there already.

clients_dir=build/clients
clients_node=20   # the oldest node that all of them run on

# Installs what the lock file names; costs nothing when that is there.
need_clients() {
  command -v npm > /dev/null || need_packages "${packages_clients[@]}" || return 1
  if ((10#0$(node --print 'process.versions.node.split(".")[0]' 2> /dev/null) < clients_node)); then
    complain "the clients need node $clients_node or newer"
    return 1
  fi
  if clients_installed; then return 0; fi
  say "installing the clients into $clients_dir"
  mkdir -p "$clients_dir"
  rm -f "$clients_dir/installed"
  cp tests/e2e/package.json tests/e2e/package-lock.json "$clients_dir/"
  # Of all the scripts that packages bring, one is needed: it puts Claude's program in its place.
  (cd "$clients_dir" && timeout -k 5 1800 npm ci --ignore-scripts --no-audit --no-fund &&
    cd node_modules/@anthropic-ai/claude-code && timeout -k 5 300 node install.cjs) || return 1
  cp tests/e2e/package-lock.json "$clients_dir/installed"
}

clients_installed() { cmp -s tests/e2e/package-lock.json "$clients_dir/installed"; }
