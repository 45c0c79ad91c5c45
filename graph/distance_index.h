// Exact distance of a single pair: pruned landmark labelling (Akiba, Iwata, Yoshida, SIGMOD 2013).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "graph/distances.h"
#include "graph/knowledge_graph.h"

namespace kgwalk::graph {

// Immutable after building; thread-safe to query.
class DistanceIndex {
 public:
  [[nodiscard]] static DistanceIndex build(const KnowledgeGraph& graph,
                                           Reporter& reporter = silent_reporter(),
                                           const StopFlag& stop = never_stop());
  // From the store's blob; nullopt when there is none, StoreError when it belongs to another graph.
  [[nodiscard]] static std::optional<DistanceIndex> load(const Store& store);
  void save(Store& store) const;

  DistanceIndex(DistanceIndex&&) noexcept;
  DistanceIndex& operator=(DistanceIndex&&) noexcept;
  ~DistanceIndex();

  // Hops between a and b; kUnreachable when there is no path; 0 when a == b.
  [[nodiscard]] Distance distance(EntityId a, EntityId b) const noexcept;
  [[nodiscard]] std::size_t size_bytes() const noexcept;

 private:
  struct Impl;
  explicit DistanceIndex(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace kgwalk::graph
