// evaluate_success(): how often walks reach a goal, and how natural they are; of one run or of several beside
// one another.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "kgwalk/error.h"
#include "kgwalk/evaluation.h"
#include "rl/training/measure.h"
#include "rl/training/run.h"
#include "runtime/files.h"
#include "runtime/plot.h"
#include "workflows/measuring/evaluated.h"
#include "workflows/measuring/ways.h"
#include "workflows/shard_report.h"

namespace kgwalk {
namespace {

using Rows = std::vector<rl::SuccessRow>;

Json json_of_run(const EvaluateSuccessOptions& options, const std::string& run, const Json& hubs,
                 const Rows& rows) {
  Json json = {{"run", run},
               {"goals", options.goals},
               {"episodes", options.episodes},
               {"extra", options.extra},
               {"hubs", hubs},
               {"seed", options.seed},
               {"stage1", options.stage1.string()},
               {"simulator", options.simulator.string()},
               {"ask", options.ask},
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

rl::SuccessOptions walks_of(const EvaluateSuccessOptions& options, const MeasuredModel& of) {
  rl::SuccessOptions walks;
  walks.simulator = options.simulator;
  walks.text = of.text;
  walks.distances = options.distances;
  walks.episodes = options.episodes;
  walks.extra = options.extra;
  walks.goals = options.goals;
  walks.ask = options.ask;
  walks.seed = options.seed;
  return walks;
}

SuccessEvaluated::OfRun public_rows(const std::string& run, const Rows& rows) {
  SuccessEvaluated::OfRun told{run, {}};
  for (const rl::SuccessRow& row : rows)
    told.rows.push_back({.distance = row.distance,
                         .pairs = row.pairs,
                         .within_d = row.within[0],
                         .within_d_plus_2 = row.within[1],
                         .within_2d = row.within[2],
                         .log_prob = row.log_prob});
  return told;
}

}  // namespace

SuccessEvaluated evaluate_success(const EvaluateSuccessOptions& options, Reporter& reporter,
                                  const StopFlag& stop) {
  if (!options.plot.empty() && options.stage1.empty())
    throw ConfigError("a plot needs stage 1: without it nothing says how natural a walk is");
  const MeasuredModel of = resolved(options.of, reporter, stop);
  NamedWays ways(of.runs, options.settings);
  std::optional<walker::WalkerRun> stage1;
  if (!options.stage1.empty()) stage1 = rl::open_walker_run(options.stage1);
  const graph::Store store = graph::Store::open(ways.database(of.database), graph::Store::Mode::kReadOnly);
  const graph::KnowledgeGraph graph = store.load_graph();
  const graph::Hubs hubs(graph);
  SuccessEvaluated result;
  result.text = fmt::format("success rates in percent with 95 % intervals, goals of split {}\n{}",
                            options.goals, rl::hubs_text(graph, hubs));
  Json all = Json::array();
  std::vector<Rows> measured;
  std::ostringstream walked;
  ShardedWork work(options.shards);
  for (std::size_t i = 0; i < ways.size(); ++i) {
    rl::SuccessOptions walks = walks_of(options, of);
    walks.work = &work;
    walks.way = ways.way(i);
    if (stage1) walks.stage1 = &*stage1;
    if (!options.walks.empty()) walks.walks = &walked;
    measured.push_back(rl::measure_success(store, walks, reporter, stop));
    if (work.is_part()) continue;
    if (ways.size() > 1) result.text += "--run " + ways.name(i) + "\n";
    result.text += rl::success_table(measured.back());
    result.runs.push_back(public_rows(ways.name(i), measured.back()));
    all.push_back(json_of_run(options, ways.name(i), rl::hubs_json(graph, hubs), measured.back()));
    if (ways.run(i) != nullptr && of.packed.empty())
      ways.run(i)->folder.write_result(
          "success " + options.goals + (options.ask > 0 ? " with questions" : ""), all.back());
  }
  if (told_as_shard(work, result)) return result;
  if (!options.walks.empty()) write_file_atomically(options.walks, walked.str());
  if (!options.plot.empty()) write_file_atomically(options.plot, trade_off_svg(measured));
  result.json = of.runs.size() == 1 ? all.front() : Json{{"runs", all}};
  return result;
}

}  // namespace kgwalk
