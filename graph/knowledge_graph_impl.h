// Inside of KnowledgeGraph, for the sources of graph/ only.
#pragma once

#include <string>
#include <utility>

#include "graph/snapshot.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::graph {

struct KnowledgeGraph::Impl {
  AlignedBytes bytes;
  SnapshotView view;
  std::string checksum;
};

// What the builder, the writer and the loader may do.
struct GraphAccess {
  // Takes a laid-out snapshot; StoreError when it does not hold together. `checksum` empty: computed.
  [[nodiscard]] static KnowledgeGraph make(AlignedBytes bytes, std::string checksum = {});
  [[nodiscard]] static std::string_view bytes(const KnowledgeGraph& graph) noexcept;
};

// Name of the blob that holds the snapshot.
inline constexpr std::string_view kSnapshotBlob = "graph/snapshot";

}  // namespace kgwalk::graph
