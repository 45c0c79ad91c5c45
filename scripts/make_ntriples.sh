#!/usr/bin/env bash
# Writes a file of triples (head TAB relation TAB tail) as N-Triples with labels, so that readers can be tried at any size:
# relations that begin with ~ are left out, and copies of the graph follow each other until there are COUNT statements.
# With --prefixed the file is Turtle.
# Usage: scripts/make_ntriples.sh [--prefixed] TRIPLES COUNT > FILE.nt
set -euo pipefail
prefixed=0
if [[ ${1:-} == --prefixed ]]; then prefixed=1; shift; fi
[[ $# -eq 2 && -f $1 ]] || { echo "usage: scripts/make_ntriples.sh [--prefixed] TRIPLES COUNT > FILE.nt" >&2; exit 2; }

LC_ALL=C awk -F '\t' -v count="$2" -v prefixed="$prefixed" '
  function entity(copy, i) { return prefixed ? "e:" copy "_" i : "<http://example.org/entity/" copy "_" i ">" }
  function relation(name) {
    gsub(/[^A-Za-z0-9]/, "_", name)
    return prefixed ? "r:r_" name : "<http://example.org/relation/" name ">"
  }
  function say(line) {
    if (said == count) exit
    print line " ."
    said++
  }
  function quoted(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    return "\"" text "\"@en"
  }
  BEGIN {
    label = prefixed ? "rdfs:label" : "<http://www.w3.org/2000/01/rdf-schema#label>"
    if (prefixed)
      print "@prefix e: <http://example.org/entity/> .\n@prefix r: <http://example.org/relation/> .\n" \
            "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
  }
  $2 ~ /^~/ || NF != 3 { next }
  {
    for (f = 1; f <= 3; f += 2)
      if (!($f in id)) { name[++entities] = $f; id[$f] = entities }
    head[++facts] = id[$1]; what[facts] = relation($2); tail[facts] = id[$3]
  }
  END {
    for (copy = 0; facts > 0 && said < count; copy++) {
      for (i = 1; i <= entities; i++)
        say(entity(copy, i) " " label " " quoted(name[i] (copy > 0 ? " " copy : "")))
      for (i = 1; i <= facts; i++) say(entity(copy, head[i]) " " what[i] " " entity(copy, tail[i]))
    }
  }
' "$1"
