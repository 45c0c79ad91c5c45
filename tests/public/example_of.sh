#!/usr/bin/env bash
# example_of.sh HEADER OUT: writes a source file that includes the public header HEADER first and holds its example as
# the body of a function. The example is the block of lines beginning with "//   " (or empty ones, "//") after the line
# "// Example:"; what it includes beside the header is included before the function. A header without an example, or
# with an empty one, is an error.
set -euo pipefail
header=$1 out=$2
awk -v header="$header" '
  /^\/\/ Example:$/ { if (begin) exit; begin = FNR + 1; inside = 1; next }
  inside && /^\/\/   #include / { includes = includes substr($0, 6) "\n"; body = body "\n"; next }
  inside && /^\/\/   / { body = body substr($0, 6) "\n"; lines++; next }
  inside && /^\/\/$/ { body = body "\n"; next }
  { inside = 0 }
  END {
    if (!lines) {
      printf "%s:1: has no example: a line \"// Example:\" and after it lines that begin with \"//   \"\n", header > "/dev/stderr"
      exit 1
    }
    printf "#include \"%s\"\n%s", header, includes  # the header first: it compiles alone
    print "#include <iostream>\n#include <string>\n#include <vector>\n"
    print "void example();\n"
    printf "void example() {\n#line %d \"%s\"\n%s}\n", begin, header, body
  }' "$header" > "$out.new" || { rm -f "$out.new"; exit 1; }
mv "$out.new" "$out"
