#include "graph/distances/narrow_search.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <vector>

#include "kgwalk/error.h"
#include "runtime/parallel.h"

namespace kgwalk::graph {
namespace {

constexpr std::int64_t kPulledAGrain = 8192;
// A pushed edge is written to and comes from one thread; a pulled row is often left at its first neighbors.
constexpr std::uint64_t kPushPrice = 8;

// Word: one byte for up to eight sources, so that the frontier of a million vertices stays in the cache.
template <class Word>
class NarrowSearch {
 public:
  NarrowSearch(const KnowledgeGraph& graph, std::span<const EntityId> sources,
               std::span<Distance* const> rows)
      : offsets_(graph.neighbor_offsets()),
        targets_(graph.all_neighbors()),
        size_(graph.num_connected()),
        rows_(rows),
        seen_(size_),
        front_(size_),
        next_(size_) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      std::memset(rows[i], kUnreachable, size_);
      const EntityId source = sources[i];
      if (source >= size_) continue;
      const Word bit = static_cast<Word>(Word{1} << i);
      if (front_[source] == 0) frontier_.push_back(source);
      all_ |= bit;
      seen_[source] |= bit;
      front_[source] |= bit;
      rows_[i][source] = 0;
    }
    for (const EntityId v : frontier_) front_edges_ += degree(v);
  }

  void run() {
    for (unsigned distance = 1; front_edges_ > 0; ++distance) {
      distance_ = distance;
      if (kPushPrice * front_edges_ < targets_.size()) {
        push();
      } else {
        pull();
      }
    }
  }

 private:
  [[nodiscard]] std::uint64_t degree(EntityId v) const { return offsets_[v + 1] - offsets_[v]; }
  [[nodiscard]] std::span<const EntityId> row(EntityId v) const {
    return targets_.subspan(offsets_[v], degree(v));
  }

  // What reached v at this level goes into the rows.
  void record(EntityId v, Word reached) {
    if (distance_ >= kUnreachable)
      throw Error("the graph has vertices 255 or more hops apart; distances are kept in a byte, up to 254");
    seen_[v] |= reached;
    for (std::uint64_t rest = reached; rest != 0; rest &= rest - 1)
      rows_[static_cast<std::size_t>(std::countr_zero(rest))][v] = static_cast<Distance>(distance_);
  }

  // After a pulled level the frontier is known as words only.
  void list_frontier() {
    for (EntityId v = 0; v < size_; ++v)
      if (front_[v] != 0) frontier_.push_back(v);
  }

  void push() {
    if (frontier_.empty()) list_frontier();
    std::vector<EntityId> reached;
    for (const EntityId v : frontier_) {
      const Word mine = front_[v];
      for (const EntityId w : row(v)) {
        if ((mine & ~seen_[w]) == 0) continue;
        if (next_[w] == 0) reached.push_back(w);
        next_[w] |= mine;
      }
    }
    for (const EntityId v : frontier_) front_[v] = 0;
    front_edges_ = 0;
    for (const EntityId w : reached) {
      const Word added = static_cast<Word>(next_[w] & ~seen_[w]);
      next_[w] = 0;
      front_[w] = added;
      front_edges_ += degree(w);
      record(w, added);
    }
    frontier_ = std::move(reached);
  }

  void pull() {
    std::atomic<std::uint64_t> edges = 0;
    parallel_for(static_cast<std::int64_t>(size_), kPulledAGrain, [&](std::int64_t begin, std::int64_t end) {
      std::uint64_t mine = 0;
      for (auto v = static_cast<EntityId>(begin); v < static_cast<EntityId>(end); ++v) mine += pull_one(v);
      edges += mine;
    });
    front_edges_ = edges;
    front_.swap(next_);
    // The next level writes all of it when it is pulled; a pushed one finds it empty.
    std::fill(next_.begin(), next_.end(), Word{0});
    frontier_.clear();
  }

  std::uint64_t pull_one(EntityId v) {
    Word known = seen_[v];
    if (known == all_) return 0;
    for (const EntityId w : row(v)) {
      known |= front_[w];
      if (known == all_) break;
    }
    const Word added = static_cast<Word>(known & ~seen_[v]);
    next_[v] = added;
    if (added == 0) return 0;
    record(v, added);
    return degree(v);
  }

  std::span<const std::uint64_t> offsets_;
  std::span<const EntityId> targets_;
  std::size_t size_;
  std::span<Distance* const> rows_;
  Word all_ = 0;
  std::vector<Word> seen_, front_, next_;  // sources within the last level; at it; found at this one
  std::vector<EntityId> frontier_;         // vertices of front_, where they are listed
  std::uint64_t front_edges_ = 0;
  unsigned distance_ = 0;
};

}  // namespace

void search_narrow(const KnowledgeGraph& graph, std::span<const EntityId> sources,
                   std::span<Distance* const> rows) {
  if (sources.size() <= 8) {
    NarrowSearch<std::uint8_t>(graph, sources, rows).run();
  } else {
    NarrowSearch<std::uint64_t>(graph, sources, rows).run();
  }
}

}  // namespace kgwalk::graph
