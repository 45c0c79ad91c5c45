// Exact hop distances on the undirected graph of distinct neighbors: of many sources at once, and of single
// pairs, by an index or by rows that are searched for when a goal is asked for.
//
// Example:
//   #include "kgwalk/store.h"
//
//   const auto store = kgwalk::graph::Store::open("kg.db", kgwalk::graph::Store::Mode::kReadOnly);
//   const auto graph = store.load_graph();
//   const auto distances = kgwalk::graph::open_distances(store, graph);  // the index, or rows
//   const auto a = graph.find_entity("Iron Man"), b = graph.find_entity("Christopher Nolan");
//   if (a && b && distances->distance(*a, *b) != kgwalk::graph::kUnreachable)
//     std::cout << int{distances->distance(*a, *b)} << " hops\n";
//
// Many sources go together by bit-parallel multi-source BFS (Then et al., "The More the Merrier", VLDB 2014):
// one bit a source, up to 512 sources a pass. It uses all threads of kgwalk/threads.h; results do not depend
// on their number.
//
// All functions throw Error when two vertices lie 255 hops apart or more, and Stopped when `stop` is set
// meanwhile. They keep no reference to the graph; GoalRows does. Thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kgwalk/knowledge_graph.h"
#include "kgwalk/progress.h"

namespace kgwalk::graph {

class Store;

// Hops, 0 to 254, or kUnreachable where no path joins two entities.
using Distance = std::uint8_t;
inline constexpr Distance kUnreachable = 255;

// Distances of some sources to all entities with an edge.
//
// Returns [sources.size(), graph.num_connected()], row-major: element i * num_connected() + v is the number
// of hops from sources[i] to v. A source without edges has kUnreachable everywhere. ConfigError for an id
// that is not in the graph.
[[nodiscard]] std::vector<Distance> distance_rows(const KnowledgeGraph& graph,
                                                  std::span<const EntityId> sources);

// The same into the caller's memory. ConfigError when out.size() is not sources.size() * num_connected().
void distance_rows_into(const KnowledgeGraph& graph, std::span<const EntityId> sources,
                        std::span<Distance> out);

// All pairs, streamed, in memory for one block.
//
// block: most rows that a call of `visit` gets, 1 or more (ConfigError); multiples of 512 are fast.
// visit: called with the first source and rows [at most block, num_connected()], sources ascending from 0,
//        from the calling thread; the rows are valid during the call.
void for_each_distance_block(const KnowledgeGraph& graph, std::size_t block,
                             const std::function<void(EntityId, std::span<const Distance>)>& visit,
                             Reporter& reporter = silent_reporter(), const StopFlag& stop = never_stop());

// How many ordered pairs (u, v), u != v, of entities with an edge lie at each distance: 256 counts,
// [kUnreachable] of the pairs without a path.
[[nodiscard]] std::vector<std::uint64_t> distance_histogram(const KnowledgeGraph& graph,
                                                            Reporter& reporter = silent_reporter(),
                                                            const StopFlag& stop = never_stop());

// The same, estimated from the distances of some sources.
struct SampledHistogram {
  std::size_t sources = 0;     // drawn without replacement; all of them make the estimate exact
  std::vector<double> pairs;   // [256] ordered pairs at each distance
  std::vector<double> margin;  // [256] half of the 95 % interval of each, by the spread between sources
};

// num_sources: from 2 (ConfigError); more than there are is all. Equal seeds draw the same sources.
[[nodiscard]] SampledHistogram sample_distances(const KnowledgeGraph& graph, std::size_t num_sources,
                                                std::uint64_t seed, Reporter& reporter = silent_reporter(),
                                                const StopFlag& stop = never_stop());

// Hops of one shortest path, none when both ends are the same; nullopt when no path joins them. Searches
// breadth first: a few milliseconds where the graph is large. The ids must be below graph.num_entities().
[[nodiscard]] std::optional<std::vector<Triple>> shortest_path(const KnowledgeGraph& graph, EntityId from,
                                                               EntityId to);

// Exact distances of single pairs, whichever way they are known. Any number of threads may ask.
class ExactDistances {
 public:
  virtual ~ExactDistances() = default;
  // Hops from `from` to `goal`; 0 when they are the same, kUnreachable when no path joins them (so too for
  // ids without edges). Cheapest when the same goals are asked for again and again.
  [[nodiscard]] virtual Distance distance(EntityId from, EntityId goal) const = 0;
  // Tells which goals will be asked for next, so that what that needs is made for all of them at once.
  virtual void prepare(std::span<const EntityId> goals, const StopFlag& stop = never_stop()) const = 0;
};

struct GoalRowsOptions {
  // Rows are kept up to so many bytes, one an entity with an edge and goal, ...
  std::size_t max_bytes = std::size_t{512} << 20;
  std::size_t least_rows = 8;  // ... but as many as this in any case
};

// Distances to goals on any graph: a goal that is new is searched for breadth first (tens of milliseconds for
// 10 M edges and two threads, many goals together less each), its row is kept, and then a distance is one
// look-up. Of rows that are too many the least recently used go. Goals that several threads ask for meanwhile
// share a search.
class GoalRows final : public ExactDistances {
 public:
  // The graph is borrowed and must outlive this object. ConfigError when no row may be kept.
  explicit GoalRows(const KnowledgeGraph& graph, const GoalRowsOptions& options = {});
  ~GoalRows() override;

  [[nodiscard]] Distance distance(EntityId from, EntityId goal) const override;
  // Of more goals than rows are kept the first ones.
  void prepare(std::span<const EntityId> goals, const StopFlag& stop = never_stop()) const override;
  [[nodiscard]] std::size_t num_rows() const;  // in memory now

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// What making an index may take.
struct IndexLimits {
  double seconds = 300;
  std::size_t bytes = std::size_t{3} << 30;  // of the index
  // A file for what was done, written when making is stopped and every minute: making it again goes on with
  // that. Removed when the index is made or given up. Empty: what was done is lost.
  std::filesystem::path kept = {};
};
struct IndexEstimate {
  double seconds = 0, bytes = 0;
};

// Any pair in a few microseconds or less: pruned landmark labeling (Akiba, Iwata, Yoshida, SIGMOD 2013).
// Immutable after building. Needs neither graph nor store.
class DistanceIndex final : public ExactDistances {
 public:
  // Takes seconds for 100,000 entities, hours for a million where hubs join everything without covering it;
  // all threads.
  [[nodiscard]] static DistanceIndex build(const KnowledgeGraph& graph,
                                           Reporter& reporter = silent_reporter(),
                                           const StopFlag& stop = never_stop());
  // The same where it fits: nullopt within a minute where the growth of the labels tells that a limit would
  // be passed. `estimate` gets what is expected of the whole, or what it took. For such graphs there are
  // GoalRows.
  [[nodiscard]] static std::optional<DistanceIndex> build_within(const KnowledgeGraph& graph,
                                                                 const IndexLimits& limits,
                                                                 IndexEstimate& estimate,
                                                                 Reporter& reporter = silent_reporter(),
                                                                 const StopFlag& stop = never_stop());
  // What save() left in the store; nullopt when there is none. StoreError when it belongs to another graph or
  // is damaged.
  [[nodiscard]] static std::optional<DistanceIndex> load(const Store& store);
  // Replaces what the store holds. StoreError when this index was built of another graph, or the store was
  // opened for reading only.
  void save(Store& store) const;

  DistanceIndex(DistanceIndex&&) noexcept;
  DistanceIndex& operator=(DistanceIndex&&) noexcept;
  ~DistanceIndex() override;

  [[nodiscard]] Distance distance(EntityId a, EntityId b) const noexcept override;
  void prepare(std::span<const EntityId>, const StopFlag& = never_stop()) const noexcept override {}
  [[nodiscard]] std::size_t size_bytes() const noexcept;  // in memory

 private:
  struct Impl;
  explicit DistanceIndex(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// The index that the store holds of its graph, or else GoalRows of `graph`, which is borrowed then: it is the
// store's own. StoreError as DistanceIndex::load().
[[nodiscard]] std::unique_ptr<const ExactDistances> open_distances(const Store& store,
                                                                   const KnowledgeGraph& graph,
                                                                   const GoalRowsOptions& options = {});

}  // namespace kgwalk::graph
