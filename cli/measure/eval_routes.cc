// kgwalk eval routes: walks between the ends of real dialogues, beside what people did.

#include <algorithm>
#include <sstream>

#include "cli/frame/print.h"
#include "cli/measure/evaluated.h"
#include "cli/measure/measurements.h"
#include "cli/measure/ways.h"
#include "rl/training/run.h"
#include "runtime/files.h"

namespace kgwalk::cli {
namespace {

struct RoutesCommand {
  Evaluated of;  // runs of either stage, or searches
  std::string stage1, split, walks_file;
};

// Recalls are told above those of natural shortest paths.
std::optional<std::size_t> baseline_of(const std::vector<rl::RouteRow>& rows) {
  const std::string name = choice_name(rl::SearchWay::kNaturalShortest);
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows[i].name == name) return i;
  return std::nullopt;
}

void run_routes(RoutesCommand command, const Common& common) {
  command.of.resolve(common);
  NamedWays ways(command.of.runs, common);
  std::optional<walker::WalkerRun> stage1;
  if (!command.stage1.empty()) stage1 = rl::open_walker_run(command.stage1);
  const graph::Store store =
      graph::Store::open(ways.database(command.of.database), graph::Store::Mode::kReadOnly);
  rl::RoutesOptions options;
  for (std::size_t i = 0; i < ways.size(); ++i) options.ways.push_back(ways.way(i));
  options.names = command.of.runs;
  if (stage1) options.stage1 = &*stage1;
  options.text = command.of.text;
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
    if (ways.run(i) != nullptr && command.of.packed.empty())
      ways.run(i)->folder.write_result("routes " + options.split, json["rows"].at(i + 1));
  common.write_json(json);
}

Verb add_eval_routes(CLI::App& app, Common& common) {
  auto command = std::make_shared<RoutesCommand>();
  command->of.add_options(app,
                          "run folder of 'kgwalk train' or 'kgwalk rl', or a search; several side by side");
  app.add_option("--split", command->split, "split of the dialogues (dev unless given)");
  app.add_option("--stage1", command->stage1, "walker whose log-probabilities are reported");
  app.add_option("--walks", command->walks_file, "file for all walks, a line of json each")
      ->check(output_file());
  return [command, &common] { run_routes(*command, common); };
}

const MeasurementRegistration kEvalRoutes({"routes", "walks between the ends of real dialogues",
                                           "--run runs/guide --split dev", add_eval_routes, 4});

}  // namespace
}  // namespace kgwalk::cli
