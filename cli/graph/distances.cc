// kgwalk distances: the histogram of all exact distances, the index for single pairs, and
// the low-rank factors.
#include <optional>

#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "kgwalk/distance_factors.h"
#include "kgwalk/distances.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/store.h"
#include "runtime/text.h"

namespace kgwalk::cli {
namespace {

struct DistancesOptions {
  std::string database;
  int rank = 0;
  bool index = false;
  bool no_histogram = false;
};

Json histogram(const graph::KnowledgeGraph& graph, Common& common) {
  const std::vector<std::uint64_t> counts = graph::distance_histogram(graph, *common.reporter, *common.stop);
  const double all =
      static_cast<double>(graph.num_connected()) * (static_cast<double>(graph.num_connected()) - 1);
  print_text("hops  ordered pairs\n");
  Json json = Json::object();
  for (std::size_t d = 1; d < counts.size(); ++d) {
    if (counts[d] == 0) continue;
    const bool none = d == graph::kUnreachable;
    const std::string name = none ? "none" : std::to_string(d);
    print("{:>4}  {:>15}  {:8.4f} %\n", name, with_commas(static_cast<long long>(counts[d])),
          100 * static_cast<double>(counts[d]) / all);
    json[name] = counts[d];
  }
  return json;
}

Json make_index(const graph::KnowledgeGraph& graph, graph::Store& store, Common& common) {
  const graph::DistanceIndex index = graph::DistanceIndex::build(graph, *common.reporter, *common.stop);
  index.save(store);
  print("index stored, {:.1f} MB\n", static_cast<double>(index.size_bytes()) / 1e6);
  return {{"bytes", index.size_bytes()}};
}

Json factorize(graph::Store& store, int rank, Common& common) {
  auto config = load_config<embeddings::DistanceFactorsConfig>(common.config_files, common.assignments);
  config.rank = rank;
  if (common.seed_given) config.seed = common.seed;
  const embeddings::DistanceFactorsReport report =
      embeddings::factorize_distances(store, config, *common.reporter, *common.stop);
  print(
      "factors      rank {}, relative error {:.4f}, root mean square error {:.3f} hops, {:.1f} s (processor "
      "{:.1f} s)\n",
      rank, report.relative_error, report.rmse, report.seconds, report.cpu_seconds);
  print(
      "             {:.1f} % of distances exact after rounding; the nearer of two vertices told right in "
      "{:.2f} "
      "%\n",
      100 * report.exact_share, 100 * report.order_agreement);
  return report.to_json();
}

void run(const DistancesOptions& options, Common& common) {
  const bool writes = options.index || options.rank > 0;
  graph::Store store = graph::Store::open(
      options.database, writes ? graph::Store::Mode::kReadWrite : graph::Store::Mode::kReadOnly);
  const graph::KnowledgeGraph graph = store.load_graph();
  Json result = Json::object();
  if (!options.no_histogram) result["histogram"] = histogram(graph, common);
  if (options.index) result["index"] = make_index(graph, store, common);
  if (options.rank > 0) result["factors"] = factorize(store, options.rank, common);
  common.write_json(result);
}

Verb add_distances(CLI::App& app, Common& common) {
  auto options = std::make_shared<DistancesOptions>();
  app.add_option("--db", options->database, "database made by kgwalk ingest")->required();
  app.add_option("--rank", options->rank, "store low-rank factors of this rank; 0 = none")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  app.add_flag("--index", options->index, "store the index for distances of single pairs");
  app.add_flag("--no-histogram", options->no_histogram, "do not count all pairs");
  return [options, &common] { run(*options, common); };
}

std::vector<Configurable> configures_distances() {
  return {configurable<embeddings::DistanceFactorsConfig>("distances", "low-rank factors of all distances")};
}

const Registration kDistancesCommand({.name = "distances",
                                      .help = "exact distances of all pairs, their index and their factors",
                                      .example = "--db films.db --index --rank 256",
                                      .add = add_distances,
                                      .group = Group::kGraph,
                                      .place = 5,
                                      .configures = configures_distances});

}  // namespace
}  // namespace kgwalk::cli
