#!/usr/bin/env bash
# What the Python module needs PyPI for: stubs that are the module's own, `mypy --strict` over the examples, LangChain's and
# LlamaIndex's real packages, networkx, scipy, pandas and matplotlib in the tests, and PyPI's torch in the same process.
# Usage: scripts/check_python.sh [-w FOLDER] [-t] [BUILD]
#   -w  folder of the virtual environment, outside the tree (~/.cache/kgwalk/python)
#   -t  with PyPI's torch, which is gigabytes
#   BUILD  the build folder (build/release), with the module for /usr/bin/python3
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
venv=$HOME/.cache/kgwalk/python torch=false
while getopts w:t option; do
  case $option in
    w) venv=$OPTARG ;;
    t) torch=true ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
build=$(realpath "${1:-build/release}")

[[ -x $venv/bin/python ]] || /usr/bin/python3 -m venv "$venv"
"$venv/bin/pip" install --quiet pytest mypy pybind11-stubgen numpy pandas networkx scipy matplotlib langchain-core llama-index-core
if $torch; then "$venv/bin/pip" install --quiet torch; fi

"$venv/bin/python" scripts/make_python_stubs.py "$build" --check
MYPYPATH=python "$venv/bin/mypy" --strict --ignore-missing-imports --cache-dir "$venv/mypy" python/kgwalk
for example in python/examples/*.py; do
  MYPYPATH=python "$venv/bin/mypy" --strict --ignore-missing-imports --no-warn-unused-ignores --cache-dir "$venv/mypy" "$example"  # of torch, which may lack
done
PYTHONPATH=$build/python "$venv/bin/python" -B -m pytest -q -p no:cacheprovider python/tests
