// kgwalk eval success: how often walks reach a goal, and how natural they are; of one run or of several
// beside one another.

#include <algorithm>
#include <optional>
#include <sstream>

#include "cli/frame/print.h"
#include "cli/measure/evaluated.h"
#include "cli/measure/measurements.h"
#include "cli/measure/ways.h"
#include "rl/training/measure.h"
#include "rl/training/run.h"
#include "runtime/files.h"
#include "runtime/plot.h"

namespace kgwalk::cli {
namespace {

using Rows = std::vector<rl::SuccessRow>;

struct SuccessCommand {
  Evaluated of;  // runs of either stage, or searches (rl::SearchWay)
  std::string stage1, simulator;
  std::string plot;        // SVG file: success over naturalness, a line a distance, a point a run
  std::string walks_file;  // all walks, a line of json each
  rl::SuccessOptions walks;
};

Json json_of(const SuccessCommand& command, const std::string& run, std::uint64_t seed, const Json& hubs,
             const Rows& rows) {
  const rl::SuccessOptions& walks = command.walks;
  Json json = {{"run", run},
               {"goals", walks.goals},
               {"episodes", walks.episodes},
               {"extra", walks.extra},
               {"hubs", hubs},
               {"seed", seed},
               {"stage1", command.stage1},
               {"simulator", command.simulator},
               {"ask", walks.ask},
               {"rows", Json::array()}};
  for (const rl::SuccessRow& row : rows) json["rows"].push_back(row.to_json());
  return json;
}

// A line a distance through the runs, from the least natural to the most.
std::string trade_off_svg(const std::vector<Rows>& results) {
  std::vector<Series> series;
  for (std::size_t d = 0; d < results.front().size(); ++d) {
    std::vector<std::pair<double, double>> points;
    for (const Rows& rows : results)
      if (rows[d].pairs > 0)
        points.emplace_back(rows[d].log_prob, 100.0 * static_cast<double>(rows[d].within[1]) /
                                                  static_cast<double>(rows[d].pairs));
    std::sort(points.begin(), points.end());
    Series line{fmt::format("distance {}", results.front()[d].distance), {}, {}};
    for (const auto& [x, y] : points) {
      line.x.push_back(x);
      line.y.push_back(y);
    }
    series.push_back(std::move(line));
  }
  ChartOptions options;
  options.title = "Nearness against naturalness";
  options.x_label = "mean stage-1 log-probability of a hop";
  options.y_label = "goals reached within d + 2 hops, %";
  return line_chart_svg(options, series);
}

void add_success_options(CLI::App& app, SuccessCommand& command) {
  app.add_option("--distances", command.walks.distances, "distances of start and goal")
      ->delimiter(',')
      ->check(CLI::Range(1, 254))
      ->capture_default_str();
  app.add_option("--episodes", command.walks.episodes, "walks a distance")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--goals", command.walks.goals, "split of the goals")
      ->check(CLI::IsMember({"train", "dev", "test"}))
      ->capture_default_str();
  app.add_option("--extra", command.walks.extra, "hops that a walk may take beyond twice the distance")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  app.add_option("--ask", command.walks.ask,
                 "share of the turns in which the user asks a direct question, which is "
                 "answered before the "
                 "walk goes on")
      ->check(CLI::Range(0.0, 0.9))
      ->capture_default_str();
  app.add_option("--stage1", command.stage1, "walker whose log-probabilities are reported");
  app.add_option("--simulator", command.simulator,
                 "run of the user simulator; without it the user says nothing");
  app.add_option("--walks", command.walks_file, "file for all walks, a line of json each")
      ->check(output_file());
  app.add_option("--plot", command.plot,
                 "with --stage1: SVG file of success over naturalness, a point for each --run")
      ->check(output_file());
}

void run_success(SuccessCommand command, const Common& common) {
  if (!command.plot.empty() && command.stage1.empty())
    throw CLI::ValidationError("--plot needs --stage1: without it nothing says how natural a walk is");
  command.of.resolve(common);
  NamedWays ways(command.of.runs, common);
  std::optional<walker::WalkerRun> stage1;
  if (!command.stage1.empty()) stage1 = rl::open_walker_run(command.stage1);
  const graph::Store store =
      graph::Store::open(ways.database(command.of.database), graph::Store::Mode::kReadOnly);
  const graph::KnowledgeGraph graph = store.load_graph();
  const graph::Hubs hubs(graph);
  print("success rates in percent with 95 % intervals, goals of split {}\n{}", command.walks.goals,
        rl::hubs_text(graph, hubs));
  Json all = Json::array();
  std::vector<Rows> results;
  std::ostringstream walked;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    rl::SuccessOptions walks = command.walks;
    walks.way = ways.way(i);
    if (stage1) walks.stage1 = &*stage1;
    walks.simulator = command.simulator;
    walks.text = command.of.text;
    walks.seed = common.seed;
    if (!command.walks_file.empty()) walks.walks = &walked;
    results.push_back(rl::measure_success(store, walks, *common.reporter, *common.stop));
    if (ways.size() > 1) print("--run {}\n", ways.name(i));
    print_text(rl::success_table(results.back()));
    flush_printed();
    all.push_back(json_of(command, ways.name(i), common.seed, rl::hubs_json(graph, hubs), results.back()));
    if (ways.run(i) != nullptr && command.of.packed.empty())
      ways.run(i)->folder.write_result("success " + walks.goals + (walks.ask > 0 ? " with questions" : ""),
                                       all.back());
  }
  if (!command.walks_file.empty()) write_file_atomically(command.walks_file, walked.str());
  if (!command.plot.empty()) write_file_atomically(command.plot, trade_off_svg(results));
  common.write_json(command.of.runs.size() == 1 ? all.front() : Json{{"runs", all}});
}

Verb add_eval_success(CLI::App& app, Common& common) {
  auto command = std::make_shared<SuccessCommand>();
  command->of.add_options(app,
                          "run folder of 'kgwalk train' or 'kgwalk rl', a table each; 'shortest', "
                          "'natural-shortest', 'natural-search' and 'prior' are searches");
  add_success_options(app, *command);
  return [command, &common] { run_success(*command, common); };
}

const MeasurementRegistration kEvalSuccess({"success",
                                            "how often walks reach a goal, and how natural they are",
                                            "--run runs/guide --stage1 runs/stage2", add_eval_success, 3});

}  // namespace
}  // namespace kgwalk::cli
