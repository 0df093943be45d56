#!/usr/bin/env bash
# Builds and ships one version.
set -euo pipefail
cd "$(git rev-parse --show-toplevel)"

version=$(git describe --tags)
echo "releasing $version"

git status --short
git log -1

if [[ -n ${CI:-} ]]; then
	echo "in a pipeline"
	npm run build
else
	echo "by hand"
fi

wc -l src/*.ts
ls -la
curl -fsS -X POST https://hooks.example.com/release -d "version=$version"
echo ready
