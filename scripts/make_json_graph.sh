#!/usr/bin/env bash
# Writes a made-up graph as JSON, to measure how fast it is read:
#   jsonld   COUNT statements as one document of JSON-LD, ten of a node: two links, a type, a label, numbers, dates, texts
#   wikidata COUNT entities as the dump of Wikidata has them, a line each of some 6 kB: labels in twenty languages, aliases,
#            statements with ranks, qualifiers and references
# Usage: scripts/make_json_graph.sh jsonld|wikidata COUNT > FILE
set -euo pipefail
[[ $# -eq 2 && $1 =~ ^(jsonld|wikidata)$ && $2 =~ ^[0-9]+$ ]] ||
  { echo "usage: scripts/make_json_graph.sh jsonld|wikidata COUNT > FILE" >&2; exit 2; }

LC_ALL=C awk -v form="$1" -v count="$2" '
  function pick(n) { return int(rand() * n) + 1 }
  function node(i, nodes) {
    return sprintf("{\"id\": \"e:n%d\", \"type\": \"Kind%d\", \"label\": \"Thing number %d\", \"knows\": [\"e:n%d\", \"e:n%d\"], " \
      "\"part\": {\"id\": \"e:n%d\"}, \"size\": %d, \"weight\": %.3f, \"made\": \"%04d-%02d-%02d\", \"note\": \"of the %d kind\"}",
      i, pick(50), i, pick(nodes), pick(nodes), pick(nodes), pick(5000), rand() * 100, 1900 + pick(120), pick(12), pick(28),
      pick(1000))
  }
  function claim(property, datatype, type, value) {
    return sprintf("{\"mainsnak\":{\"snaktype\":\"value\",\"property\":\"%s\",\"hash\":\"%032d\",\"datavalue\":{\"value\":%s," \
      "\"type\":\"%s\"},\"datatype\":\"%s\"},\"type\":\"statement\",\"id\":\"Q1$%036d\",\"rank\":\"normal\",\"qualifiers\":" \
      "{\"P580\":[{\"snaktype\":\"value\",\"property\":\"P580\",\"datavalue\":{\"value\":{\"time\":\"+1990-00-00T00:00:00Z\"," \
      "\"precision\":9},\"type\":\"time\"},\"datatype\":\"time\"}]},\"references\":[{\"hash\":\"%040d\",\"snaks\":{}}]}",
      property, pick(1e9), value, type, datatype, pick(1e9), pick(1e9))
  }
  function item(n) { return sprintf("{\"entity-type\":\"item\",\"numeric-id\":%d,\"id\":\"Q%d\"}", n, n) }
  function entity(i,   k, out, language, claims) {
    out = sprintf("{\"type\":\"item\",\"id\":\"Q%d\",\"labels\":{", i)
    for (k = 1; k <= languages; k++)
      out = out (k > 1 ? "," : "") sprintf("\"%s\":{\"language\":\"%s\",\"value\":\"Thing %s %d\"}", tags[k], tags[k], tags[k], i)
    out = out sprintf("},\"descriptions\":{\"en\":{\"language\":\"en\",\"value\":\"thing of kind %d\"}},\"aliases\":" \
      "{\"en\":[{\"language\":\"en\",\"value\":\"T%d\"}]},\"claims\":{", pick(100), i)
    for (k = 1; k <= 6; k++)
      claims = claims (k > 1 ? "," : "") sprintf("\"P%d\":[%s]", 100 + k, claim("P" 100 + k, "wikibase-item",
        "wikibase-entityid", item(pick(count))))
    claims = claims sprintf(",\"P569\":[%s]", claim("P569", "time", "time", sprintf("{\"time\":\"+%04d-%02d-%02dT00:00:00Z\"," \
      "\"timezone\":0,\"before\":0,\"after\":0,\"precision\":11,\"calendarmodel\":\"http://www.wikidata.org/entity/Q1985727\"}",
      1800 + pick(200), pick(12), pick(28))))
    claims = claims sprintf(",\"P2048\":[%s]", claim("P2048", "quantity", "quantity", sprintf("{\"amount\":\"+%d\",\"unit\":" \
      "\"http://www.wikidata.org/entity/Q174728\"}", pick(300))))
    claims = claims sprintf(",\"P345\":[%s]", claim("P345", "external-id", "string", sprintf("\"tt%07d\"", pick(9999999))))
    return out claims "},\"sitelinks\":{},\"lastrevid\":1}"
  }
  BEGIN {
    srand(1)
    if (form == "jsonld") {
      nodes = int((count + 9) / 10)
      print "{\"@context\": {\"@vocab\": \"http://example.org/v/\", \"e\": \"http://example.org/e/\", \"id\": \"@id\", \"type\": \"@type\","
      print "  \"label\": {\"@id\": \"http://www.w3.org/2000/01/rdf-schema#label\", \"@language\": \"en\"}, \"knows\": {\"@type\": \"@id\"},"
      print "  \"made\": {\"@type\": \"http://www.w3.org/2001/XMLSchema#date\"}},\n\"@graph\": ["
      for (i = 1; i <= nodes; i++) print node(i, nodes) (i < nodes ? "," : "")
      print "]}"
    } else {
      languages = split("en de fr es it pt nl sv pl ru uk cs hu fi da nb ro tr ca ja", tags, " ")
      print "["
      for (i = 1; i <= count; i++) print entity(i) (i < count ? "," : "")
      print "]"
    }
  }
'
