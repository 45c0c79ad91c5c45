// train_walker(): stage 1.
#include "kgwalk/training.h"
#include "walker/config.h"
#include "walker/training/run.h"
#include "workflows/configured.h"
#include "workflows/training/trained.h"

namespace kgwalk {
namespace {

walker::WalkerConfig walker_config(const TrainWalkerOptions& options) {
  const std::string preset = options.settings.preset.empty() ? "default" : options.settings.preset;
  walker::WalkerConfig config;
  apply_json(config, walker::preset(preset), "preset " + preset);
  if (!options.model.empty()) config.model = options.model;
  return with_values(options.settings, std::move(config));
}

}  // namespace

Trained train_walker(const TrainWalkerOptions& options, Reporter& reporter, const StopFlag& stop) {
  walker::TrainOptions train;
  train.database = options.database;
  train.run = options.run;
  train.text = options.text;
  for (const QuestionSource& source : options.questions) {
    if (source.name.empty() || source.file.empty() || !(source.weight > 0))
      throw ConfigError("questions '" + source.name + "': need a name, a file and a weight above 0");
    train.questions.push_back({source.name, source.file, source.weight});
  }
  train.config = walker_config(options);
  train.seed = options.seed;
  const TrainReport report = walker::train_walker(train, reporter, stop);
  Trained trained = trained_in(options.run, report);
  if (report.steps == 0) trained.text = "run folder: " + options.run.string() + "\n";
  keep_training(trained, walker::kWalkerRun);
  return trained;
}

}  // namespace kgwalk
