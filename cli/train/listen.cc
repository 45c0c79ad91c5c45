// kgwalk listen: train a listener on questions made from a graph, ask it, and measure it on questions that
// people wrote.
#include <filesystem>

#include "cli/frame/command.h"
#include "cli/frame/model_choice.h"
#include "kgwalk/evaluation.h"
#include "kgwalk/training.h"
#include "workflows/measuring/ask_listener.h"

namespace kgwalk::cli {
namespace {

struct ListenOptions {
  TrainListenerOptions train = {.shown = 3};
  AskListenerOptions ask;
  ModelChoice model;  // of what asks and measures
  std::string database, run, text, questions, from, weights, heard;
  bool without_named = false;
};

void teach_listener(const ListenOptions& options, const Common& common) {
  TrainListenerOptions train = options.train;
  train.database = options.database;
  train.run = options.run;
  train.text = options.text;
  train.questions = options.questions;
  train.without_named = options.without_named;
  train.from = options.from;
  train.weights = options.weights;
  train.seed = common.seed;
  train.settings = common.settings();
  common.tell(train_listener(train, *common.reporter, *common.stop));
}

// A run of a listener, or the one in the run of a walker.
std::filesystem::path run_of(const ModelChoice& model) {
  if (!model.listener.empty()) return model.listener;
  const std::filesystem::path within = std::filesystem::path(model.run) / "listener";
  return std::filesystem::exists(within) ? within : std::filesystem::path(model.run);
}

void hear_text(ListenOptions options, const Common& common) {
  AskListenerOptions ask = options.ask;
  options.model.take_model(ask.say, 1);
  options.model.resolve(common);
  if (ask.say.empty()) throw CLI::RequiredError("text");
  ask.database = options.model.database;
  ask.run = run_of(options.model);
  ask.text = options.model.text;
  common.tell(ask_listener(ask));
}

void measure_hearing(ListenOptions options, const Common& common) {
  options.model.resolve(common);
  common.tell(evaluate_listener({.database = options.model.database,
                                 .run = run_of(options.model),
                                 .text = options.model.text,
                                 .questions = options.questions,
                                 .without_named = options.without_named,
                                 .heard = options.heard},
                                *common.reporter, *common.stop));
}

Verb add_listen(CLI::App& app, Common& common) {
  auto options = std::make_shared<ListenOptions>();
  app.require_subcommand(1);
  CLI::App* train = app.add_subcommand("train", "train a listener on questions made from a graph");
  CLI::App* school =
      app.add_subcommand("school", "train a listener on made-up graphs alone, for others to begin with");
  for (CLI::App* sub : {train, school}) {
    sub->add_option("--made", options->train.made, "questions made from the graph")
        ->check(CLI::Range(1, 10'000'000))
        ->capture_default_str();
    sub->add_option(
        "--from", options->from,
        "run of a listener, or file of its weights, to begin with; or schooled (what comes with the "
        "program, taken unless this is given), or nothing");
    sub->add_option("--text", options->text,
                    "folder or run of a text encoder that it reads beside its own words");
    sub->add_option("--show", options->train.shown, "of the questions made, so many are printed")
        ->capture_default_str();
  }
  school->add_option("--out", options->weights, "file that takes the weights for others to begin with")
      ->check(output_file());
  train->add_option("--questions", options->questions,
                    "questions that people wrote, to learn from beside them");
  CLI::App* ask = app.add_subcommand("ask", "what a text asks for, as forms with their answers");
  ask->add_option("text", options->ask.say,
                  "what is said, behind a packed model unless --db and --run are given")
      ->required();
  ask->add_option("--k", options->ask.forms, "forms shown")->check(CLI::Range(1, 100))->capture_default_str();
  CLI::App* eval = app.add_subcommand("eval", "how many questions that people wrote are answered right");
  eval->add_option("--questions", options->questions, "json lines with question and answers, count or yes")
      ->required();
  eval->add_option("--heard", options->heard, "file that takes what was heard, a line of json a question")
      ->check(output_file());
  for (CLI::App* sub : {train, school, ask, eval}) sub->fallthrough();
  for (CLI::App* sub : {train, school})
    sub->add_option("--run", options->run, "run folder of the listener")->required();
  train->add_option("--db", options->database, "database made by 'kgwalk ingest'")->required();
  for (CLI::App* sub : {train, eval})
    sub->add_flag("--without-named", options->without_named,
                  "the answers leave out what the questions themselves name");
  options->model.add_options(*ask, false);
  options->model.add_options(*eval, true);
  return [=, &common] {
    if (train->parsed() || school->parsed()) return teach_listener(*options, common);
    if (ask->parsed()) return hear_text(*options, common);
    measure_hearing(*options, common);
  };
}

std::vector<Configurable> configures_listening() {
  return {configurable_of("listen train", "train_listener")};
}

const Registration kListenCommand(
    {.name = "listen",
     .help = "train what hears questions as forms over the graph, ask it, measure it",
     .example = "train --db films.db --text runs/minilm --run runs/listener",
     .add = add_listen,
     .group = Group::kTrain,
     .place = 5,
     .computes = Computes::kNetworks,
     .trains = true,
     .configures = configures_listening});

}  // namespace
}  // namespace kgwalk::cli
