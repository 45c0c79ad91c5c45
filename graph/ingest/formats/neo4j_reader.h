// Nodes and relationships of Neo4j as csv: files for `neo4j-admin database import` (columns :ID, :LABEL,
// :START_ID, :END_ID, :TYPE, with or without id spaces) and the one file of apoc.export.csv (_id, _labels,
// _start, _end, _type).
#pragma once

#include <string>
#include <vector>

#include "graph/ingest/input_text.h"
#include "graph/ingest/table_rows.h"

namespace kgwalk::graph {

// A node gives a statement for each label (rdf:type) and for each property that is not empty; one with
// several values, cut at ';' or InputOptions::list_separator, several. A relationship gives one, between
// nodes that some file has; of its properties the weight and the source of the options are taken, the others
// read over. `rows` must stand behind `header`. DataError when the header has neither an id nor both ends.
void read_neo4j(const std::vector<std::string>& header, TableRows& rows, const InputText& text,
                StatementSink& sink);

}  // namespace kgwalk::graph
