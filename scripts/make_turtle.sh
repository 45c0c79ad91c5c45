#!/usr/bin/env bash
# Writes a file of triples (head TAB relation TAB tail) as a Turtle file as people publish them: a subject with its label
# and its facts, relations as IRIs in camel case. Relations that begin with ~ are left out; it ends with the subject at which
# COUNT statements, labels counted, are reached.
# Usage: scripts/make_turtle.sh TRIPLES COUNT > FILE.ttl
set -euo pipefail
[[ $# -eq 2 && -f $1 ]] || { echo "usage: scripts/make_turtle.sh TRIPLES COUNT > FILE.ttl" >&2; exit 2; }

LC_ALL=C awk -F '\t' -v count="$2" '
  function predicate(name,   words, i, n, out) {
    n = split(name, words, /[^A-Za-z0-9]+/)
    for (i = 1; i <= n; i++)
      if (words[i] != "")
        out = out (out == "" ? tolower(substr(words[i], 1, 1)) : toupper(substr(words[i], 1, 1))) substr(words[i], 2)
    return ":" (out ~ /^[A-Za-z]/ ? "" : "r") out
  }
  function quoted(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    return "\"" text "\"@en"
  }
  BEGIN {
    print "@prefix : <http://example.org/ontology/> .\n@prefix e: <http://example.org/entity/> ."
    print "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
  }
  $2 ~ /^~/ || NF != 3 || $1 == "" || $3 == "" { next }
  {
    for (f = 1; f <= 3; f += 2)
      if (!($f in id)) { name[++entities] = $f; id[$f] = entities }
    between = id[$1] in facts ? "\n" : ""
    facts[id[$1]] = facts[id[$1]] between predicate($2) "\t" id[$3]
  }
  END {
    for (i = 1; i <= entities && said < count; i++) {
      if (!(i in facts)) continue
      n = split(facts[i], lines, "\n")
      line = "e:" i
      between = " "
      if (!(i in seen)) { line = line " rdfs:label " quoted(name[i]); between = " ;\n    "; seen[i] = 1; said++ }
      tails = ""
      for (k = 1; k <= n; k++) {
        split(lines[k], parts, "\t")
        line = line between parts[1] " e:" parts[2]
        between = " ;\n    "
        said++
        t = parts[2]
        if (!(t in seen)) { tails = tails "e:" t " rdfs:label " quoted(name[t]) " .\n"; seen[t] = 1; said++ }
      }
      printf "%s .\n%s", line, tails
    }
  }
' "$1"
