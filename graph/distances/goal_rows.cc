#include <algorithm>
#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "graph/distances/narrow_search.h"
#include "kgwalk/distances.h"
#include "kgwalk/error.h"

namespace kgwalk::graph {
struct GoalRows::Impl {
  // Distances of all entities with an edge to one goal.
  struct GoalRow {
    std::unique_ptr<Distance[]> hops;             // [num_connected]
    mutable std::atomic<std::uint64_t> used = 0;  // by the count of searches
  };
  using Row = std::shared_ptr<const GoalRow>;

  Impl(const KnowledgeGraph& of, const GoalRowsOptions& options)
      : graph(of),
        most(std::max(options.least_rows, options.max_bytes / std::max<std::size_t>(1, of.num_connected()))) {
  }

  const KnowledgeGraph& graph;
  std::size_t most;  // rows that are kept

  std::shared_mutex mutex;  // of `rows`
  std::unordered_map<EntityId, Row> rows;
  std::atomic<std::uint64_t> searches = 0;

  std::mutex wanting;
  std::vector<EntityId> wanted;  // by threads that wait for a search
  std::mutex searching;          // one search at a time: it uses all threads

  [[nodiscard]] Row find(EntityId goal);
  [[nodiscard]] Row find_or_search(EntityId goal);
  Row search(std::span<const EntityId> goals);
  void make_room(std::size_t fresh);
  [[nodiscard]] bool has_edges(EntityId entity) const { return entity < graph.num_connected(); }
};

GoalRows::Impl::Row GoalRows::Impl::find(EntityId goal) {
  const std::shared_lock lock(mutex);
  const auto found = rows.find(goal);
  if (found == rows.end()) return nullptr;
  // Not counted up at every look-up, which would make threads wait for each other.
  found->second->used.store(searches.load(std::memory_order_relaxed), std::memory_order_relaxed);
  return found->second;
}

// The longest unused go; of equally long ones those with the smallest ids, so that it does not matter how the
// table lies in memory.
void GoalRows::Impl::make_room(std::size_t fresh) {
  if (rows.size() + fresh <= most) return;
  const std::size_t leaving = std::min(rows.size() + fresh - most, rows.size());
  std::vector<std::pair<std::uint64_t, EntityId>> by_use;
  for (const auto& [goal, row] : rows) by_use.emplace_back(row->used.load(std::memory_order_relaxed), goal);
  std::partial_sort(by_use.begin(), by_use.begin() + static_cast<std::ptrdiff_t>(leaving), by_use.end());
  for (std::size_t i = 0; i < leaving; ++i) rows.erase(by_use[i].second);
}

// Rows of new goals, at most kNarrowSources; gives that of the first. `searching` is held.
GoalRows::Impl::Row GoalRows::Impl::search(std::span<const EntityId> goals) {
  std::vector<std::shared_ptr<GoalRow>> made;
  std::vector<Distance*> hops;
  for (std::size_t i = 0; i < goals.size(); ++i) {
    made.push_back(std::make_shared<GoalRow>());
    made.back()->hops = std::make_unique_for_overwrite<Distance[]>(graph.num_connected());
    hops.push_back(made.back()->hops.get());
  }
  search_narrow(graph, goals, hops);
  const std::unique_lock lock(mutex);
  make_room(goals.size());
  const std::uint64_t now = ++searches;
  for (std::size_t i = 0; i < goals.size() && rows.size() < most; ++i) {
    made[i]->used.store(now, std::memory_order_relaxed);
    rows.emplace(goals[i], made[i]);
  }
  return made.front();
}

// What other threads wait for meanwhile is found by the same search.
GoalRows::Impl::Row GoalRows::Impl::find_or_search(EntityId goal) {
  if (Row row = find(goal)) return row;
  {
    const std::lock_guard lock(wanting);
    wanted.push_back(goal);
  }
  const std::lock_guard lock(searching);
  if (Row row = find(goal)) return row;
  std::vector<EntityId> goals{goal};
  {
    const std::lock_guard wait(wanting);
    while (!wanted.empty() && goals.size() < kNarrowSources) {
      const EntityId other = wanted.back();
      wanted.pop_back();
      if (std::find(goals.begin(), goals.end(), other) == goals.end() && !find(other)) goals.push_back(other);
    }
  }
  return search(goals);
}

GoalRows::GoalRows(const KnowledgeGraph& graph, const GoalRowsOptions& options)
    : impl_(std::make_unique<Impl>(graph, options)) {
  if (impl_->most == 0) throw ConfigError("goal rows: no row is kept; allow more bytes, or at least one row");
}
GoalRows::~GoalRows() = default;

Distance GoalRows::distance(EntityId from, EntityId goal) const {
  if (from == goal) return 0;
  if (!impl_->has_edges(from) || !impl_->has_edges(goal)) return kUnreachable;
  return impl_->find_or_search(goal)->hops[from];
}

void GoalRows::prepare(std::span<const EntityId> goals, const StopFlag& stop) const {
  std::vector<EntityId> fresh;
  std::unordered_set<EntityId> met;
  for (const EntityId goal : goals)
    if (impl_->has_edges(goal) && met.size() < impl_->most && met.insert(goal).second && !impl_->find(goal))
      fresh.push_back(goal);
  while (!fresh.empty()) {
    if (stop.requested()) throw Stopped("the search for distances was stopped; start it again");
    const std::lock_guard lock(impl_->searching);
    const std::size_t width = std::min(kNarrowSources, fresh.size());
    std::vector<EntityId> pass(fresh.end() - static_cast<std::ptrdiff_t>(width), fresh.end());
    fresh.resize(fresh.size() - width);
    std::erase_if(pass, [this](EntityId goal) { return impl_->find(goal) != nullptr; });
    if (!pass.empty()) (void)impl_->search(pass);
  }
}

std::size_t GoalRows::num_rows() const {
  const std::shared_lock lock(impl_->mutex);
  return impl_->rows.size();
}

std::unique_ptr<const ExactDistances> open_distances(const Store& store, const KnowledgeGraph& graph,
                                                     const GoalRowsOptions& options) {
  if (auto index = DistanceIndex::load(store)) return std::make_unique<DistanceIndex>(std::move(*index));
  return std::make_unique<GoalRows>(graph, options);
}

}  // namespace kgwalk::graph
