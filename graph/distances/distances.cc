#include "kgwalk/distances.h"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <numeric>

#include "graph/distances/lane_search.h"
#include "graph/distances/narrow_search.h"
#include "graph/distances/sharded_histogram.h"
#include "kgwalk/error.h"
#include "runtime/parallel.h"

namespace kgwalk::graph {
namespace {

// Up to here passes of one word cost less than one of all lanes.
constexpr std::size_t kFewSources = 2 * kNarrowSources;

// Working memories of searches, lent to threads and kept for the next range.
class SearchPool {
 public:
  explicit SearchPool(const SearchGraph& graph) : graph_(graph) {}
  std::unique_ptr<LaneSearch> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<LaneSearch>(graph_, false);
    std::unique_ptr<LaneSearch> search = std::move(free_.back());
    free_.pop_back();
    return search;
  }
  void give(std::unique_ptr<LaneSearch> search) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(search));
  }

 private:
  const SearchGraph& graph_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<LaneSearch>> free_;
};

std::vector<EntityId> numbers_from(EntityId first, std::size_t count) {
  std::vector<EntityId> ids(count);
  std::iota(ids.begin(), ids.end(), first);
  return ids;
}

void stop_if(const StopFlag& stop) {
  if (stop.requested()) throw Stopped("the computation of distances was stopped; start it again");
}

// Rows of [first, first + count) into `out`, passes of 512 sources shared between threads.
void fill_rows(SearchPool& pool, EntityId first, std::size_t count, std::size_t n, std::span<Distance> out,
               const StopFlag& stop) {
  const std::size_t passes = (count + kLanes - 1) / kLanes;
  parallel_for(static_cast<std::int64_t>(passes), 1, [&](std::int64_t begin, std::int64_t end) {
    std::unique_ptr<LaneSearch> search = pool.take();
    for (std::int64_t p = begin; p < end; ++p) {
      stop_if(stop);
      const std::size_t from = static_cast<std::size_t>(p) * kLanes;
      const std::size_t width = std::min(kLanes, count - from);
      search->run(numbers_from(first + static_cast<EntityId>(from), width), true);
      search->write_rows(out.subspan(from * n, width * n));
    }
    pool.give(std::move(search));
  });
}

}  // namespace

void distance_rows_into(const KnowledgeGraph& graph, std::span<const EntityId> sources,
                        std::span<Distance> out) {
  const std::size_t n = graph.num_connected();
  if (out.size() != sources.size() * n)
    throw ConfigError(
        "distance_rows_into: the output has another size than sources times connected entities");
  for (const EntityId source : sources)
    if (source >= graph.num_entities())
      throw ConfigError("entity " + std::to_string(source) + " is not in the graph of " +
                        std::to_string(graph.num_entities()) + " entities");
  if (n == 0 || sources.empty()) return;
  if (sources.size() <= kFewSources) {
    for (std::size_t from = 0; from < sources.size(); from += kNarrowSources) {
      const std::size_t width = std::min(kNarrowSources, sources.size() - from);
      std::array<Distance*, kNarrowSources> rows;
      for (std::size_t i = 0; i < width; ++i) rows[i] = out.data() + (from + i) * n;
      search_narrow(graph, sources.subspan(from, width), std::span(rows).first(width));
    }
    return;
  }
  const auto order =
      sources.size() > 16 * kLanes ? SearchGraph::Order::kByDegree : SearchGraph::Order::kAsStored;
  const SearchGraph searched(graph, order);
  LaneSearch search(searched, true);
  for (std::size_t from = 0; from < sources.size(); from += kLanes) {
    const std::span<const EntityId> pass = sources.subspan(from, std::min(kLanes, sources.size() - from));
    const std::span<Distance> rows = out.subspan(from * n, pass.size() * n);
    search.run(pass, true);
    search.write_rows(rows);
  }
}

std::vector<Distance> distance_rows(const KnowledgeGraph& graph, std::span<const EntityId> sources) {
  std::vector<Distance> out(sources.size() * graph.num_connected());
  distance_rows_into(graph, sources, out);
  return out;
}

void for_each_distance_block(const KnowledgeGraph& graph, std::size_t block,
                             const std::function<void(EntityId, std::span<const Distance>)>& visit,
                             Reporter& reporter, const StopFlag& stop) {
  if (block == 0) throw ConfigError("for_each_distance_block: a block needs at least one row");
  const std::size_t n = graph.num_connected();
  if (n == 0) return;
  block = std::min(block, n);
  const SearchGraph searched(graph, SearchGraph::Order::kByDegree);
  SearchPool pool(searched);
  // A round gives every thread a pass of its own, and is a whole number of blocks.
  const std::size_t wanted = std::min(n, kLanes * static_cast<std::size_t>(num_threads()));
  const std::size_t round = block * std::max<std::size_t>(1, wanted / block);
  const std::unique_ptr<Distance[]> rows = std::make_unique_for_overwrite<Distance[]>(round * n);
  const auto progress = reporter.start("distances", static_cast<std::int64_t>(n), "sources");
  for (std::size_t first = 0; first < n; first += round) {
    stop_if(stop);
    const std::size_t count = std::min(round, n - first);
    fill_rows(pool, static_cast<EntityId>(first), count, n, {rows.get(), count * n}, stop);
    for (std::size_t from = 0; from < count; from += block) {
      const std::size_t height = std::min(block, count - from);
      visit(static_cast<EntityId>(first + from), {rows.get() + from * n, height * n});
      progress->add(static_cast<std::int64_t>(height));
    }
  }
}

std::vector<std::uint64_t> distance_histogram(const KnowledgeGraph& graph, Reporter& reporter,
                                              const StopFlag& stop) {
  ShardedWork alone;
  return distance_histogram(graph, alone, reporter, stop);
}

std::vector<std::uint64_t> distance_histogram(const KnowledgeGraph& graph, ShardedWork& work,
                                              Reporter& reporter, const StopFlag& stop) {
  constexpr std::size_t kBins = std::size_t{kUnreachable} + 1;
  const std::size_t n = graph.num_connected();
  std::vector<std::uint64_t> counts(kBins, 0);
  if (n == 0) return counts;
  const SearchGraph searched(graph, SearchGraph::Order::kByDegree);
  SearchPool pool(searched);
  const auto progress = reporter.start("distances", static_cast<std::int64_t>(n), "sources");
  std::mutex mutex;
  const auto passes = static_cast<std::int64_t>((n + kLanes - 1) / kLanes);
  const std::int64_t first = work.take(passes);
  parallel_for(passes, 1, [&](std::int64_t begin, std::int64_t end) {
    std::unique_ptr<LaneSearch> search = pool.take();
    std::vector<std::uint64_t> mine(kBins, 0);
    for (std::int64_t p = begin; p < end; ++p) {
      stop_if(stop);
      const std::size_t from = static_cast<std::size_t>(p) * kLanes;
      const std::size_t width = std::min(kLanes, n - from);
      const auto found = work.unit<std::vector<std::uint64_t>>(first + p, [&] {
        std::vector<std::uint64_t> here(kBins, 0);
        search->run(numbers_from(static_cast<EntityId>(from), width), false, here);
        return here;
      });
      if (found)
        for (std::size_t d = 0; d < kBins; ++d) mine[d] += found->at(d);
      progress->add(static_cast<std::int64_t>(width));
    }
    pool.give(std::move(search));
    const std::lock_guard lock(mutex);
    for (std::size_t d = 0; d < kBins; ++d) counts[d] += mine[d];
  });
  if (work.is_part()) return counts;
  const std::uint64_t reached = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  counts[kUnreachable] = std::uint64_t{n} * (n - 1) - reached;
  return counts;
}

}  // namespace kgwalk::graph
