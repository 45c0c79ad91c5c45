#!/usr/bin/env bash
# A server under load, and beside clients that mean no good. Takes a minute, and MINUTES more with --load; no part of the tests,
# since its figures need a machine to themselves.
# Usage: scripts/check_server.sh PROGRAM DIALOGS [--load MINUTES] OPTIONS-OF-SERVE...
#   DIALOGS   dialogues in OpenDialKG's form (data/sample/test.csv), whose turns are asked for
#   e.g. scripts/check_server.sh build/release/cli/kgwalk data/sample/test.csv runs/demo/films.json
set -euo pipefail
[[ $# -ge 3 ]] || { echo "usage: scripts/check_server.sh PROGRAM DIALOGS [--load MINUTES] OPTIONS-OF-SERVE..." >&2; exit 2; }
program=$(realpath "$1") dialogs=$(realpath "$2")
shift 2
ulimit -n 8192
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/../tests/server/load" && pwd)
if [[ $1 == --load ]]; then
  minutes=$2
  shift 2
  exec python3 "$tests/load.py" "$program" "$dialogs" "$minutes" "$@"
fi
exec python3 "$tests/hard_clients.py" "$program" "$dialogs" "$@"
