#include "graph/ingest/formats/readers.h"

#include <algorithm>
#include <iterator>

#include "graph/ingest/formats/csv_reader.h"
#include "graph/ingest/formats/graphml_reader.h"
#include "graph/ingest/formats/json_reader.h"
#include "graph/ingest/formats/jsonld_reader.h"
#include "graph/ingest/formats/rdfxml_reader.h"
#include "graph/ingest/formats/serd_reader.h"
#include "graph/ingest/formats/triples_reader.h"
#include "graph/ingest/formats/wikidata_reader.h"

namespace kgwalk::graph {
namespace {

constexpr InputFormatRow kRows[] = {
    {InputFormat::kTriples, "txt", "text/plain", read_triples},
    {InputFormat::kCsv, "csv", "text/csv", read_csv},
    {InputFormat::kTsv, "tsv", "text/tab-separated-values", read_tsv},
    {InputFormat::kNeo4j, "", "", read_neo4j_csv},
    {InputFormat::kNTriples, "nt ntriples", "application/n-triples", read_ntriples, true},
    {InputFormat::kNQuads, "nq nquads", "application/n-quads text/x-nquads", read_nquads, true},
    {InputFormat::kTurtle, "ttl turtle", "text/turtle application/x-turtle", read_turtle, true},
    {InputFormat::kTrig, "trig", "application/trig", read_trig, true},
    {InputFormat::kRdfXml, "rdf owl xml rdfxml", "application/rdf+xml", read_rdf_xml, true},
    {InputFormat::kJsonLd, "jsonld", "application/ld+json", read_jsonld, true},
    {InputFormat::kJson, "json jsonl ndjson", "application/json application/jsonl application/x-ndjson",
     read_json, true},
    {InputFormat::kGraphMl, "graphml", "application/graphml+xml", read_graphml, true},
    {InputFormat::kWikidata, "", "", read_wikidata},
};

}  // namespace

std::span<const InputFormatRow> input_formats() noexcept { return kRows; }

const InputFormatRow& input_format_row(InputFormat format) noexcept {
  return *std::find_if(std::begin(kRows), std::end(kRows),
                       [&](const InputFormatRow& row) { return row.format == format; });
}

}  // namespace kgwalk::graph
