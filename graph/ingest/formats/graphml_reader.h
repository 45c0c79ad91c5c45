// GraphML: what kgwalk exports, and what networkx, yEd and Neo4j (apoc.export.graphml) write.
#pragma once

#include "graph/ingest/input_text.h"

namespace kgwalk::graph {

// A node is known by its data "id" where it has one, else by the id in its tag; its name is its data "name",
// "label" or "title", else the label that yEd draws. "labels" (Neo4j) and "type" give types, all other data
// are literals of it. An edge's relation is its data "relation", "label", "type", "predicate" or "name", or
// the label in its tag or that yEd draws; without any it is "linked to". Of an edge's data the weight and the
// source of the options are taken, in a graph that kgwalk exported always; others are read over and counted.
//
// Where the XML breaks, reading ends, and what stands behind is lost. Hyperedges are refused one by one.
void read_graphml(const InputText& text, StatementSink& sink);

}  // namespace kgwalk::graph
