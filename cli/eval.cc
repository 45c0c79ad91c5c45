// kgwalk eval: path and target recalls of a trained walker, or of an ensemble of several.
#include <optional>

#include "cli/commands.h"
#include "cli/print.h"
#include "cli/routes.h"
#include "cli/success.h"
#include "dialogue/turn_example.h"
#include "kgwalk/error.h"
#include "rl/training/run.h"
#include "runtime/files.h"
#include "walker/data/dataset.h"
#include "walker/evaluation/evaluation.h"
#include "walker/evaluation/question_eval.h"
#include "walker/training/run.h"

namespace kgwalk::cli {
namespace {

struct EvalOptions {
  std::string database, split, dialogs, questions, output, ranks, text, start = "gold";
  std::vector<std::string> runs;
  int beam = 0;
  double length_weight = -1;
  int resamples = 1000;
  bool success = false, routes = false, readings = false, other_graph = false;
  SuccessCommand walks;
};

std::vector<walker::Example> examples(const EvalOptions& options, const graph::Store& store,
                                      const graph::KnowledgeGraph& graph, const Common& common) {
  if (!options.split.empty())
    return walker::load_examples(store, graph, std::vector<std::string>{options.split});
  const auto dialogues = dialogue::read_dialogue_csv(options.dialogs, graph, false, *common.reporter);
  return walker::examples_of(dialogues, graph, options.dialogs);
}

// Behind the other tables, where they were asked for.
void tell_ranks(const std::string& file, std::span<const walker::LinkRank> ranks, Json& json) {
  if (file.empty()) return;
  if (ranks.empty()) throw Error("--ranks: nothing has right ends to be ranked");
  write_file_atomically(file, walker::table_of(ranks));
  print_text(walker::to_text(ranks));
  json["link_prediction"] = walker::summarize(ranks).to_json();
}

void run_questions(const EvalOptions& options, const walker::WalkModel& model,
                   const walker::WalkerConfig& walker, const Common& common) {
  const std::vector<dialogue::QuestionTurn> questions = dialogue::read_questions(options.questions);
  if (questions.empty()) throw Error(options.questions + ": there is no question to evaluate on");
  walker::AnswerConfig config;
  config.max_hops = walker.max_hops;
  if (options.beam > 0) config.beam = options.beam;
  const walker::QuestionEvaluation found = walker::evaluate_questions(
      model, questions, options.start == "gold", config, *common.reporter, *common.stop);
  print_text(found.to_text());
  if (!options.output.empty()) {
    std::string lines;
    for (std::size_t i = 0; i < questions.size(); ++i) {
      Json line = dialogue::to_json(questions[i]);
      const walker::QuestionOutcome& outcome = found.outcomes[i];
      line.update({{"start found", outcome.start},
                   {"answered", outcome.answered},
                   {"heard", outcome.heard},
                   {"asked", outcome.asked},
                   {"missing", outcome.missing},
                   {"listed", outcome.listed},
                   {"right", outcome.right}});
      lines.append(line.dump()).append("\n");
    }
    write_file_atomically(options.output, lines);
  }
  Json json = found.to_json();
  tell_ranks(options.ranks, found.link_ranks, json);
  common.write_json(json);
}

void run_eval(const EvalOptions& options, const Common& common) {
  if (options.success && options.routes)
    throw CLI::ValidationError("--success and --routes are two evaluations: give one of them");
  if (options.routes)
    return run_routes({.runs = options.runs,
                       .database = options.database,
                       .text = options.text,
                       .stage1 = options.walks.stage1,
                       .split = options.split,
                       .walks_file = options.walks.walks_file},
                      common);
  if (options.success) {
    SuccessCommand command = options.walks;
    command.runs = options.runs;
    command.database = options.database;
    command.text = options.text;
    return run_success(command, common);
  }
  if ((options.split.empty() ? 0 : 1) + (options.dialogs.empty() ? 0 : 1) +
          (options.questions.empty() ? 0 : 1) !=
      1)
    throw CLI::ValidationError("give one of --split NAME, --dialogs FILE and --questions FILE");
  std::vector<walker::WalkerRun> runs;
  for (const std::string& run : options.runs) runs.push_back(rl::open_walker_run(run));
  const graph::Store store =
      graph::Store::open(options.database.empty() ? runs.front().folder.manifest().database
                                                  : std::filesystem::path(options.database),
                         graph::Store::Mode::kReadOnly);
  const auto model =
      walker::open_walkers(store, runs, {.text = options.text, .other_graph = options.other_graph});
  if (!options.questions.empty()) return run_questions(options, *model, runs.front().config, common);
  const std::vector<walker::Example> found = examples(options, store, model->graph(), common);
  if (found.empty()) throw Error("there is no annotated path to evaluate on");

  walker::EvaluationConfig config;
  config.search = runs.front().config.search;
  if (options.beam > 0) config.search.beam = options.beam;
  if (options.length_weight >= 0) config.search.length_weight = options.length_weight;
  config.resamples = options.resamples;
  config.readings = options.readings;
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
  tell_ranks(options.ranks, result.link_ranks, json);
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
  app.add_flag(
      "--other-graph", options->other_graph,
      "the database may hold another graph than the one trained on: questions are heard by the words of its "
      "relations");
  app.add_option("--split", options->split, "split of the database to evaluate on");
  app.add_option("--questions", options->questions, "file of questions made by 'kgwalk questions'");
  app.add_option("--output", options->output, "file for the answer to each question, one a line")
      ->check(output_file());
  app.add_option("--ranks", options->ranks,
                 "file for the rank of each right end among all entities, in the layout of test_ranks.tsv")
      ->check(output_file());
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
  app.add_flag("--readings", options->readings,
               "path@k and tgt@k as others may have meant them, beside ours");
  app.add_flag("--success", options->success,
               "how often walks reach a goal, in place of recalls ('--run shortest', 'natural-shortest',"
               " 'natural-search' and 'prior' are searches)");
  app.get_option("--ranks")->excludes("--success");
  app.add_flag("--routes", options->routes,
               "walks between the ends of the dialogues of --split (dev unless given), beside what people "
               "did; --run, --stage1 and"
               " --walks as with --success")
      ->excludes("--ranks");
  add_success_options(app, options->walks);
  return [options, &common] { run_eval(*options, common); };
}

}  // namespace kgwalk::cli
