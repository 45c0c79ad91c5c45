#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "graph/distances/narrow_search.h"
#include "kgwalk/distances.h"
#include "kgwalk/error.h"
#include "runtime/parallel.h"
#include "runtime/random.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kDistances = std::size_t{kUnreachable} + 1;
using Counts = std::array<std::uint64_t, kDistances>;

std::vector<EntityId> drawn(std::size_t count, std::size_t all, std::uint64_t seed) {
  std::vector<EntityId> ids(all);
  std::iota(ids.begin(), ids.end(), EntityId{0});
  Random random(seed, 31);
  random.shuffle(std::span(ids));
  ids.resize(count);
  return ids;
}

// Other entities at each distance from one source.
Counts counts_of(std::span<const Distance> row) {
  Counts counts{};
  for (const Distance d : row) ++counts[d];
  counts[0] = 0;  // the source
  return counts;
}

// Sums over sources become estimates for all of them, as a sample without replacement tells them.
SampledHistogram estimate(std::span<const Counts> sources, std::size_t all) {
  SampledHistogram out{sources.size(), std::vector<double>(kDistances), std::vector<double>(kDistances)};
  const auto n = static_cast<double>(all), m = static_cast<double>(sources.size());
  for (std::size_t d = 0; d < kDistances; ++d) {
    double sum = 0, squares = 0;
    for (const Counts& counts : sources) sum += static_cast<double>(counts[d]);
    for (const Counts& counts : sources) squares += std::pow(static_cast<double>(counts[d]) - sum / m, 2);
    out.pairs[d] = n * sum / m;
    if (sources.size() < all) out.margin[d] = 1.96 * n * std::sqrt(squares / (m - 1) / m * (1 - m / n));
  }
  return out;
}

}  // namespace

SampledHistogram sample_distances(const KnowledgeGraph& graph, std::size_t num_sources, std::uint64_t seed,
                                  Reporter& reporter, const StopFlag& stop) {
  if (num_sources < 2) throw ConfigError("a sample of distances needs two sources or more");
  const std::size_t n = graph.num_connected();
  const std::vector<EntityId> sources = drawn(std::min(num_sources, n), n, seed);
  std::vector<Counts> counts(sources.size());
  const auto progress = reporter.start("distances", static_cast<std::int64_t>(sources.size()), "sources");
  for (std::size_t from = 0; from < sources.size(); from += kNarrowSources) {
    if (stop.requested()) throw Stopped("the sampling of distances was stopped; start it again");
    const std::size_t width = std::min(kNarrowSources, sources.size() - from);
    const std::vector<Distance> rows = distance_rows(graph, std::span(sources).subspan(from, width));
    parallel_for(static_cast<std::int64_t>(width), 1, [&](std::int64_t begin, std::int64_t end) {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
        counts[from + i] = counts_of(std::span(rows).subspan(i * n, n));
    });
    progress->add(static_cast<std::int64_t>(width));
  }
  return estimate(counts, n);
}

}  // namespace kgwalk::graph
