#include "embeddings/distance/distance_factors.h"

#include <algorithm>
#include <cmath>

#include "embeddings/vectors/matrix_io.h"
#include "embeddings/vectors/simd.h"
#include "kgwalk/distances.h"
#include "kgwalk/error.h"
#include "runtime/config.h"
#include "runtime/random.h"
#include "runtime/stopwatch.h"

namespace kgwalk::embeddings {
namespace {

constexpr std::size_t kBlock = 512;  // rows a block: one pass of the bit-parallel search

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

}  // namespace

DistanceFactors factorize_distances(const graph::KnowledgeGraph& graph, const DistanceFactorsConfig& config,
                                    Reporter& reporter, const StopFlag& stop) {
  validate(config);
  const Stopwatch watch;
  DistanceFactors out;
  DistanceFactorsReport& report = out.report;
  report.vertices = graph.num_connected();
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
