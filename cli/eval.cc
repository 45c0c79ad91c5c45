// kgwalk eval: path and target recalls of a trained walker, or of an ensemble of several.
#include <optional>

#include "cli/commands.h"
#include "cli/print.h"
#include "cli/success.h"
#include "dialogue/turn_example.h"
#include "kgwalk/error.h"
#include "rl/training/run.h"
#include "walker/data/dataset.h"
#include "walker/evaluation/evaluation.h"
#include "walker/training/run.h"

namespace kgwalk::cli {
namespace {

struct EvalOptions {
  std::string database, split, dialogs, text, start = "gold";
  std::vector<std::string> runs;
  int beam = 0;
  double length_weight = -1;
  int resamples = 1000;
  bool success = false;
  SuccessCommand walks;
};

std::vector<walker::Example> examples(const EvalOptions& options, const graph::Store& store,
                                      const graph::KnowledgeGraph& graph, const Common& common) {
  if (!options.split.empty())
    return walker::load_examples(store, graph, std::vector<std::string>{options.split});
  const auto dialogues = dialogue::read_dialogue_csv(options.dialogs, graph, false, *common.reporter);
  return walker::examples_of(dialogues, graph, options.dialogs);
}

void run_eval(const EvalOptions& options, const Common& common) {
  if (options.success) {
    SuccessCommand command = options.walks;
    command.runs = options.runs;
    command.database = options.database;
    command.text = options.text;
    return run_success(command, common);
  }
  if (options.split.empty() == options.dialogs.empty())
    throw CLI::ValidationError("give either --split NAME or --dialogs FILE");
  std::vector<walker::WalkerRun> runs;
  for (const std::string& run : options.runs) runs.push_back(rl::open_walker_run(run));
  const graph::Store store =
      graph::Store::open(options.database.empty() ? runs.front().folder.manifest().database
                                                  : std::filesystem::path(options.database),
                         graph::Store::Mode::kReadOnly);
  const auto model = walker::open_walkers(store, runs, {.text = options.text});
  const std::vector<walker::Example> found = examples(options, store, model->graph(), common);
  if (found.empty()) throw Error("there is no annotated path to evaluate on");

  walker::EvaluationConfig config;
  config.search = runs.front().config.search;
  if (options.beam > 0) config.search.beam = options.beam;
  if (options.length_weight >= 0) config.search.length_weight = options.length_weight;
  config.resamples = options.resamples;
  config.seed = common.seed;
  std::optional<dialogue::EntityLinker> linker;
  if (options.start == "candidates")
    config.linker = &linker.emplace(dialogue::EntityLinker::open(store, model->graph()));
  const walker::Evaluation result =
      walker::evaluate_paths(*model, found, config, *common.reporter, *common.stop);

  const std::string name = options.split.empty() ? options.dialogs : options.split;
  Json json = result.to_json(name);
  json["model"] = model->describe();
  json["runs"] = options.runs;
  print("{}\n{}", model->describe(), result.to_text(name));
  const std::string key = "eval " + name + (options.start == "candidates" ? " (candidate starts)" : "");
  if (runs.size() == 1) runs.front().folder.write_result(key, json);
  common.write_json(json);
}

}  // namespace

Verb add_eval(CLI::App& app, Common& common) {
  auto options = std::make_shared<EvalOptions>();
  app.add_option("--run", options->runs,
                 "run folder of 'kgwalk train'; several make an ensemble, or with --success a table each")
      ->required();
  app.add_option("--db", options->database, "database (the one trained with unless given)");
  app.add_option("--split", options->split, "split of the database to evaluate on");
  app.add_option("--dialogs", options->dialogs, "dialogue csv file to evaluate on");
  app.add_option("--text", options->text, "text encoder (the one trained with unless given)");
  app.add_option("--start", options->start, "gold start, or all candidate starts")
      ->check(CLI::IsMember({"gold", "candidates"}))
      ->capture_default_str();
  app.add_option("--beam", options->beam, "beam width (the run's unless given)")
      ->check(CLI::Range(1, 100000));
  app.add_option("--length-weight", options->length_weight,
                 "weight of the length head (the run's unless given)")
      ->check(CLI::Range(0.0, 10.0));
  app.add_option("--resamples", options->resamples, "bootstrap resamples")->capture_default_str();
  app.add_flag("--success", options->success,
               "how often greedy walks reach a goal, in place of recalls ('--run shortest' and"
               " '--run natural-shortest': along shortest paths)");
  add_success_options(app, options->walks);
  return [options, &common] { run_eval(*options, common); };
}

}  // namespace kgwalk::cli
