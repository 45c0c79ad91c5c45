// What embeddings say of a candidate and the goal (stage 2, thesis 5.3.4): estimated distances from the
// distance factors, how well the embedding likes a link between them, how many neighbors they seem to share.
// Nothing here looks at the graph beyond the candidates and the relations at the goal; with `exact` an exact
// distance joins. Torch-free, ragged, in parallel.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "embeddings/distance/neighbor_sketch.h"
#include "kgwalk/distances.h"
#include "kgwalk/embedding_config.h"
#include "kgwalk/knowledge_graph.h"
#include "walker/example.h"
#include "walker/features/candidates.h"
#include "walker/features/feature_table.h"

namespace kgwalk::walker {

// What the comparison needs of one example, made once.
struct GoalContext {
  std::optional<graph::EntityId> goal;  // none: all features are zero
  std::unordered_map<graph::EntityId, std::int32_t> visits;
  std::int64_t came_from = -1;
  std::vector<float> links;  // [number of links, kg width] where a link's relation leads from the goal
};

// Rows of a table, strided: row i begins at data + i * stride.
struct RowsView {
  const float* data = nullptr;
  std::int64_t rows = 0, stride = 0, width = 0;
  [[nodiscard]] std::span<const float> row(std::int64_t i) const {
    return {data + i * stride, static_cast<std::size_t>(width)};
  }
};

struct GoalTables {
  embeddings::EmbeddingKind kg_model = embeddings::EmbeddingKind::kTransE;
  RowsView kg;         // its entities
  RowsView relations;  // its relations, to be multiplied by relation_scale
  float relation_scale = 1;
  RowsView left, right;  // distance factors
};

class GoalFeatures {
 public:
  // Views and graph are borrowed and must outlive this object; `distances` may be null (no exact distances).
  GoalFeatures(const graph::KnowledgeGraph& graph, const GoalTables& tables,
               std::shared_ptr<const graph::ExactDistances> distances);

  [[nodiscard]] GoalContext context(const Example& example) const;
  // out [K, kNumGoalFeatures]; contexts[i] belongs to state i. The stop candidate is described by the
  // entity stood on.
  void extract(std::span<const GoalContext* const> contexts, const Candidates& candidates,
               std::span<float> out) const;
  // d^(a, b).
  [[nodiscard]] float estimate(graph::EntityId a, graph::EntityId b) const;
  [[nodiscard]] bool exact() const { return distances_ != nullptr; }

 private:
  void extract_state(const GoalContext& context, const Candidates& candidates, std::int64_t state,
                     float* rows) const;

  const graph::KnowledgeGraph& graph_;
  GoalTables tables_;
  std::shared_ptr<const graph::ExactDistances> distances_;
  embeddings::NeighborSketch sketch_;
};

}  // namespace kgwalk::walker
