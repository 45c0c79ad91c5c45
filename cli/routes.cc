#include "cli/routes.h"

#include <algorithm>
#include <sstream>

#include "cli/print.h"
#include "cli/ways.h"
#include "rl/training/run.h"
#include "runtime/files.h"

namespace kgwalk::cli {
namespace {

// Recalls are told above those of natural shortest paths.
std::optional<std::size_t> baseline_of(const std::vector<rl::RouteRow>& rows) {
  const std::string name = choice_name(rl::SearchWay::kNaturalShortest);
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows[i].name == name) return i;
  return std::nullopt;
}

}  // namespace

void run_routes(const RoutesCommand& command, const Common& common) {
  NamedWays ways(command.runs, common);
  std::optional<walker::WalkerRun> stage1;
  if (!command.stage1.empty()) stage1 = rl::open_walker_run(command.stage1);
  const graph::Store store =
      graph::Store::open(ways.database(command.database), graph::Store::Mode::kReadOnly);
  rl::RoutesOptions options;
  for (std::size_t i = 0; i < ways.size(); ++i) options.ways.push_back(ways.way(i));
  options.names = command.runs;
  if (stage1) options.stage1 = &*stage1;
  options.text = command.text;
  if (!command.split.empty()) options.split = command.split;
  options.seed = common.seed;
  std::ostringstream walked;
  if (!command.walks_file.empty()) options.walks = &walked;
  const rl::RoutesResult result = rl::measure_routes(store, options, *common.reporter, *common.stop);

  const graph::KnowledgeGraph graph = store.load_graph();
  const graph::Hubs hubs(graph);
  const auto baseline = baseline_of(result.rows);
  print(
      "{} dialogues of split {} with at least {} paths, 95 % intervals over dialogues; left out: {} shorter "
      "ones, {} that end "
      "where they began, {} whose ends nothing joins\n",
      result.rows.front().each.size(), options.split, rl::kLeastTurns, result.too_short, result.led_back,
      result.unreachable);
  print_text(rl::hubs_text(graph, hubs));
  print_text(rl::routes_table(result.rows, baseline, stage1.has_value()));
  if (!command.walks_file.empty()) write_file_atomically(command.walks_file, walked.str());
  Json json = {{"split", options.split},
               {"dialogues", result.rows.front().each.size()},
               {"too_short", result.too_short},
               {"led_back", result.led_back},
               {"unreachable", result.unreachable},
               {"seed", common.seed},
               {"stage1", command.stage1},
               {"hubs", rl::hubs_json(graph, hubs)},
               {"rows", rl::routes_json(result.rows, baseline, stage1.has_value())}};
  for (std::size_t i = 0; i < ways.size(); ++i)
    if (ways.run(i) != nullptr)
      ways.run(i)->folder.write_result("routes " + options.split, json["rows"].at(i + 1));
  common.write_json(json);
}

}  // namespace kgwalk::cli
