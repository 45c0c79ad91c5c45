#!/usr/bin/env bash
# Formats all C++ sources as .clang-format says. Usage: scripts/format.sh [--check]
#   --check   changes nothing; lists the files that are not formatted and exits 1 when there are any
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mapfile -t files < <(git ls-files --cached --others --exclude-standard --deduplicate -- '*.cc' '*.h')
case "${1:-}" in
  "") clang-format -i "${files[@]}" ;;
  --check)
    # clang-format names each line that would change.
    bad=$(printf '%s\0' "${files[@]}" |
      { xargs -0 -P "$(nproc)" -n 40 clang-format --dry-run -Werror 2>&1 || true; } |
      sed -n 's/^\([^: ]*\):[0-9]*:[0-9]*: error: code should be clang-formatted.*/\1/p' | sort -u)
    [[ -z $bad ]] && exit 0
    printf '%s\n' "$bad"
    echo "not formatted as .clang-format says; run scripts/format.sh" >&2
    exit 1
    ;;
  *) echo "usage: scripts/format.sh [--check]" >&2; exit 2 ;;
esac
