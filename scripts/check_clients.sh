#!/usr/bin/env bash
# Clients of others with only the base URL changed, against a running program: the packages `openai` (a conversation to a goal,
# responses, structured outputs, sounds), LangChain's ChatOpenAI, litellm, LlamaIndex's OpenAILike, Vercel's `ai` with its default,
# the responses; and every tool, resource and prompt through the package `mcp`. Needs PyPI and npm, so it is no part of the tests;
# without npm Vercel's is left out, which is said.
# Usage: scripts/check_clients.sh PROGRAM DEMO [FOLDER]
#   DEMO     what `kgwalk demo` made (runs/demo)
#   FOLDER   where virtual environments and packages are made or were; default: a temporary one
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[[ $# -ge 2 ]] || { echo "usage: scripts/check_clients.sh PROGRAM DEMO [FOLDER]" >&2; exit 2; }
program=$(realpath "$1")
demo=$(realpath "$2")
work=$(mktemp -d)
packages=$(realpath -m "${3:-$work/packages}")
server=
finish() {
  [[ -z $server ]] || kill "$server" 2> /dev/null || true
  rm -rf "$work"
}
trap finish EXIT

# One virtual environment a family: their packages want different versions of `openai`.
venv() {
  local at=$packages/$1
  [[ -e $at/ready ]] && return
  python3 -m venv "$at"
  "$at/bin/pip" install --quiet -r "tests/server/clients/$1.txt"
  touch "$at/ready"
}
client() { "$packages/$1/bin/python" "tests/server/clients/$2" "${@:3}"; }
for family in requirements requirements_langchain requirements_llama_index; do venv "$family"; done
if command -v npm > /dev/null; then
  mkdir -p "$packages/npm"
  cp tests/server/clients/package.json tests/server/clients/vercel_client.mjs "$packages/npm"
  (cd "$packages/npm" && npm install --silent --no-fund --no-audit)
else
  echo "check_clients: without npm Vercel's ai is not tried" >&2
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
client requirements openai_client.py "$url" "$work/tones/heard.wav"
client requirements openai_responses.py "$url"
client requirements mcp_client.py "$url/mcp" "$program" mcp "${model[@]}"
LITELLM_LOCAL_MODEL_COST_MAP=True client requirements_langchain langchain_client.py "$url"
client requirements_llama_index llama_index_client.py "$url"
[[ ! -d $packages/npm ]] || (cd "$packages/npm" && node vercel_client.mjs "$url")
