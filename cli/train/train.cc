// kgwalk train: stage 1 of the walker.
#include "cli/frame/command.h"
#include "kgwalk/training.h"

namespace kgwalk::cli {
namespace {

struct TrainOptions {
  std::string database, run, text, model;
  std::string preset = "default";
  std::vector<std::string> questions;  // NAME=FILE[:WEIGHT]
};

QuestionSource question_source(const std::string& text) {
  const std::size_t equals = text.find('=');
  QuestionSource file;
  file.name = text.substr(0, equals);
  std::string path = equals == std::string::npos ? "" : text.substr(equals + 1);
  const std::size_t colon = path.rfind(':');
  if (colon != std::string::npos) {
    std::size_t used = 0;
    try {
      file.weight = std::stod(path.substr(colon + 1), &used);
    } catch (const std::exception&) {
      used = 0;
    }
    if (used > 0 && colon + 1 + used == path.size()) path.resize(colon);
  }
  if (file.name.empty() || path.empty() || !(file.weight > 0))
    throw CLI::ValidationError(
        "--questions", "'" + text + "' is not NAME=FILE or NAME=FILE:WEIGHT, e.g. own=questions.jsonl:2");
  file.file = path;
  return file;
}

void run_train(const TrainOptions& options, const Common& common) {
  TrainWalkerOptions train{.database = options.database,
                           .run = options.run,
                           .text = options.text,
                           .model = options.model,
                           .seed = common.seed,
                           .settings = common.settings(options.preset)};
  for (const std::string& file : options.questions) train.questions.push_back(question_source(file));
  common.tell(train_walker(train, *common.reporter, *common.stop));
}

Verb add_train(CLI::App& app, Common& common) {
  auto options = std::make_shared<TrainOptions>();
  app.add_option("--db", options->database, "database made by 'kgwalk ingest'")->required();
  app.add_option("--run", options->run, "run folder to train into; an interrupted one is resumed")
      ->required();
  app.add_option("--model", options->model, "hitkg, lstm, scorer or prior (in place of the preset's)");
  app.add_option("--preset", options->preset,
                 "default, best, listening, graph (without dialogues), tiny or hitkg_paper; stage2 and "
                 "stage2_tiny before stage 2")
      ->capture_default_str();
  app.add_option("--text", options->text,
                 "text encoder: a run of 'kgwalk pretrain-text' or a Hugging Face folder");
  app.add_option(
      "--questions", options->questions,
      "questions to learn listening from, made by 'kgwalk questions': NAME=FILE or NAME=FILE:WEIGHT; "
      "repeatable");
  return [options, &common] { run_train(*options, common); };
}

std::vector<Configurable> configures_train() { return {configurable_of("train", "train_walker")}; }

const Registration kTrainCommand({.name = "train",
                                  .help = "train the walker (stage 1)",
                                  .example = "--db films.db --run runs/best --preset best --text runs/text",
                                  .add = add_train,
                                  .group = Group::kTrain,
                                  .place = 4,
                                  .computes = Computes::kNetworks,
                                  .trains = true,
                                  .configures = configures_train});

}  // namespace
}  // namespace kgwalk::cli
