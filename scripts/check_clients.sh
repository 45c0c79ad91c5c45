#!/usr/bin/env bash
# Holds a conversation to a goal through the Python package `openai`, and lists and calls every tool through the package `mcp`,
# with a running program. Needs PyPI for a virtual environment, so it is no part of the tests.
# Usage: scripts/check_clients.sh PROGRAM DEMO [VENV]
#   DEMO   what `kgwalk demo` made (runs/demo)
#   VENV   virtual environment to use or to make; default: a temporary one
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[[ $# -ge 2 ]] || { echo "usage: scripts/check_clients.sh PROGRAM DEMO [VENV]" >&2; exit 2; }
program=$(realpath "$1")
demo=$(realpath "$2")
work=$(mktemp -d)
venv=${3:-$work/venv}
server=
finish() {
  [[ -z $server ]] || kill "$server" 2> /dev/null || true
  rm -rf "$work"
}
trap finish EXIT

if [[ ! -x $venv/bin/python ]]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet -r tests/server/clients/requirements.txt
fi
python3 tests/server/clients/tones.py "$work/tones"
"$program" task asr train --run "$work/ears" --train "$work/tones/list.tsv" --preset tiny --set units.kind=words --set max_frames=500 \
  --set hold_out=8 --set search.ctc_weight=0.8 --set trainer.max_epochs=40 --set trainer.eval_every=50 --set trainer.schedule.kind=cosine \
  --threads 1 --quiet --no-progress > "$work/training"
model=(--db "$demo/kg.db" --run "$demo/agent" --simulator "$demo/simulator" --text "$demo/text" --name films)
"$program" serve "${model[@]}" --recognizer "$work/ears" --port 0 > "$work/out" 2> "$work/log" &
server=$!
for _ in $(seq 100); do
  url=$(sed -n 's,^kgwalk serves \(http://[^ ]*\)/ .*,\1,p' "$work/out")
  [[ -z $url ]] || break
  kill -0 "$server" || { cat "$work/log" >&2; exit 1; }
  sleep 0.1
done
"$venv/bin/python" tests/server/clients/openai_client.py "$url" "$work/tones/heard.wav"
"$venv/bin/python" tests/server/clients/mcp_client.py "$url/mcp" "$program" mcp "${model[@]}"
