// JSON-LD 1.1, expanded and compacted. Nothing is fetched: contexts stand in the text, in files beside it, or
// in the file that InputOptions::context names, which stands for every address.
#pragma once

#include "graph/ingest/input_text.h"

namespace kgwalk::graph {

// Reads one document, an array of nodes, or a document a line. The nodes of a document's @graph are read
// one by one, whatever stands in front of it or behind it. The graph of a statement is its source, as in
// N-Quads. A node that breaks the rules is logged and costs no other; keys that no context knows are noted.
// DataError when a context cannot be had or is none.
void read_jsonld(const InputText& text, StatementSink& sink);

}  // namespace kgwalk::graph
