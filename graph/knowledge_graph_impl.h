// Inside of KnowledgeGraph, for the sources of graph/ only.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graph/snapshot.h"
#include "kgwalk/graph_details.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::graph {

struct KnowledgeGraph::Impl {
  // What `view` looks into: one of these.
  AlignedBytes bytes;
  std::shared_ptr<const SealedFile> file;
  SnapshotView view;
  // Sections of which every block was checked.
  mutable std::array<std::atomic<bool>, kNumSections> is_whole{};
  std::string checksum;
  AlignedBytes details_bytes;  // none, or what `details` looks into
  GraphDetails details;
  std::uint64_t last_edit = 0;
  BaseSize base = {};             // where there is an edit
  std::vector<EntityId> renamed;  // of the ingested graph, by edits; ascending

  // A section for those that may read any part of it.
  template <class T>
  [[nodiscard]] std::span<const T> whole(Section section, std::span<const T> values) const {
    std::atomic<bool>& known = is_whole[static_cast<std::size_t>(section)];
    if (!known.load(std::memory_order_relaxed)) {
      view.need(values);
      known.store(true, std::memory_order_relaxed);
    }
    return values;
  }
};

// What the builder, the writer and the loader may do.
struct GraphAccess {
  // Takes a laid-out snapshot of this checksum; StoreError when it does not hold together.
  [[nodiscard]] static KnowledgeGraph make(AlignedBytes bytes, std::string checksum);
  // Over a file, whose tag is the checksum.
  [[nodiscard]] static KnowledgeGraph make(std::shared_ptr<const SealedFile> file);
  // Views and bytes of a snapshot whose blocks are all checked; StoreError when one is damaged.
  [[nodiscard]] static const SnapshotView& whole_view(const KnowledgeGraph& graph);
  [[nodiscard]] static std::string_view whole_bytes(const KnowledgeGraph& graph);
  // A part of its bytes that is not needed for now, where they are a file's.
  static void release(const KnowledgeGraph& graph, std::string_view part) noexcept;
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

// Name of the blob that holds the snapshot in databases of schema 1.
inline constexpr std::string_view kSnapshotBlob = "graph/snapshot";

}  // namespace kgwalk::graph
