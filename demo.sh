#!/usr/bin/env bash
# Both stages of the walker on the embedded sample: installs what is missing, builds `kgwalk`, runs `kgwalk demo`.
# Arguments go to `kgwalk demo`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

scripts/setup.sh
if [[ ! -f build/release/build.ninja ]]; then
  cmake --preset release
fi
cmake --build --preset release --target kgwalk
# OpenMP's idle threads soon sleep: on a busy machine they would otherwise spin away the time of the working one.
export GOMP_SPINCOUNT=${GOMP_SPINCOUNT:-10000}
exec build/release/cli/kgwalk demo "$@"
