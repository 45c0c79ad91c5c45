// RDF/XML, by libraptor2. An offense against RDF costs its statement; where the XML itself is broken reading
// ends, and what stands behind is lost: both are reported with their line. Nothing is fetched: neither
// entities nor files.
#pragma once

#include "graph/ingest/input_text.h"

namespace kgwalk::graph {

void read_rdf_xml(const InputText& text, StatementSink& sink);

}  // namespace kgwalk::graph
