// Breadth-first search from up to 512 sources at once, level by level, one bit a source. For the sources
// of graph/ only.
//
// ball[v] holds the sources within the current number of hops of v. A level is ball'[v] = ball[v] | OR of the
// balls of v's neighbors: whole sets instead of frontiers, so that a vertex is done as soon as its set is
// full, and reading a row stops as soon as it cannot grow. Levels in which few sets changed are pushed from
// those instead (direction optimization: Beamer, Asanovic, Patterson, SC 2012).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graph/distances/bit_rows.h"
#include "kgwalk/distances.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::graph {

// The undirected graph as the search reads it: rows of neighbors, and which component a vertex lies in.
class SearchGraph {
 public:
  enum class Order { kAsStored, kByDegree };
  // kByDegree copies the rows renumbered by falling degree: hubs' sets share cache lines and are read first.
  // Worth its price from a few thousand sources on.
  SearchGraph(const KnowledgeGraph& graph, Order order);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<const std::uint32_t> row(std::uint32_t v) const noexcept {
    return {targets_ + offsets_[v], static_cast<std::size_t>(offsets_[v + 1] - offsets_[v])};
  }
  [[nodiscard]] std::uint64_t degree(std::uint32_t v) const noexcept { return offsets_[v + 1] - offsets_[v]; }
  [[nodiscard]] std::uint64_t num_targets() const noexcept { return offsets_[size_]; }
  // The number here of an entity.
  [[nodiscard]] std::uint32_t position(EntityId entity) const noexcept {
    return positions_.empty() ? entity : positions_[entity];
  }
  [[nodiscard]] std::uint32_t component(std::uint32_t v) const noexcept { return components_[v]; }
  [[nodiscard]] std::size_t num_components() const noexcept { return num_components_; }

 private:
  void renumber(const KnowledgeGraph& graph);
  void find_components();

  std::size_t size_ = 0;
  const std::uint64_t* offsets_ = nullptr;
  const std::uint32_t* targets_ = nullptr;
  std::vector<std::uint64_t> own_offsets_;
  std::vector<std::uint32_t> own_targets_, positions_, components_;
  std::size_t num_components_ = 0;
};

// The working memory of one search; reused from search to search. One thread drives it.
class LaneSearch {
 public:
  // `parallel_levels`: a level's work is shared between threads (one search at a time), instead of one
  // thread a search.
  LaneSearch(const SearchGraph& graph, bool parallel_levels);

  // Searches from up to 512 sources (ids that are not connected reach nobody); adds pairs found at distance d
  // to counts[d] (256 entries) when given. With `keep_rows` distances can be read afterwards. Error when a
  // distance would be 255 or more.
  void run(std::span<const EntityId> sources, bool keep_rows, std::span<std::uint64_t> counts = {});

  // After run(keep_rows): out[i * size + v] = distance from source i to entity v, for i < number of sources.
  void write_rows(std::span<Distance> out) const;

 private:
  void start(std::span<const EntityId> sources);
  [[nodiscard]] bool push_is_cheaper() const;
  void sync_changed();
  void push_level();
  void pull_level();
  void pull_range(std::size_t begin, std::size_t end, std::vector<std::uint32_t>& changed,
                  std::vector<std::uint32_t>& open) const;
  void record_level(unsigned distance, bool keep_rows, std::span<std::uint64_t> counts);
  [[nodiscard]] Lanes* ball() noexcept { return balls_[current_].data(); }
  [[nodiscard]] Lanes* next() const noexcept { return balls_[1 - current_].data(); }
  [[nodiscard]] const Lanes& full(std::uint32_t v) const noexcept { return full_[graph_.component(v)]; }
  void write_vertices(std::size_t begin, std::size_t end, std::span<Distance> out) const;

  const SearchGraph& graph_;
  bool parallel_levels_;
  std::size_t num_sources_ = 0;
  unsigned current_ = 0;
  LaneArray balls_[2];
  std::vector<Lanes> full_;        // by component: its sources
  std::vector<LaneArray> planes_;  // plane b of v: sources whose distance to v has bit b
  unsigned planes_used_ = 0;
  std::vector<std::uint32_t> changed_;  // sets that grew in the last level; the other buffer is behind there
  std::vector<std::uint32_t> open_;     // sets that may still grow
  std::vector<std::uint32_t> touched_;
  std::vector<std::uint8_t> is_touched_;
};

}  // namespace kgwalk::graph
