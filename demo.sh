#!/usr/bin/env bash
# Both stages of the walker on the embedded sample: installs what is missing, builds `kgwalk`, runs `kgwalk demo`.
# With --serve first it opens what it made on the page http://127.0.0.1:8080/, and makes it first where it is not there yet.
# Other arguments go to `kgwalk demo`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
serve=
if [[ ${1:-} == --serve ]]; then
  serve=yes
  shift
fi

scripts/setup.sh
if [[ ! -f build/release/build.ninja ]]; then
  cmake --preset release
fi
cmake --build --preset release --target kgwalk
[[ -n $serve && $# -eq 0 && -f runs/demo/films.json ]] || build/release/cli/kgwalk demo "$@"
[[ -n $serve ]] || echo "The page again, at any time: ./demo.sh --serve"
[[ -z $serve ]] || exec build/release/cli/kgwalk serve runs/demo/films.json
