#!/usr/bin/env bash
# Formats all C++ sources as .clang-format says. Usage: scripts/format.sh [--check]
#   --check   changes nothing; lists the files that are not formatted and the comments that are longer than 110
#             columns, which is code in them that clang-format cannot break well, and exits 1 when there are any
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
    long=$(LC_ALL=C.UTF-8 grep -nHE '^ *//.{109,}' "${files[@]}" | LC_ALL=C.UTF-8 grep -E '^[^:]*:[0-9]*:.{111}' | cut -d: -f1,2 || true)
    [[ -z $long ]] || printf '%s: the comment is longer than 110 columns\n' $long
    [[ -z $bad ]] || printf '%s: not formatted as .clang-format says; run scripts/format.sh\n' $bad
    [[ -z $bad$long ]]
    ;;
  *) echo "usage: scripts/format.sh [--check]" >&2; exit 2 ;;
esac
