// kgwalk train: stage 1 of the walker.
#include "cli/commands.h"
#include "cli/print.h"
#include "runtime/run_folder.h"
#include "walker/training/run.h"

namespace kgwalk::cli {
namespace {

struct TrainOptions {
  std::string database, run, text, model;
  std::string preset = "default";
};

walker::WalkerConfig configuration(const TrainOptions& options, const Common& common) {
  walker::WalkerConfig config;
  apply_json(config, walker::preset(options.preset), "preset " + options.preset);
  if (!options.model.empty()) config.model = options.model;
  return load_config(common.config_files, common.assignments, config);
}

void run_train(const TrainOptions& options, const Common& common) {
  walker::TrainOptions train;
  train.database = options.database;
  train.run = options.run;
  train.text = options.text;
  train.config = configuration(options, common);
  train.seed = common.seed;
  train.device = common.device;
  const TrainReport report = walker::train_walker(train, *common.reporter, *common.stop);
  Json json = report.to_json();
  json["run"] = options.run;
  RunFolder::open(options.run, walker::kWalkerRun).write_result("training", json);
  if (report.steps > 0) print("{}\n", report.summary());
  print("run folder: {}\n", options.run);
  common.write_json(json);
}

}  // namespace

Verb add_train(CLI::App& app, Common& common) {
  auto options = std::make_shared<TrainOptions>();
  app.add_option("--db", options->database, "database made by 'kgwalk ingest'")->required();
  app.add_option("--run", options->run, "run folder to train into; an interrupted one is resumed")
      ->required();
  app.add_option("--model", options->model, "hitkg, lstm, scorer or prior (in place of the preset's)");
  app.add_option("--preset", options->preset, "default, best, paper or tiny")->capture_default_str();
  app.add_option("--text", options->text,
                 "text encoder: a run of 'kgwalk pretrain-text' or a Hugging Face folder");
  return [options, &common] { run_train(*options, common); };
}

}  // namespace kgwalk::cli
