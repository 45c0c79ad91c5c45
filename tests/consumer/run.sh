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

# C by pkg-config: the examples as they stand, and a walker that what was installed trains for a second.
pc=$(find "$work/prefix" -name kgwalk.pc)
[[ -n $pc ]] || exit 0  # built without LibTorch
export PKG_CONFIG_PATH=${pc%/*}
[[ $(pkg-config --modversion kgwalk) == 0.1.* ]] || { echo "pkg-config tells another version"; exit 1; }
libdir=$(pkg-config --variable=libdir kgwalk)
for example in "$root"/examples/c/*.c; do
  # shellcheck disable=SC2046  # pkg-config gives words
  cc -std=c99 -Wall -Wextra -Wpedantic -Werror "$example" $(pkg-config --cflags --libs kgwalk) -Wl,-rpath,"$libdir" \
    -o "$work/c_$(basename "$example" .c)"
done
# The program of the guide for C, as it stands there.
awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$root/docs/guides/c.md" > "$work/guide.c"
# shellcheck disable=SC2046
cc -std=c99 -Wall -Wextra -Wpedantic -Werror -fsyntax-only "$work/guide.c" $(pkg-config --cflags kgwalk)
printf 'Rocky\tstarred_actors\tSylvester Stallone\nRocky\tdirected_by\tJohn G. Avildsen\n' > "$work/films.tsv"
echo '{"find": {"step": "directed_by", "from": "rocky"}}' | "$work/c_ask" "$work/films.db" "$work/films.tsv" > "$work/answers"
grep -q 'John G. Avildsen' "$work/answers" || { echo "C got another answer:"; cat "$work/answers"; exit 1; }
! echo '{"find": "Rocki"}' | "$work/c_ask" "$work/films.db" "$work/films.tsv" 2> "$work/error" || exit 1
grep -q "did you mean 'Rocky'" "$work/error" || { echo "C does not hear what is wrong:"; cat "$work/error"; exit 1; }

sample=$root/data/sample
program=$work/prefix/bin/kgwalk
"$program" ingest --quiet --db "$work/kg.db" --triples "$sample/triples.txt" --dialogs "train=$sample/train.csv" \
  --dialogs "dev=$sample/dev.csv"
"$program" train --quiet --threads 1 --db "$work/kg.db" --run "$work/walker" --preset graph --set text.states=false \
  --set trainer.max_epochs=1
"$work/c_plan" "$work/kg.db" "$work/walker" Inception "Do you like Inception?" > "$work/planned"
[[ $(grep -c 'Inception -\[' "$work/planned") -ge 3 ]] || { echo "C planned otherwise:"; cat "$work/planned"; exit 1; }
"$program" pack --quiet --db "$work/kg.db" --run "$work/walker" --out "$work/model.tar.zst"
KGWALK_CACHE=$work/cache "$work/c_plan" "$work/model.tar.zst" "" Inception "Do you like Inception?" | cmp - "$work/planned"
