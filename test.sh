#!/usr/bin/env bash
# Builds the programs and the tests (no benchmarks: preset bench) and runs the tests. Usage: ./test.sh [--fast] [-- options of ctest]
#   --fast   only the tests labeled fast
# Tests on real data are skipped with a message unless KGWALK_DATA names the folder that holds it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

select=()
while [[ $# -gt 0 ]]; do
  case "$1" in
    --fast) select=(-L '^fast$') ;;
    --) shift; break ;;
    *) echo "usage: ./test.sh [--fast] [-- options of ctest]" >&2; exit 2 ;;
  esac
  shift
done

scripts/setup.sh
cmake --preset release  # every time: without the benchmarks that preset bench may have added to the folder
cmake --build --preset release
status=0
ctest --test-dir build/release --parallel "$(nproc)" --output-on-failure --no-tests=error "${select[@]}" "$@" || status=$?
# What a program of tests skips, ctest counts as passed; the program tells how many, in brief.
log=build/release/Testing/Temporary/LastTest.log
skipped=$(awk '/^\[  SKIPPED \] [0-9]+ tests?\.$/ { n += $4 } END { print n + 0 }' "$log")
echo "tests skipped for want of data, packages or hardware: $skipped (why: grep -A1 ': Skipped$' $log)"
exit "$status"
