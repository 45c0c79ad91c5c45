// Tables of facts: a fact a row, its head, relation and tail in columns; and tables of Neo4j, known by their
// headers.
#pragma once

#include "graph/ingest/input_text.h"

namespace kgwalk::graph {

// Cells in quotes as RFC 4180 has them.
void read_csv(const InputText& text, StatementSink& sink);
// Cells between tabs, a quote is a letter like others. Where no columns are named and the first line names
// none, the file is one of triples.
void read_tsv(const InputText& text, StatementSink& sink);
void read_neo4j_csv(const InputText& text, StatementSink& sink);

}  // namespace kgwalk::graph
