// Exact hop distances on the undirected graph of distinct neighbors.
//
// Many sources at once by bit-parallel multi-source BFS (Then et al., "The More the Merrier", VLDB 2014): one
// bit a source, 512 sources a pass.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kgwalk/knowledge_graph.h"
#include "kgwalk/progress.h"

namespace kgwalk::graph {

class Store;

using Distance = std::uint8_t;
inline constexpr Distance kUnreachable = 255;  // graphs of diameter 255 or more are refused (Error)

// distances[i * num_vertices + v] = hops from sources[i] to v. num_vertices is
// graph.num_connected(); an entity without edges as source has kUnreachable everywhere; an unknown
// id is a ConfigError. Threads: kgwalk/threads.h.
[[nodiscard]] std::vector<Distance> distance_rows(const KnowledgeGraph& graph,
                                                  std::span<const EntityId> sources);

// The same into the caller's memory, [sources.size() * num_connected()]; ConfigError when the
// size is another.
void distance_rows_into(const KnowledgeGraph& graph, std::span<const EntityId> sources,
                        std::span<Distance> out);

// All pairs, streamed: `visit(first_source, rows)` gets blocks of at most `block` rows, [rows,
// num_connected()], in ascending order of sources, from one thread; the span is valid during the call.
void for_each_distance_block(const KnowledgeGraph& graph, std::size_t block,
                             const std::function<void(EntityId, std::span<const Distance>)>& visit,
                             Reporter& reporter = silent_reporter(), const StopFlag& stop = never_stop());

// counts[d] = ordered pairs (u, v), u != v, at distance d; counts[kUnreachable] = pairs without a
// path. 256 entries.
[[nodiscard]] std::vector<std::uint64_t> distance_histogram(const KnowledgeGraph& graph,
                                                            Reporter& reporter = silent_reporter(),
                                                            const StopFlag& stop = never_stop());

// Exact distance of a single pair: pruned landmark labeling (Akiba, Iwata, Yoshida, SIGMOD 2013).
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
