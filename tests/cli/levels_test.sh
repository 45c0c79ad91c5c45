#!/usr/bin/env bash
# An installed front starts the program of the highest level that the processor has and that is there.
# Usage: levels_test.sh KGWALK LIBEXEC      LIBEXEC: where the program lies, seen from the front's folder
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/bin"
cp "$1" "$folder/bin/kgwalk"
programs=$folder/bin/$2
failures=0
fail() {
  echo "FAILED: $1"
  failures=$((failures + 1))
}
add() {
  mkdir -p "$programs/$1"
  printf '#!/bin/sh\necho "$0" | grep -o "x86-64-v." || echo any\n' > "$programs/$1/kgwalk-program"
  chmod +x "$programs/$1/kgwalk-program"
}
# starts WANTED [HIGHEST]: which program `kgwalk stats` becomes.
starts() {
  local got
  got=$(env ${2:+KGWALK_LEVEL=$2} "$folder/bin/kgwalk" stats --db "$folder") || fail "no program starts: $got"
  [[ $got == "$1" ]] || fail "'$got' starts instead of '$1' (at most ${2:-what there is})"
}

! "$folder/bin/kgwalk" stats --db "$folder" 2> "$folder/error" || fail "a program starts that is not there"
grep -q 'install both' "$folder/error" || fail "it is not told what is missing: $(cat "$folder/error")"
add .
starts any
best=any
if grep -qw avx2 /proc/cpuinfo; then
  add x86-64-v3
  best=x86-64-v3
  starts x86-64-v3
fi
starts any x86-64
if grep -qw avx512vl /proc/cpuinfo; then
  add x86-64-v4
  best=x86-64-v4
  starts x86-64-v3 x86-64-v3
fi
starts "$best"
exit $((failures > 0))
