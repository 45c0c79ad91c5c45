// Which facts of a graph its tables are trained on (kgwalk/embeddings.h).
#pragma once

#include <vector>

#include "kgwalk/embeddings.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::embeddings {

/// The facts of the graph without the inverses that ingestion adds: of each pair of a relation and its
/// inverse the one without a leading `~` (else the one with the smaller id) is kept.
[[nodiscard]] std::vector<Triple> forward_triples(const graph::KnowledgeGraph& graph);

}  // namespace kgwalk::embeddings
