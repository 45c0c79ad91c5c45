// kgwalk eval paths: path and target recalls of a trained walker, or of an ensemble of several.
#include "cli/frame/shard_options.h"
#include "cli/measure/evaluated.h"
#include "cli/measure/measurements.h"

namespace kgwalk::cli {
namespace {

struct PathsVerb {
  EvaluatePathsOptions evaluate;
  std::string start = "gold";
  double length_weight = -1;
};

void run_eval_paths(const PathsVerb& verb, const Common& common) {
  EvaluatePathsOptions options = verb.evaluate;
  if (options.split.empty() == options.dialogs.empty())
    throw CLI::ValidationError("give --split NAME or --dialogs FILE");
  need_model(options.of);
  options.candidate_starts = verb.start == "candidates";
  if (verb.length_weight >= 0) options.length_weight = verb.length_weight;
  options.seed = common.seed;
  options.shards = shards_of(options.shards, common);
  common.tell(evaluate_paths(options, *common.reporter, *common.stop));
}

Verb add_eval_paths(CLI::App& app, Common& common) {
  auto options = std::make_shared<PathsVerb>();
  EvaluatePathsOptions& evaluate = options->evaluate;
  add_measured(app, evaluate.of, "run folder of 'kgwalk train'; several make an ensemble");
  add_other_graph(app, evaluate.of);
  app.add_option("--split", evaluate.split, "split of the database to evaluate on");
  app.add_option("--dialogs", evaluate.dialogs, "dialogue csv file to evaluate on");
  app.add_option("--start", options->start, "gold start, or all candidate starts")
      ->check(CLI::IsMember({"gold", "candidates"}))
      ->capture_default_str();
  app.add_option("--beam", evaluate.beam, "beam width (the run's unless given)")
      ->check(CLI::Range(1, 100000));
  app.add_option("--length-weight", options->length_weight,
                 "weight of the length head (the run's unless given)")
      ->check(CLI::Range(0.0, 10.0));
  app.add_option("--resamples", evaluate.resamples, "bootstrap resamples")->capture_default_str();
  app.add_flag("--readings", evaluate.readings,
               "path@k and tgt@k as others may have meant them, beside ours");
  add_ranks(app, evaluate.ranks);
  add_shards(app, evaluate.shards);
  return [options, &common] { run_eval_paths(*options, common); };
}

const MeasurementRegistration kEvalPaths({"paths", "recall of the paths that people walked",
                                          "--run runs/best --split test", add_eval_paths, 1});

}  // namespace
}  // namespace kgwalk::cli
