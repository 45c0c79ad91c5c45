#!/usr/bin/env bash
# How many statements serdi and rapper (Debian's serdi, raptor2-utils) find in the RDF files of tests/graph/ingest/fixtures: what
# our readers must find, too.
# Usage: tests/golden/make_rdf_counts.sh > tests/golden/rdf_counts.json
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../graph/ingest/fixtures"

count() { # NAME PROGRAM, statements on standard input
  printf '  "%s": {"by": "%s", "statements": %d}' "$1" "$2" "$(wc -l)"
}

echo "{"
for syntax in nt:ntriples nq:nquads ttl:turtle trig:trig; do
  count "films.${syntax%%:*}" serdi < <(serdi -i "${syntax##*:}" -o nquads "films.${syntax%%:*}")
  echo ","
done
count films.rdf rapper < <(rapper -q -i rdfxml -o ntriples films.rdf)
echo -e "\n}"
