// A graph out again: its facts, names and values as a file that other programs read.
//
// Example:
//   #include "kgwalk/store.h"
//
//   const auto store = kgwalk::graph::Store::open("kg.db", kgwalk::graph::Store::Mode::kReadOnly);
//   const auto report =
//       kgwalk::graph::export_graph(store, "kg.nt", {.format = kgwalk::graph::GraphFormat::kNTriples});
//   std::cout << report.facts << " facts\n";
//
// Every fact is written once (with several sources, once for each), in the direction of the relation without
// `~`, by ascending head, relation and tail: the same graph gives the same bytes. The file is written under a
// temporary name and renamed when it is whole.
//
// Errors: ConfigError (a name that the format cannot hold), IoError, StoreError, Stopped. Thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "kgwalk/choice.h"
#include "kgwalk/progress.h"
#include "kgwalk/store.h"

namespace kgwalk::graph {

enum class GraphFormat {
  kTriples,  // head TAB relation TAB tail; names must have no tab or line feed
  // RFC 4180 with a header head,relation,tail, and behind these, where the graph has them, head_id,tail_id,
  // relation_id, weight and source
  kCsv,
  // By the IRIs that the source gave, with its labels, aliases, descriptions and values; what had none lies
  // under `base` and gets an rdfs:label
  kNTriples,
  kNQuads,   // the same, each statement in the graph that it came from
  kGraphMl,  // a directed graph; the relation is data of the edge, as the name is of the node; ids, weight
             // and source too
  kJsonLd,   // in expanded form; as N-Quads where the facts have sources, else as N-Triples
};
constexpr auto choice_names(GraphFormat) {
  return choices_in_order<GraphFormat>("triples", "csv", "ntriples", "nquads", "graphml", "jsonld");
}

// By extension; kTriples for others.
[[nodiscard]] GraphFormat graph_format_of(const std::filesystem::path& file);

// By its name, an extension with or without its dot, or a media type.
[[nodiscard]] std::optional<GraphFormat> graph_format_named(std::string_view word);

struct GraphExportOptions {
  Choice<GraphFormat> format = GraphFormat::kTriples;
  std::string base = "http://example.org/";  // IRIs are BASEentity/NAME and BASErelation/NAME
  // N-Quads alone: the graph of statements without a source. Empty: BASEgraph; the default graph where the
  // database has sources.
  std::string graph_iri = {};
};

struct GraphExportReport {
  std::uint64_t entities = 0, facts = 0, values = 0;
  std::uint64_t qualifiers = 0;
  // Texts (descriptions, other names, values beside the graph) and qualifiers that the format has no place
  // for: ntriples, nquads and jsonld have one for all.
  std::uint64_t left_out = 0;
};

// `file` may be "-" for standard output, a pipe or a device; else it is there whole or not at all.
GraphExportReport export_graph(const Store& store, const std::filesystem::path& file,
                               const GraphExportOptions& options = {}, Reporter& reporter = silent_reporter(),
                               const StopFlag& stop = never_stop());

}  // namespace kgwalk::graph
