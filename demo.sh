#!/usr/bin/env bash
# Both stages of the walker on the embedded sample: installs what is missing, builds `kgwalk`, runs `kgwalk demo`.
# With --serve first it then serves the page on http://127.0.0.1:8080/; other arguments go to `kgwalk demo`.
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
# OpenMP's idle threads soon sleep: on a busy machine they would otherwise spin away the time of the working one.
export GOMP_SPINCOUNT=${GOMP_SPINCOUNT:-10000}
build/release/cli/kgwalk demo "$@"
[[ -z $serve ]] || exec build/release/cli/kgwalk serve --db runs/demo/kg.db --run runs/demo/agent --simulator runs/demo/simulator
