#!/usr/bin/env bash
# run.sh CMAKE BUILD_FOLDER CONSUMER_SOURCE COMPILER BUILD_TYPE
set -euo pipefail
cmake=$1 build=$2 source=$3 compiler=$4 build_type=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$cmake" --install "$build" --prefix "$work/prefix" > "$work/install.log" || { cat "$work/install.log"; exit 1; }
"$cmake" -G Ninja -S "$source" -B "$work/build" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE="$build_type" \
  -DCMAKE_PREFIX_PATH="$work/prefix"
"$cmake" --build "$work/build"
cd "$work/build"
for program in ./*_consumer; do "$program"; done
