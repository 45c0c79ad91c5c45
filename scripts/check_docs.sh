#!/usr/bin/env bash
# Checks the documentation: relative links and paths in backticks exist, README is short, and docs/reference/options.md
# is what the program prints. Usage: scripts/check_docs.sh [PROGRAM]     exit 1 and one line an offence
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
program=${1:-}
failures=0
offend() {
  echo "$*"
  failures=$((failures + 1))
}

mapfile -t pages < <(find . -name '*.md' -not -name CHANGELOG.md -not -path './build/*' -not -path './runs/*' -not -path './.git/*' | sort)
for page in "${pages[@]}"; do
  folder=$(dirname "$page")
  while read -r link; do
    [[ -e $folder/${link%%#*} ]] || offend "$page: the link to $link leads nowhere"
  done < <(grep -oE '\]\([^)#: ]+(#[^)]*)?\)' "$page" | sed -E 's/^\]\(//; s/\)$//')
  # Paths of files and folders of this repository, without patterns or placeholders.
  while read -r path; do
    [[ -e $path || -e include/$path ]] || offend "$page: there is no $path"
  done < <(grep -oE '`[a-z0-9_/.-]+`' "$page" | tr -d '\140' |
    grep -E '^(runtime|graph|embeddings|seq2seq|dialogue|walker|rl|planner|cli|kgwalk|tests|docs|scripts|examples|bench|cmake|data|include)/[a-z0-9_/.-]+\.(h|cc|md|sh|json|svg|cmake|py|txt)$' |
    sort -u)
done
[[ $(wc -l < README.md) -le 150 ]] || offend "README.md: has more than 150 lines"
if [[ -n $program ]] && ! diff -q <("$program" config --format markdown) docs/reference/options.md > /dev/null; then
  offend "docs/reference/options.md: is not what the program prints; run kgwalk config --format markdown > docs/reference/options.md"
fi
[[ $failures -eq 0 ]]
