// kgwalk rl: stage 2 of the walker.
#include "cli/frame/command.h"
#include "kgwalk/training.h"

namespace kgwalk::cli {
namespace {

struct RlOptions {
  std::string database, run, from, text, simulator;
  std::string preset = "default";
};

void run_rl(const RlOptions& options, const Common& common) {
  common.tell(train_stage2({.database = options.database,
                            .run = options.run,
                            .from = options.from,
                            .text = options.text,
                            .simulator = options.simulator,
                            .seed = common.seed,
                            .settings = common.settings(options.preset)},
                           *common.reporter, *common.stop));
}

Verb add_rl(CLI::App& app, Common& common) {
  auto options = std::make_shared<RlOptions>();
  app.add_option("--db", options->database, "database with TransE tables, distance factors and index")
      ->required();
  app.add_option("--run", options->run, "run folder to train into; an interrupted one is resumed")
      ->required();
  app.add_option("--from", options->from, "run of stage 1: 'kgwalk train --preset stage2'")->required();
  app.add_option("--simulator", options->simulator,
                 "run of 'kgwalk simulator train'; without it the user says nothing");
  app.add_option("--text", options->text, "folder of the text encoder, when it has moved since stage 1");
  app.add_option("--preset", options->preset,
                 "default, natural (pays for hops that people would not take), paper (as the thesis prints "
                 "it) or tiny")
      ->capture_default_str();
  return [options, &common] { run_rl(*options, common); };
}

std::vector<Configurable> configures_rl() { return {configurable_of("rl", "train_stage2")}; }

const Registration kRlCommand(
    {.name = "rl",
     .help = "train the walker to reach goals (stage 2)",
     .example = "--db films.db --from runs/stage2 --simulator runs/user --run runs/guide",
     .add = add_rl,
     .group = Group::kTrain,
     .place = 6,
     .computes = Computes::kNetworks,
     .trains = true,
     .configures = configures_rl});

}  // namespace
}  // namespace kgwalk::cli
