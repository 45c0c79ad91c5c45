// compute_distances(): the histogram of all exact distances, the index for single pairs, the low-rank
// factors.
#include <fmt/format.h>

#include "graph/distances/sharded_histogram.h"
#include "kgwalk/distance_factors.h"
#include "kgwalk/distances.h"
#include "kgwalk/error.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/store.h"
#include "kgwalk/training.h"
#include "runtime/text.h"
#include "workflows/configured.h"
#include "workflows/shard_report.h"

namespace kgwalk {
namespace {

void add_histogram(Report& report, const graph::KnowledgeGraph& graph, ShardedWork& work, Reporter& reporter,
                   const StopFlag& stop) {
  work.rests_on("graph", graph.checksum());
  const std::vector<std::uint64_t> counts = graph::distance_histogram(graph, work, reporter, stop);
  if (told_as_shard(work, report)) return;
  const double all =
      static_cast<double>(graph.num_connected()) * (static_cast<double>(graph.num_connected()) - 1);
  report.text += "hops  ordered pairs\n";
  Json json = Json::object();
  for (std::size_t d = 1; d < counts.size(); ++d) {
    if (counts[d] == 0) continue;
    const std::string name = d == graph::kUnreachable ? "none" : std::to_string(d);
    report.text +=
        fmt::format("{:>4}  {:>15}  {:8.4f} %\n", name, with_commas(static_cast<long long>(counts[d])),
                    100 * static_cast<double>(counts[d]) / all);
    json[name] = counts[d];
  }
  report.json["histogram"] = json;
}

void add_index(Report& report, const graph::KnowledgeGraph& graph, graph::Store& store, Reporter& reporter,
               const StopFlag& stop) {
  const graph::DistanceIndex index = graph::DistanceIndex::build(graph, reporter, stop);
  index.save(store);
  report.text += fmt::format("index stored, {:.1f} MB\n", static_cast<double>(index.size_bytes()) / 1e6);
  report.json["index"] = {{"bytes", index.size_bytes()}};
}

void add_factors(Report& report, const ComputeDistancesOptions& options, graph::Store& store,
                 Reporter& reporter, const StopFlag& stop) {
  auto config = with_values(options.settings, embeddings::DistanceFactorsConfig{});
  config.rank = options.rank;
  if (options.seed) config.seed = *options.seed;
  const embeddings::DistanceFactorsReport found =
      embeddings::factorize_distances(store, config, reporter, stop);
  report.text += fmt::format(
      "factors      rank {}, relative error {:.4f}, root mean square error {:.3f} hops, {:.1f} s (processor "
      "{:.1f} s)\n             {:.1f} % of distances exact after rounding; the nearer of two vertices told "
      "right in {:.2f} %\n",
      options.rank, found.relative_error, found.rmse, found.seconds, found.cpu_seconds,
      100 * found.exact_share, 100 * found.order_agreement);
  report.json["factors"] = found.to_json();
}

}  // namespace

Report compute_distances(const ComputeDistancesOptions& options, Reporter& reporter, const StopFlag& stop) {
  refuse_preset(options.settings, "the factorization of distances");
  const bool writes = options.index || options.rank > 0;
  if (is_sharded(options.shards) && (writes || !options.histogram))
    throw ConfigError("shards count distances; their index and their factors are made by one process");
  ShardedWork work(options.shards);
  graph::Store store = graph::Store::open(
      options.database, writes ? graph::Store::Mode::kReadWrite : graph::Store::Mode::kReadOnly);
  const graph::KnowledgeGraph graph = store.load_graph();
  Report report;
  if (options.histogram) add_histogram(report, graph, work, reporter, stop);
  if (options.index) add_index(report, graph, store, reporter, stop);
  if (options.rank > 0) add_factors(report, options, store, reporter, stop);
  return report;
}

}  // namespace kgwalk
