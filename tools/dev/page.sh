# `./dev page`: builds web/ into web/dist, which is committed, so that a build of the programs needs no Node.
# Sourced by ./dev. The packages and Node 22 come by web/package-lock.json into build/page; the system's Node is not used.

page_dir=build/page
page_tests_dir=build/page-tests
notify_tests_dir=build/notify-tests

dev_page() {
  need_page || return 1
  build_page "$PWD/web/dist"
  say "web/dist: $(du -sb web/dist | cut -f1) bytes, the script $(gzip -9 -c web/dist/assets/page-*.js | wc -c) packed"
}

# What web/package-lock.json names; costs nothing when that is there.
need_page() {
  if cmp -s web/package-lock.json "$page_dir/installed.json" && [[ -n $(page_node) ]]; then return 0; fi
  command -v npm > /dev/null || need_packages "${packages_clients[@]}" || return 1
  say "installing what builds the page into $page_dir"
  mkdir -p "$page_dir"
  cp web/package.json web/package-lock.json "$page_dir/"
  # By the lock file; `npm ci` would also want the bundler's packages for every other platform.
  (cd "$page_dir" && timeout -k 5 1800 npm install --ignore-scripts --no-audit --no-fund) || return 1
  cp web/package-lock.json "$page_dir/installed.json"
}

page_node() {
  local node
  for node in "$PWD/$page_dir"/node_modules/node-linux-*/bin/node; do
    if [[ -x $node ]]; then echo "$node"; fi
  done
}

build_page() {   # folder
  local node
  node=$(page_node)
  ln -sfn "../$page_dir/node_modules" web/node_modules
  (cd web && "$node" node_modules/typescript/bin/tsc --noEmit &&
    TOLLGATE_PAGE_OUT=$1 "$node" node_modules/vite/bin/vite.js build --logLevel warn)
}

# The committed page is what its source gives. Skipped where the packages cannot be had.
check_page() {
  local fresh
  if ! need_page > "$tally_dir/log/page-install.log" 2>&1; then
    printf 'what builds the page cannot be installed here\n1 skipped\n0 passed, 0 failed\n'
    return
  fi
  fresh=$(mktemp -d "$PWD/$page_dir/check.XXXXXX")
  if build_page "$fresh" && diff -r web/dist "$fresh"; then
    rm -rf "$fresh"
    printf '1 passed, 0 failed\n'
  else
    rm -rf "$fresh"
    printf 'web/dist is not what web/src gives: run ./dev page\n0 passed, 1 failed\n'
    return 1
  fi
}

# The browser's driver and axe, by the lock file of tests/page.
need_page_tests() {
  if cmp -s tests/page/package-lock.json "$page_tests_dir/installed.json"; then return 0; fi
  command -v npm > /dev/null || need_packages "${packages_clients[@]}" || return 1
  mkdir -p "$page_tests_dir"
  cp tests/page/package.json tests/page/package-lock.json "$page_tests_dir/"
  (cd "$page_tests_dir" && timeout -k 5 900 npm ci --ignore-scripts --no-audit --no-fund) || return 1
  cp tests/page/package-lock.json "$page_tests_dir/installed.json"
}

# The peers of tests/notify, by its lock file.
need_notify_tests() {
  if cmp -s tests/notify/package-lock.json "$notify_tests_dir/installed.json"; then return 0; fi
  command -v npm > /dev/null || need_packages "${packages_clients[@]}" || return 1
  mkdir -p "$notify_tests_dir"
  cp tests/notify/package.json tests/notify/package-lock.json "$notify_tests_dir/"
  (cd "$notify_tests_dir" && timeout -k 5 900 npm ci --ignore-scripts --no-audit --no-fund) || return 1
  cp tests/notify/package-lock.json "$notify_tests_dir/installed.json"
}
