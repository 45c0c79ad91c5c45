// compute_distances(): the histogram of distances, counted or sampled, the index for single pairs, the
// low-rank factors.
#include <fmt/format.h>

#include <cmath>

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

constexpr std::uint32_t kMostCounted = 100'000;  // entities of which all pairs are counted by default
constexpr int kUsualSample = 1000;

std::string hops_named(std::size_t d) { return d == graph::kUnreachable ? "none" : std::to_string(d); }

double all_pairs(const graph::KnowledgeGraph& graph) {
  return static_cast<double>(graph.num_connected()) * (static_cast<double>(graph.num_connected()) - 1);
}

void add_histogram(Report& report, const graph::KnowledgeGraph& graph, ShardedWork& work, Reporter& reporter,
                   const StopFlag& stop) {
  work.rests_on("graph", graph.checksum());
  const std::vector<std::uint64_t> counts = graph::distance_histogram(graph, work, reporter, stop);
  if (told_as_shard(work, report)) return;
  report.text += "hops  ordered pairs\n";
  Json json = Json::object();
  for (std::size_t d = 1; d < counts.size(); ++d) {
    if (counts[d] == 0) continue;
    report.text += fmt::format("{:>4}  {:>15}  {:8.4f} %\n", hops_named(d),
                               with_commas(static_cast<long long>(counts[d])),
                               100 * static_cast<double>(counts[d]) / all_pairs(graph));
    json[hops_named(d)] = counts[d];
  }
  report.json["histogram"] = json;
}

void add_sample(Report& report, const graph::KnowledgeGraph& graph, std::size_t sources, std::uint64_t seed,
                Reporter& reporter, const StopFlag& stop) {
  const graph::SampledHistogram found = graph::sample_distances(graph, sources, seed, reporter, stop);
  report.text += fmt::format("hops  share of ordered pairs, with its 95 % interval, from {} of {} sources\n",
                             with_commas(static_cast<long long>(found.sources)),
                             with_commas(static_cast<long long>(graph.num_connected())));
  Json pairs = Json::object(), margin = Json::object();
  for (std::size_t d = 1; d < found.pairs.size(); ++d) {
    if (found.pairs[d] == 0) continue;
    report.text +=
        fmt::format("{:>4}  {:8.4f} % +- {:.4f}\n", hops_named(d), 100 * found.pairs[d] / all_pairs(graph),
                    100 * found.margin[d] / all_pairs(graph));
    pairs[hops_named(d)] = std::llround(found.pairs[d]);
    margin[hops_named(d)] = std::llround(found.margin[d]);
  }
  report.json["histogram"] = pairs;
  report.json["sample"] = {{"sources", found.sources}, {"margin", margin}};
}

// All pairs, or what a sample tells of them.
void add_distances(Report& report, const ComputeDistancesOptions& options, const graph::KnowledgeGraph& graph,
                   ShardedWork& work, Reporter& reporter, const StopFlag& stop) {
  const bool large = graph.num_connected() > kMostCounted && !is_sharded(options.shards);
  const int sources = options.sample.value_or(large ? kUsualSample : 0);
  if (sources < 0 || sources == 1) throw ConfigError("sample: give two sources or more, or 0 for all");
  if (sources == 0) return add_histogram(report, graph, work, reporter, stop);
  if (is_sharded(options.shards))
    throw ConfigError("shards count all pairs; a sample is taken by one process");
  add_sample(report, graph, static_cast<std::size_t>(sources), options.seed.value_or(1), reporter, stop);
}

// Where the index does not fit, whoever asks for distances searches for them (kgwalk/distances.h).
void add_index(Report& report, const graph::KnowledgeGraph& graph, graph::Store& store, Reporter& reporter,
               const StopFlag& stop) {
  graph::IndexLimits limits;
  limits.kept = store.path() / "distance_index.part";
  graph::IndexEstimate estimate;
  const auto index = graph::DistanceIndex::build_within(graph, limits, estimate, reporter, stop);
  if (!index) {
    report.text += fmt::format(
        "no index: this graph's would take about {} and {:.1f} GB, and {} and {:.1f} GB are the most; "
        "distances to "
        "a goal are searched for when it is new\n",
        format_duration(estimate.seconds), estimate.bytes / 1e9, format_duration(limits.seconds),
        static_cast<double>(limits.bytes) / 1e9);
    report.json["index"] = {{"expected_seconds", estimate.seconds}, {"expected_bytes", estimate.bytes}};
    return;
  }
  index->save(store);
  report.text += fmt::format("index stored, {:.1f} MB\n", static_cast<double>(index->size_bytes()) / 1e6);
  report.json["index"] = {{"bytes", index->size_bytes()}};
}

void add_factors(Report& report, const ComputeDistancesOptions& options, graph::Store& store,
                 Reporter& reporter, const StopFlag& stop) {
  auto config = with_values(options.settings, embeddings::DistanceFactorsConfig{});
  // A graph of few entities has no more.
  config.rank = std::min(options.rank, static_cast<int>(store.load_graph().num_connected()));
  if (options.seed) config.seed = *options.seed;
  const embeddings::DistanceFactorsReport found =
      embeddings::factorize_distances(store, config, reporter, stop);
  report.text += fmt::format(
      "factors      rank {}, relative error {:.4f}, root mean square error {:.3f} hops, {:.1f} s (processor "
      "{:.1f} s)\n             {:.1f} % of distances exact after rounding; the nearer of two vertices told "
      "right in {:.2f} %\n",
      config.rank, found.relative_error, found.rmse, found.seconds, found.cpu_seconds,
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
  if (options.histogram) add_distances(report, options, graph, work, reporter, stop);
  if (options.index) add_index(report, graph, store, reporter, stop);
  if (options.rank > 0) add_factors(report, options, store, reporter, stop);
  return report;
}

}  // namespace kgwalk
