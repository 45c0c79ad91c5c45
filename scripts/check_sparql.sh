#!/usr/bin/env bash
# Tries `kgwalk ingest --from-sparql` against another engine's endpoint, Oxigraph's, and compares what comes back.
# Usage: scripts/check_sparql.sh KGWALK OXIGRAPH [STATEMENTS]     exit 1 where a statement is lost or added
# OXIGRAPH: the server's program, e.g. from `python3 -m venv ox && ox/bin/pip install oxigraph`: ox/bin/oxigraph
set -euo pipefail
kgwalk=$1 oxigraph=$2 statements=${3:-25000}
folder=$(mktemp -d)
port=$((20000 + RANDOM % 20000))
trap '[[ -z ${server:-} ]] || kill "$server"; rm -rf "$folder"' EXIT

awk -v n="$statements" 'BEGIN {
  for (i = 0; i < n; i++)
    printf "<http://example.org/s%06d> <http://example.org/p%d> <http://example.org/o%d> .\n", i, i % 7, i % 1000
}' > "$folder/in.nt"
"$oxigraph" load --location "$folder/store" --file "$folder/in.nt" 2> "$folder/log"
"$oxigraph" serve-read-only --location "$folder/store" --bind "127.0.0.1:$port" 2>> "$folder/log" &
server=$!
for _ in {1..100}; do
  curl -s -o /dev/null "http://127.0.0.1:$port/" && break
  sleep 0.1
done

echo 'CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o } ORDER BY ?s ?p ?o' > "$folder/query.rq"
"$kgwalk" ingest --from-sparql "http://127.0.0.1:$port/query" --query "$folder/query.rq" --db "$folder/kg.db" --quiet
"$kgwalk" export --db "$folder/kg.db" --graph "$folder/out.nt" --quiet
sort "$folder/in.nt" > "$folder/want"
grep '/p[0-9]*> ' "$folder/out.nt" | sort > "$folder/have"
cmp "$folder/want" "$folder/have"
echo "$statements statements came back as they were"
