// Which relations say something about a record and not about the thing that it is of.
#pragma once

#include <vector>

#include "kgwalk/graph_details.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/values.h"

namespace kgwalk::graph {

// Those nearly all of whose tails (and values, where literals are kept beside the graph) are
// - stamps: a date with a time where the relation says created, a date or more where it says modified,
// edited, updated;
// - addresses of the web, as texts, or of files;
// - checksums: as many hexadecimal digits as MD5, SHA-1 or SHA-2 have; and those that vocabularies keep for
// it (prov:wasDerivedFrom, dbo:wikiPageID, foaf:isPrimaryTopicOf). Without inverses, ascending.
[[nodiscard]] std::vector<RelationId> housekeeping_relations(const KnowledgeGraph& graph,
                                                             const Values& values);

}  // namespace kgwalk::graph
