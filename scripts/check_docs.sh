#!/usr/bin/env bash
# Checks the pages: relative links lead somewhere; files that pages name and pages that sources name are there;
# README is short, and so are the pages of results; with PROGRAM, docs/reference/options.md is what it prints.
# Usage: scripts/check_docs.sh [PROGRAM]     exit 1 and one line an offence
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
program=${1:-}

mapfile -t pages < <(find README.md CHANGELOG.md CONTRIBUTING.md docs data forms seq2seq server -name '*.md' | sort)
top="cmake docs include scripts $(printf "%s " */CMakeLists.txt | sed "s,/CMakeLists.txt,,g")"

# Prints "PAGE:LINE<tab>KIND<tab>PATH" for all that must exist.
named() {
  awk -v top="$top" '
    BEGIN {
      n = split(top, names, " ")
      for (i = 1; i <= n; i++) is_top[names[i]] = 1
      # Names of blobs in the database, not of files.
      not_a_file["graph/snapshot"] = not_a_file["graph/values"] = not_a_file["graph/distance_index"] = not_a_file["graph/details"] = 1
    }
    function say(kind, path) { printf "%s:%d\t%s\t%s\n", FILENAME, FNR, kind, path }
    FNR == 1 { fenced = 0 }
    /^ *```/ { fenced = !fenced; next }
    !fenced {
      rest = $0
      while (match(rest, /\]\([^) ]+\)/)) {
        target = substr(rest, RSTART + 2, RLENGTH - 3)
        rest = substr(rest, RSTART + RLENGTH)
        sub(/#.*/, "", target)
        if (target != "" && target !~ /^(https?|mailto):/) say("link", target)
      }
    }
    # What was there in an older version may be gone.
    FILENAME == "CHANGELOG.md" { next }
    {
      rest = $0
      while (match(rest, /[A-Za-z0-9_.]+(\/[A-Za-z0-9_.-]+)+\.(h|cc|py)/)) {
        path = substr(rest, RSTART, RLENGTH)
        before = substr(rest, RSTART - 1, 1)
        rest = substr(rest, RSTART + RLENGTH)
        if (path !~ /^torch\// && before !~ /[\/$*~]/ && rest !~ /^[A-Za-z0-9_]/) say("file", path)
      }
      rest = $0
      while (!fenced && match(rest, /`[^` ]+`/)) {
        path = substr(rest, RSTART + 1, RLENGTH - 2)
        rest = substr(rest, RSTART + RLENGTH)
        sub(/^\.\//, "", path)
        split(path, part, "/")
        if (path ~ /^[A-Za-z0-9_.\/-]+$/ && path ~ /\// && (part[1] in is_top) && !(path in not_a_file))
          say("file", path)
      }
    }
  ' "${pages[@]}"
  # shellcheck disable=SC2086  # top is a list
  grep -rnoE --include='*.h' --include='*.cc' --include='*.sh' --include='*.json' --include='CMakeLists.txt' \
    'docs/[A-Za-z0-9_/]+\.(md|json|svg)' $top | sed -E 's/:(docs[^:]*)$/\tfile\t\1/'
}

failures=0
checked=0
while IFS=$'\t' read -r where kind path; do
  checked=$((checked + 1))
  base=.
  [[ $kind == file ]] || base=$(dirname "${where%%:*}")
  if [[ ! -e $base/$path && ! ( $kind == file && -e include/$path ) ]]; then
    echo "$where: there is no $path"
    failures=$((failures + 1))
  fi
done < <(named)

if [[ $checked -lt 100 ]]; then
  echo "only $checked links and paths were found: the test no longer sees them"
  failures=$((failures + 1))
fi
lines=$(wc -l < README.md)
if [[ $lines -gt 150 ]]; then
  echo "README.md has $lines lines; 150 is what people read"
  failures=$((failures + 1))
fi
# A page of results: 120 lines, one table of ten rows, sentences of 16 words in the median. What was tried is told in
# docs/results/log. The page about hearing has a table for each way of asking.
for page in docs/results.md docs/results/*.md; do
  [[ $page == docs/results/hearing.md ]] && continue
  awk -v page="$page" '
    function offence(what) { print page ": " what; bad = 1 }
    # Counts the words of the sentences in `text`.
    function count_words(text,   parts, n, i, words) {
      gsub(/\]\([^)]*\)/, "]", text)
      n = split(text, parts, /[.!?]( |$)/)
      for (i = 1; i <= n; i++) if ((words = split(parts[i], unused, " ")) > 1) lengths[++sentences] = words
    }
    /^ *```/ { fenced = !fenced; next }
    fenced || /^#/ || /^    / { next }
    /^\|/ { if (!in_table++) tables++; rows++; count_words(text); text = ""; next }
    { if (in_table) { if (rows - 2 > most) most = rows - 2; in_table = rows = 0 } }
    /^ *$/ || /^- / { count_words(text); text = "" }
    { text = text " " $0 }
    END {
      count_words(text)
      if (rows - 2 > most) most = rows - 2
      if (NR > 120) offence(NR " lines; 120 is what people read")
      if (tables > 1) offence(tables " tables; one answers, the others belong into docs/results/log")
      if (most > 10) offence("a table of " most " rows; ten are read")
      for (i = 2; i <= sentences; i++)
        for (j = i; j > 1 && lengths[j] < lengths[j - 1]; j--) {
          swap = lengths[j]; lengths[j] = lengths[j - 1]; lengths[j - 1] = swap
        }
      if (sentences > 0 && lengths[int((sentences + 1) / 2)] > 16)
        offence("the median sentence has " lengths[int((sentences + 1) / 2)] " words; 16 are read with ease")
      exit bad
    }' "$page" || failures=$((failures + 1))
done
# OPTIONS PAGE: what the program prints.
printed() {
  if ! diff -q <("$program" config --format markdown $1) "$2" > /dev/null; then
    echo "$2 is not what the program prints: kgwalk config --format markdown $1> $2"
    failures=$((failures + 1))
  fi
}
if [[ -n $program ]]; then
  printed "" docs/reference/options.md
  printed "--ablations " docs/reference/ablations.md
fi
names=$(grep -o '^| `[^`]*` |' docs/reference/options.md | sort -u | wc -l)
rows=$(grep -c '^| `' docs/reference/options.md)
if ((names > 250 || rows > 450)); then
  echo "docs/reference/options.md has $names names in $rows rows; 250 and 450 are what one finds one's way in: cli/about/ablations.cc"
  failures=$((failures + 1))
fi
exit $((failures > 0))
