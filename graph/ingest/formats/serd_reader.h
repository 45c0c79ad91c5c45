// N-Triples, N-Quads, Turtle and TriG, by libserd. A statement that cannot be read is skipped and reported with its
// line; reading goes on at the next line (N-Triples, N-Quads) or behind the next line that ends in a point.
#pragma once

#include <string>
#include <string_view>

#include "graph/ingest/formats/rdf.h"
#include "graph/ingest/problem_log.h"
#include "kgwalk/input_format.h"

namespace kgwalk::graph {

struct RdfText {
  std::string_view bytes;
  std::string base;          // IRI that relative ones begin with
  std::string blank_prefix;  // of blank nodes, so that those of two files differ
};

// The graph of a statement is its source: a statement in two graphs comes twice.
void read_with_serd(const RdfText& text, InputFormat format, ProblemLog& log, StatementSink& sink);

}  // namespace kgwalk::graph
