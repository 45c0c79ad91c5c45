#!/usr/bin/env bash
# Builds against a LibTorch 2.x, which a Python wheel of torch brings, and runs the fast tests with it.
# Usage: scripts/check_torch2.sh [-v VERSION] [-w FOLDER] [-j JOBS] [TARGET...]
#   -v  version of torch that pip installs (newest)
#   -w  folder of the virtual environment, outside the tree (~/.cache/kgwalk/torch2)
#   TARGET  builds these alone and runs no test
# The build goes to build/torch2. A wheel for CUDA serves too: its part for the processor is linked, without CUDA.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
version='' venv=$HOME/.cache/kgwalk/torch2 jobs=$(nproc)
while getopts v:w:j: option; do
  case $option in
    v) version="==$OPTARG" ;;
    w) venv=$OPTARG ;;
    j) jobs=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
build=build/torch2

[[ -x $venv/bin/pip ]] || python3 -m venv "$venv"
# Without what the wheel asks for: Python is not run, and for CUDA that would be gigabytes.
"$venv/bin/pip" install --quiet --no-deps "torch$version"
torch=$(realpath "$(find "$venv" -path '*/torch/share/cmake' -print -quit)/../..")
prefix=$torch
# Its fmt has other headers than the library that we link.
rm -rf "$torch/include/fmt"
if [[ -e $torch/lib/libtorch_cuda.so ]]; then
  # What libtorch_cpu.so of such a wheel is linked with: the libraries of CUDA's run time and of its profiler.
  major=$(objdump -p "$torch/lib/libtorch_cpu.so" | sed -n 's/.*NEEDED *libcudart\.so\.\([0-9]*\).*/\1/p')
  suffix=''
  ((major >= 13)) || suffix=-cu$major
  for package in nvidia-cuda-runtime nvidia-cuda-cupti; do
    "$venv/bin/pip" install --quiet --no-deps "$package$suffix==$major.*"
  done
  folders=$torch/lib
  for library in libcudart libcupti; do
    folders+=:$(dirname "$(find "$venv" -name "$library.so.$major" -print -quit)")
  done
  prefix=$PWD/$build/torch
  mkdir -p "$prefix/share/cmake/Torch"
  cat > "$prefix/share/cmake/Torch/TorchConfig.cmake" << EOF
set(TORCH_INCLUDE_DIRS $torch/include $torch/include/torch/csrc/api/include)
add_library(torch INTERFACE IMPORTED)
target_include_directories(torch SYSTEM INTERFACE \${TORCH_INCLUDE_DIRS})
target_link_directories(torch INTERFACE $torch/lib)
target_link_libraries(torch INTERFACE torch_cpu c10)
target_link_options(torch INTERFACE LINKER:-rpath,$folders LINKER:-rpath-link,$folders)
set(Torch_FOUND TRUE)
EOF
fi

cmake -S . -B "$build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_BUILD_TYPE=Release -DKGWALK_UNITY=ON -DKGWALK_BUILD_BENCH=OFF
if (($# > 0)); then
  cmake --build "$build" -j "$jobs" --target "$@"
else
  cmake --build "$build" -j "$jobs"
  ctest --test-dir "$build" -L fast --output-on-failure -j "$jobs"
fi
