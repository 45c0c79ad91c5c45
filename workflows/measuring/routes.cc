// evaluate_routes(): walks between the ends of real dialogues, beside what people did.
#include <fmt/format.h>

#include <optional>
#include <sstream>

#include "graph/hubs.h"
#include "kgwalk/evaluation.h"
#include "rl/training/measure.h"
#include "rl/training/run.h"
#include "runtime/files.h"
#include "workflows/measuring/evaluated.h"
#include "workflows/measuring/ways.h"
#include "workflows/shard_report.h"

namespace kgwalk {
namespace {

// Recalls are told above those of natural shortest paths.
std::optional<std::size_t> baseline_of(const std::vector<rl::RouteRow>& rows) {
  const std::string name = choice_name(rl::SearchWay::kNaturalShortest);
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows[i].name == name) return i;
  return std::nullopt;
}

Report told_of(const EvaluateRoutesOptions& options, const graph::KnowledgeGraph& graph,
               const rl::RoutesResult& found) {
  const graph::Hubs hubs(graph);
  const auto baseline = baseline_of(found.rows);
  const bool natural = !options.stage1.empty();
  const std::size_t dialogues = found.rows.front().each.size();
  Report report;
  report.text =
      fmt::format(
          "{} dialogues of split {} with at least {} paths, 95 % intervals over dialogues; left out: {} "
          "shorter ones, {} that end where they began, {} whose ends nothing joins\n",
          dialogues, options.split, rl::kLeastTurns, found.too_short, found.led_back, found.unreachable) +
      rl::hubs_text(graph, hubs) + rl::routes_table(found.rows, baseline, natural);
  report.json = {{"split", options.split},
                 {"dialogues", dialogues},
                 {"too_short", found.too_short},
                 {"led_back", found.led_back},
                 {"unreachable", found.unreachable},
                 {"seed", options.seed},
                 {"stage1", options.stage1.string()},
                 {"hubs", rl::hubs_json(graph, hubs)},
                 {"rows", rl::routes_json(found.rows, baseline, natural)}};
  return report;
}

}  // namespace

Report evaluate_routes(const EvaluateRoutesOptions& options, Reporter& reporter, const StopFlag& stop) {
  const MeasuredModel of = resolved(options.of, reporter, stop);
  NamedWays ways(of.runs, options.settings);
  std::optional<walker::WalkerRun> stage1;
  if (!options.stage1.empty()) stage1 = rl::open_walker_run(options.stage1);
  const graph::Store store = graph::Store::open(ways.database(of.database), graph::Store::Mode::kReadOnly);
  rl::RoutesOptions routes;
  for (std::size_t i = 0; i < ways.size(); ++i) routes.ways.push_back(ways.way(i));
  routes.names = of.runs;
  if (stage1) routes.stage1 = &*stage1;
  routes.text = of.text;
  routes.split = options.split;
  routes.seed = options.seed;
  std::ostringstream walked;
  if (!options.walks.empty()) routes.walks = &walked;
  ShardedWork work(options.shards);
  routes.work = &work;
  const rl::RoutesResult found = rl::measure_routes(store, routes, reporter, stop);
  if (Report shard; told_as_shard(work, shard)) return shard;
  if (!options.walks.empty()) write_file_atomically(options.walks, walked.str());
  Report report = told_of(options, store.load_graph(), found);
  for (std::size_t i = 0; i < ways.size(); ++i)
    if (ways.run(i) != nullptr && of.packed.empty())
      ways.run(i)->folder.write_result("routes " + options.split, report.json["rows"].at(i + 1));
  return report;
}

}  // namespace kgwalk
