// What embed_graph() trains on, and with which configuration (kgwalk/embeddings.h).
#pragma once

#include <string_view>
#include <vector>

#include "kgwalk/embeddings.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::embeddings {

/// The facts of the graph without the inverses that ingestion adds: of each pair of a relation and its
/// inverse the one without a leading `~` (else the one with the smaller id) is kept.
[[nodiscard]] std::vector<Triple> forward_triples(const graph::KnowledgeGraph& graph);

/// A configuration of json; what it does not set is what suits the model that it names. ConfigError names
/// `source` with everything that is wrong.
[[nodiscard]] GraphEmbeddingConfig graph_embedding_config(const Json& json, std::string_view source);

}  // namespace kgwalk::embeddings
