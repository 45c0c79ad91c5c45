// N-Triples, N-Quads, Turtle and TriG, by libserd. A statement that cannot be read is skipped and reported
// with its line, and costs no other: reading goes on at the next line (N-Triples, N-Quads) or behind the
// point of the statement, with its prefixes, base and graph. What stands before the slip in a statement of
// Turtle is used.
#pragma once

#include "graph/ingest/input_text.h"

namespace kgwalk::graph {

// The graph of a statement is its source: a statement in two graphs comes twice.
void read_ntriples(const InputText& text, StatementSink& sink);
void read_nquads(const InputText& text, StatementSink& sink);
void read_turtle(const InputText& text, StatementSink& sink);
void read_trig(const InputText& text, StatementSink& sink);

}  // namespace kgwalk::graph
