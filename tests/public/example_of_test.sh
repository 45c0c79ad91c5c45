#!/usr/bin/env bash
# example_of.sh finds what it should find. Usage: example_of_test.sh EXAMPLE_OF
set -euo pipefail
example_of=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0
fail() {
  echo "FAILED: $1"
  failures=$((failures + 1))
}

printf '// A header.\n//\n// Example:\n//   #include <map>\n//   int x = 1;\n//\n//   f(x);\n//\n// More about it:\n//   no code\n#pragma once\n' > "$folder/good.h"
bash "$example_of" "$folder/good.h" "$folder/good.cc"
[[ $(head -n 1 "$folder/good.cc") == "#include \"$folder/good.h\"" ]] || fail "the header does not come first"
[[ $(sed -n 2p "$folder/good.cc") == "#include <map>" ]] || fail "what the example includes does not follow"
[[ $(sed -n '/^#line/,$p' "$folder/good.cc") == "$(printf '#line 4 "%s"\n\nint x = 1;\n\nf(x);\n\n}' "$folder/good.h")" ]] ||
  fail "the body is not the example: $(cat "$folder/good.cc")"

# refuse NAME TEXT: nothing is written, and the message names the header.
refuse() {
  printf '%b' "$2" > "$folder/bad.h"
  local report
  if report=$(bash "$example_of" "$folder/bad.h" "$folder/bad.cc" 2>&1); then fail "$1 passes"; fi
  [[ $report == "$folder/bad.h:1: "* ]] || fail "$1: the report does not start with the file: $report"
  [[ ! -e $folder/bad.cc ]] || fail "$1: a file was written"
}
refuse "a header without an example" '// A header.\n#pragma once\n'
refuse "an empty example" '// A header.\n// Example:\n//\n#pragma once\n'
refuse "code without the mark" '// A header:\n//   int x = 1;\n#pragma once\n'
exit $((failures > 0))
