// head TAB relation TAB tail, a fact a line, names as they are. A first line that names the three columns is
// no fact.
#pragma once

#include "graph/ingest/input_text.h"

namespace kgwalk::graph {

void read_triples(const InputText& text, StatementSink& sink);

// The three fields of a line; false, and the reason logged, for other lines.
struct TripleFields {
  std::string_view head, relation, tail;
};
[[nodiscard]] bool split_triple(std::string_view line, std::size_t number, ProblemLog& log,
                                TripleFields& fields);

}  // namespace kgwalk::graph
