#!/usr/bin/env bash
# run.sh CMAKE BUILD_FOLDER CONSUMER_SOURCE COMPILER BUILD_TYPE
set -euo pipefail
cmake=$1 build=$2 source=$3 compiler=$4 build_type=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$cmake" --install "$build" --prefix "$work/prefix" > "$work/install.log" || { cat "$work/install.log"; exit 1; }
# The program of the guide on embedding, as it stands there.
root=$source/../../..
awk '/^```cpp$/ { inside = 1; text = ""; next }
     /^```$/ { if (inside && text ~ /int main/) { printf "%s", text; exit } inside = 0 }
     inside { text = text $0 "\n" }' "$root/docs/guides/embed.md" > "$work/guide.cc"
"$cmake" -G Ninja -S "$source" -B "$work/build" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE="$build_type" \
  -DCMAKE_PREFIX_PATH="$work/prefix" -DEXAMPLES="$root/examples" -DGUIDE="$work/guide.cc"
"$cmake" --build "$work/build"
cd "$work/build"
for program in ./*_consumer; do "$program"; done
if [[ -x guide_program ]]; then
  ! ./guide_program 2> "$work/error" || { echo "the guide's program found a database where there is none"; exit 1; }
  grep -q kg.db "$work/error" || { echo "the guide's program does not say what is missing:"; cat "$work/error"; exit 1; }
fi
