// Inside of KnowledgeGraph, for the sources of graph/ only.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "graph/snapshot.h"
#include "kgwalk/graph_details.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::graph {

struct KnowledgeGraph::Impl {
  AlignedBytes bytes;
  SnapshotView view;
  std::string checksum;
  AlignedBytes details_bytes;  // none, or what `details` looks into
  GraphDetails details;
  std::uint64_t last_edit = 0;
  BaseSize base = {};             // where there is an edit
  std::vector<EntityId> renamed;  // of the ingested graph, by edits; ascending
};

// What the builder, the writer and the loader may do.
struct GraphAccess {
  // Takes a laid-out snapshot; StoreError when it does not hold together. `checksum` empty: computed.
  [[nodiscard]] static KnowledgeGraph make(AlignedBytes bytes, std::string checksum = {});
  [[nodiscard]] static std::string_view bytes(const KnowledgeGraph& graph) noexcept;
  // Takes laid-out details of this graph; StoreError when they do not hold together.
  static void set_details(KnowledgeGraph& graph, AlignedBytes bytes);
  static void set_last_edit(KnowledgeGraph& graph, std::uint64_t number, const BaseSize& base,
                            std::vector<EntityId> renamed) noexcept {
    graph.impl_->last_edit = number;
    graph.impl_->base = base;
    graph.impl_->renamed = std::move(renamed);
  }
  [[nodiscard]] static const std::vector<EntityId>& renamed(const KnowledgeGraph& graph) noexcept {
    return graph.impl_->renamed;
  }
  [[nodiscard]] static const BaseSize& base(const KnowledgeGraph& graph) noexcept {
    return graph.impl_->base;
  }
  // As ingestion made it: its own sizes where there is no edit.
  [[nodiscard]] static BaseSize ingested_size(const KnowledgeGraph& graph) noexcept {
    if (last_edit(graph) > 0) return base(graph);
    return {static_cast<EntityId>(graph.num_entities()), static_cast<EntityId>(graph.num_connected()),
            graph.num_relations()};
  }
  [[nodiscard]] static std::uint64_t last_edit(const KnowledgeGraph& graph) noexcept {
    return graph.impl_->last_edit;
  }
  [[nodiscard]] static const GraphDetails& details(const KnowledgeGraph& graph) noexcept {
    return graph.impl_->details;
  }
  [[nodiscard]] static std::string_view details_bytes(const KnowledgeGraph& graph) noexcept {
    return graph.impl_->details_bytes.view();
  }
};

// Name of the blob that holds the snapshot.
inline constexpr std::string_view kSnapshotBlob = "graph/snapshot";

}  // namespace kgwalk::graph
