#!/usr/bin/env bash
# Formats all C++ sources as .clang-format says. Usage: scripts/format.sh [--check]
#   --check   changes nothing; lists the files that are not formatted and exits 1 when there are any
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mapfile -t files < <(git ls-files -- '*.cc' '*.h')
case "${1:-}" in
  "") clang-format -i "${files[@]}" ;;
  --check)
    unformatted=0
    for file in "${files[@]}"; do
      if ! clang-format --dry-run -Werror "$file" 2> /dev/null; then
        echo "$file"
        unformatted=1
      fi
    done
    exit $unformatted
    ;;
  *) echo "usage: scripts/format.sh [--check]" >&2; exit 2 ;;
esac
