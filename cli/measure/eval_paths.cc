// kgwalk eval paths: path and target recalls of a trained walker, or of an ensemble of several.
#include <optional>

#include "cli/frame/print.h"
#include "cli/measure/evaluated.h"
#include "cli/measure/measurements.h"
#include "dialogue/turn_example.h"
#include "kgwalk/error.h"
#include "walker/data/dataset.h"
#include "walker/evaluation/evaluation.h"

namespace kgwalk::cli {
namespace {

struct PathsOptions {
  Evaluated of;
  std::string split, dialogs, ranks, start = "gold";
  int beam = 0, resamples = 1000;
  double length_weight = -1;
  bool readings = false;
};

std::vector<walker::Example> examples_for(const PathsOptions& options, const OpenedWalkers& opened,
                                          const Common& common) {
  const graph::KnowledgeGraph& graph = opened.model->graph();
  if (!options.split.empty())
    return walker::load_examples(opened.store, graph, std::vector<std::string>{options.split});
  const auto dialogues = dialogue::read_dialogue_csv(options.dialogs, graph, false, *common.reporter);
  return walker::examples_of(dialogues, graph, options.dialogs);
}

walker::EvaluationConfig search_of(const PathsOptions& options, const OpenedWalkers& opened,
                                   const Common& common) {
  walker::EvaluationConfig config;
  config.search = opened.runs.front().config.search;
  if (options.beam > 0) config.search.beam = options.beam;
  if (options.length_weight >= 0) config.search.length_weight = options.length_weight;
  config.resamples = options.resamples;
  config.readings = options.readings;
  config.seed = common.seed;
  return config;
}

void run_eval_paths(PathsOptions options, const Common& common) {
  if (options.split.empty() == options.dialogs.empty())
    throw CLI::ValidationError("give --split NAME or --dialogs FILE");
  OpenedWalkers opened = options.of.open(common);
  const std::vector<walker::Example> found = examples_for(options, opened, common);
  if (found.empty()) throw Error("there is no annotated path to evaluate on");
  walker::EvaluationConfig config = search_of(options, opened, common);
  std::optional<dialogue::EntityLinker> linker;
  if (options.start == "candidates")
    config.linker = &linker.emplace(dialogue::EntityLinker::open(opened.store, opened.model->graph()));
  const walker::Evaluation result =
      walker::evaluate_paths(*opened.model, found, config, *common.reporter, *common.stop);

  const std::string name = options.split.empty() ? options.dialogs : options.split;
  Json json = result.to_json(name);
  json["model"] = opened.model->describe();
  json["runs"] = options.of.runs;
  print("{}\n{}", opened.model->describe(), result.to_text(name));
  tell_ranks(options.ranks, result.link_ranks, json);
  options.of.keep_result(opened, "eval " + name + (config.linker ? " (candidate starts)" : ""), json);
  common.write_json(json);
}

Verb add_eval_paths(CLI::App& app, Common& common) {
  auto options = std::make_shared<PathsOptions>();
  options->of.add_options(app, "run folder of 'kgwalk train'; several make an ensemble");
  options->of.add_other_graph(app);
  app.add_option("--split", options->split, "split of the database to evaluate on");
  app.add_option("--dialogs", options->dialogs, "dialogue csv file to evaluate on");
  app.add_option("--start", options->start, "gold start, or all candidate starts")
      ->check(CLI::IsMember({"gold", "candidates"}))
      ->capture_default_str();
  app.add_option("--beam", options->beam, "beam width (the run's unless given)")
      ->check(CLI::Range(1, 100000));
  app.add_option("--length-weight", options->length_weight,
                 "weight of the length head (the run's unless given)")
      ->check(CLI::Range(0.0, 10.0));
  app.add_option("--resamples", options->resamples, "bootstrap resamples")->capture_default_str();
  app.add_flag("--readings", options->readings,
               "path@k and tgt@k as others may have meant them, beside ours");
  add_ranks(app, options->ranks);
  return [options, &common] { run_eval_paths(*options, common); };
}

const MeasurementRegistration kEvalPaths({"paths", "recall of the paths that people walked",
                                          "--run runs/best --split test", add_eval_paths, 1});

}  // namespace
}  // namespace kgwalk::cli
