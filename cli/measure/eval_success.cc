// kgwalk eval success: how often walks reach a goal, and how natural they are; of one run or of several
// beside one another.
#include "cli/frame/shard_options.h"
#include "cli/measure/evaluated.h"
#include "cli/measure/measurements.h"

namespace kgwalk::cli {
namespace {

void add_success_options(CLI::App& app, EvaluateSuccessOptions& evaluate) {
  app.add_option("--distances", evaluate.distances, "distances of start and goal")
      ->delimiter(',')
      ->check(CLI::Range(1, 254))
      ->capture_default_str();
  app.add_option("--episodes", evaluate.episodes, "walks a distance")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--goals", evaluate.goals, "split of the goals")
      ->check(CLI::IsMember({"train", "dev", "test"}))
      ->capture_default_str();
  app.add_option("--extra", evaluate.extra, "hops that a walk may take beyond twice the distance")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  app.add_option("--ask", evaluate.ask,
                 "share of the turns in which the user asks a direct question, which is "
                 "answered before the "
                 "walk goes on")
      ->check(CLI::Range(0.0, 0.9))
      ->capture_default_str();
  app.add_option("--stage1", evaluate.stage1, "walker whose log-probabilities are reported");
  app.add_option("--simulator", evaluate.simulator,
                 "run of the user simulator; without it the user says nothing");
  app.add_option("--walks", evaluate.walks, "file for all walks, a line of json each")->check(output_file());
  app.add_option("--plot", evaluate.plot,
                 "with --stage1: SVG file of success over naturalness, a point for each --run")
      ->check(output_file());
}

void run_success(EvaluateSuccessOptions options, const Common& common) {
  if (!options.plot.empty() && options.stage1.empty())
    throw CLI::ValidationError("--plot needs --stage1: without it nothing says how natural a walk is");
  need_model(options.of);
  options.seed = common.seed;
  options.settings = common.settings();
  options.shards = shards_of(options.shards, common);
  common.tell(evaluate_success(options, *common.reporter, *common.stop));
}

Verb add_eval_success(CLI::App& app, Common& common) {
  auto command = std::make_shared<EvaluateSuccessOptions>();
  add_measured(app, command->of,
               "run folder of 'kgwalk train' or 'kgwalk rl', a table each; 'shortest', "
               "'natural-shortest', 'natural-search' and 'prior' are searches");
  add_success_options(app, *command);
  add_shards(app, command->shards);
  return [command, &common] { run_success(*command, common); };
}

const MeasurementRegistration kEvalSuccess({"success",
                                            "how often walks reach a goal, and how natural they are",
                                            "--run runs/guide --stage1 runs/stage2", add_eval_success, 3});

}  // namespace
}  // namespace kgwalk::cli
