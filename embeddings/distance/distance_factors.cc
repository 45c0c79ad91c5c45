#include "embeddings/distance/distance_factors.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "embeddings/distance/sampled_factors.h"
#include "embeddings/vectors/matrix_io.h"
#include "embeddings/vectors/simd.h"
#include "kgwalk/distances.h"
#include "kgwalk/error.h"
#include "runtime/config.h"
#include "runtime/parallel.h"
#include "runtime/random.h"
#include "runtime/stopwatch.h"

namespace kgwalk::embeddings {
namespace {

constexpr std::size_t kBlock = 512;           // rows a block: one pass of the bit-parallel search
constexpr std::size_t kSearched = 64;         // rows of a sample that are searched for at once
constexpr std::int64_t kMostWhole = 100'000;  // entities of which all distances are factorized by default
constexpr std::int64_t kErrorRows = 64;

// Longest distance, share of absent pairs and |D|_F^2 from the histogram. Returns the latter.
double describe(const std::vector<std::uint64_t>& histogram, DistanceFactorsReport& report) {
  for (int d = 0; d < graph::kUnreachable; ++d)
    if (histogram[static_cast<std::size_t>(d)] > 0) report.longest = d;
  report.absent = report.longest + 1;
  double squares = 0;
  for (int d = 0; d < graph::kUnreachable; ++d)
    squares += static_cast<double>(histogram[static_cast<std::size_t>(d)]) * d * d;
  const auto absent = static_cast<double>(histogram[graph::kUnreachable]);
  const auto n = static_cast<double>(report.vertices);
  report.absent_share = absent / std::max(1.0, n * (n - 1));
  return squares + absent * report.absent * report.absent;
}

double product(const LowRankFactors& f, graph::EntityId v, graph::EntityId a) {
  const float* left = f.left.row(v);
  const float* right = f.right.row(a);
  simd::F16 sum{};
  for (int j = 0; j < f.left.stride(); j += kLane) sum += simd::load(left + j) * simd::load(right + j);
  return simd::sum(sum);
}

// Order agreement and exactness on random vertices and pairs.
void sample_quality(const graph::KnowledgeGraph& graph, const DistanceFactorsConfig& config,
                    const LowRankFactors& f, DistanceFactorsReport& report) {
  Random random(config.seed, 1);
  const auto n = static_cast<std::uint64_t>(report.vertices);
  std::int64_t right = 0;
  std::int64_t exact = 0;
  for (int done = 0; done < config.sample_vertices; done += static_cast<int>(kBlock)) {
    std::vector<graph::EntityId> sources(
        std::min<std::size_t>(kBlock, static_cast<std::size_t>(config.sample_vertices - done)));
    for (auto& v : sources) v = static_cast<graph::EntityId>(random.below(n));
    const std::vector<graph::Distance> rows = graph::distance_rows(graph, sources);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const graph::Distance* row = rows.data() + i * n;
      const auto value = [&](graph::EntityId a) {
        return row[a] == graph::kUnreachable ? report.absent : row[a];
      };
      // A vertex at one distance to all others has no unequal pair: the number of draws is bounded.
      int kept = 0;
      for (int draws = 0; kept < config.sample_pairs && draws < 100 * config.sample_pairs; ++draws) {
        const auto a = static_cast<graph::EntityId>(random.below(n));
        const auto b = static_cast<graph::EntityId>(random.below(n));
        if (value(a) == value(b)) continue;
        const double near = product(f, sources[i], a);
        const double far = product(f, sources[i], b);
        right += (value(a) < value(b)) == (near < far);
        exact += std::round(near) == value(a);
        ++kept;
      }
      report.sampled_triples += kept;
    }
  }
  const double count = static_cast<double>(std::max<std::int64_t>(1, report.sampled_triples));
  report.order_agreement = static_cast<double>(right) / count;
  report.exact_share = static_cast<double>(exact) / count;
}

// All distances are streamed.
void factorize_all(const graph::KnowledgeGraph& graph, const DistanceFactorsConfig& config,
                   Reporter& reporter, const StopFlag& stop, DistanceFactors& out) {
  DistanceFactorsReport& report = out.report;
  const double norm = describe(graph::distance_histogram(graph, reporter, stop), report);
  const ByteMatrix matrix{
      report.vertices, static_cast<float>(report.absent), [&](const ByteMatrix::Visit& visit) {
        graph::for_each_distance_block(
            graph, kBlock,
            [&visit](graph::EntityId first, std::span<const graph::Distance> rows) { visit(first, rows); },
            reporter, stop);
      }};
  out.factors =
      randomized_svd(matrix, {config.rank, config.oversampling, config.power_iterations, config.seed});
  double kept = 0;
  for (const double s : out.factors.singular) kept += s * s;
  const double lost = std::max(0.0, norm - kept);
  report.relative_error = norm > 0 ? std::sqrt(lost / norm) : 0;
  report.rmse = std::sqrt(lost) / static_cast<double>(std::max<std::int64_t>(1, report.vertices));
}

// `count` distinct entities with an edge.
std::vector<graph::EntityId> drawn(const graph::KnowledgeGraph& graph, std::int64_t count, Random& random) {
  std::vector<graph::EntityId> ids(graph.num_connected());
  std::iota(ids.begin(), ids.end(), graph::EntityId{0});
  random.shuffle(std::span(ids));
  ids.resize(static_cast<std::size_t>(count));
  return ids;
}

// Distances of some entities to all, a part at a time, so that it can be shown and stopped.
std::vector<graph::Distance> rows_of(const graph::KnowledgeGraph& graph,
                                     std::span<const graph::EntityId> sources, Reporter& reporter,
                                     const StopFlag& stop) {
  const std::size_t n = graph.num_connected();
  std::vector<graph::Distance> rows(sources.size() * n);
  const auto progress = reporter.start("distances", static_cast<std::int64_t>(sources.size()), "sources");
  for (std::size_t from = 0; from < sources.size(); from += kSearched) {
    if (stop.requested()) throw Stopped("the factorization of distances was stopped; start it again");
    const std::size_t count = std::min(kSearched, sources.size() - from);
    graph::distance_rows_into(graph, sources.subspan(from, count),
                              std::span(rows).subspan(from * n, count * n));
    progress->add(static_cast<std::int64_t>(count));
  }
  return rows;
}

std::vector<std::uint64_t> histogram_of(std::span<const graph::Distance> rows) {
  std::vector<std::uint64_t> counts(std::size_t{graph::kUnreachable} + 1, 0);
  for (const graph::Distance d : rows) ++counts[d];
  return counts;
}

// Errors on rows that were not factorized.
void sample_error(std::span<const graph::EntityId> sources, std::span<const graph::Distance> rows,
                  const LowRankFactors& f, DistanceFactorsReport& report) {
  const auto n = static_cast<std::size_t>(report.vertices);
  std::vector<double> lost(sources.size()), norm(sources.size());
  parallel_for(static_cast<std::int64_t>(sources.size()), 1, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      for (graph::EntityId v = 0; v < n; ++v) {
        const graph::Distance d = rows[i * n + v];
        const double value = d == graph::kUnreachable ? report.absent : d;
        lost[i] += std::pow(value - product(f, sources[i], v), 2);
        norm[i] += value * value;
      }
  });
  const double all_lost = std::accumulate(lost.begin(), lost.end(), 0.0);
  report.relative_error = std::sqrt(all_lost / std::max(1.0, std::accumulate(norm.begin(), norm.end(), 0.0)));
  report.rmse = std::sqrt(all_lost / static_cast<double>(std::max<std::size_t>(1, rows.size())));
}

void factorize_some(const graph::KnowledgeGraph& graph, const DistanceFactorsConfig& config,
                    Reporter& reporter, const StopFlag& stop, DistanceFactors& out) {
  DistanceFactorsReport& report = out.report;
  Random random(config.seed, 2);
  const std::int64_t apart = std::min(kErrorRows, report.vertices - report.rows);
  const std::vector<graph::EntityId> all = drawn(graph, report.rows + apart, random);
  const auto sources = std::span(all).first(static_cast<std::size_t>(report.rows)),
             others = std::span(all).last(static_cast<std::size_t>(apart));
  {
    const std::vector<graph::Distance> rows = rows_of(graph, sources, reporter, stop);
    std::vector<std::uint64_t> histogram = histogram_of(rows);
    (void)describe(histogram, report);
    report.absent_share =
        static_cast<double>(histogram[graph::kUnreachable]) / static_cast<double>(rows.size());
    out.factors = factors_of_rows(sources, rows, report.vertices, static_cast<float>(report.absent),
                                  {config.rank, config.oversampling, 0, config.seed});
  }
  sample_error(others, rows_of(graph, others, reporter, stop), out.factors, report);
}

}  // namespace

std::int64_t DistanceFactorsConfig::rows_of(std::int64_t entities) const {
  if (rows >= 0) return rows < entities ? rows : 0;
  return entities > kMostWhole ? std::max<std::int64_t>(1024, 16 * std::int64_t{rank}) : 0;
}

DistanceFactors factorize_distances(const graph::KnowledgeGraph& graph, const DistanceFactorsConfig& config,
                                    Reporter& reporter, const StopFlag& stop) {
  validate(config);
  const Stopwatch watch;
  DistanceFactors out;
  DistanceFactorsReport& report = out.report;
  report.vertices = graph.num_connected();
  report.rows = config.rows_of(report.vertices);
  if (report.rows > 0)
    factorize_some(graph, config, reporter, stop, out);
  else
    factorize_all(graph, config, reporter, stop, out);
  sample_quality(graph, config, out.factors, report);
  report.seconds = watch.seconds();
  report.cpu_seconds = watch.processor_seconds();
  return out;
}

DistanceFactorsReport factorize_distances(graph::Store& store, const DistanceFactorsConfig& config,
                                          Reporter& reporter, const StopFlag& stop) {
  const graph::KnowledgeGraph graph = store.load_graph();
  const DistanceFactors made = factorize_distances(graph, config, reporter, stop);
  const Json meta = {{"kind", "distance_factors"},
                     {"graph_checksum", graph.checksum()},
                     {"config", to_json_of(config)},
                     {"report", made.report.to_json()}};
  const std::string prefix = "distance/" + std::to_string(config.rank) + "/";
  store.put_table(prefix + "left", dense(made.factors.left), config.rank, meta);
  store.put_table(prefix + "right", dense(made.factors.right), config.rank, meta);
  return made.report;
}

Json DistanceFactorsReport::to_json() const {
  return {{"vertices", vertices},
          {"rows", rows},
          {"longest", longest},
          {"absent", absent},
          {"absent_share", absent_share},
          {"relative_error", relative_error},
          {"rmse", rmse},
          {"exact_share", exact_share},
          {"order_agreement", order_agreement},
          {"sampled_triples", sampled_triples},
          {"seconds", seconds},
          {"cpu_seconds", cpu_seconds}};
}

}  // namespace kgwalk::embeddings
