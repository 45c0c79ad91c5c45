#!/usr/bin/env bash
# The symbols that libkgwalk.so gives are those that the list has, which are those that the header declares; what is
# missing broke programs, what is new is to be added to the list. Usage: exports_test.sh LIBRARY LIST HEADER COMPILER
set -euo pipefail
library=$1 list=$2 header=$3 compiler=$4
failures=0
fail() {
  echo "FAILED: $1"
  failures=$((failures + 1))
}

given=$(nm -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort)
[[ $given == "$(cat "$list")" ]] || fail "exported and listed differ: $(diff <(echo "$given") "$list" || true)"
declared=$(grep -o 'kgwalk_[a-z_]*(' "$header" | tr -d '(' | LC_ALL=C sort -u |
  while read -r name; do grep -q "^KGWALK_API.* \**$name(\|^KGWALK_API.*[ *]$name($" "$header" && echo "$name"; done)
[[ $declared == "$given" ]] || fail "declared and exported differ: $(diff <(echo "$declared") <(echo "$given") || true)"
readelf -d "$library" | grep -q 'Library soname: \[libkgwalk.so.0\]' || fail "the name of the library is not libkgwalk.so.0"

# The header alone, in each language that may include it.
for language in "c -std=c99" "c -std=c11" "c++ -std=c++11" "c++ -std=c++20"; do
  # shellcheck disable=SC2086  # two words
  "$compiler" -x $language -Wall -Wextra -Wpedantic -Werror -fsyntax-only "$header" || fail "the header is no $language"
done
exit $((failures > 0))
