// kgwalk pretrain-text: a small text encoder pre-trained on the dialogues of a database.

#include <memory>
#include <string>

#include "cli/frame/command.h"
#include "kgwalk/training.h"

namespace kgwalk::cli {
namespace {

struct PretrainTextOptions {
  std::string database, run, preset = "default";
};

Verb add_pretrain_text(CLI::App& app, Common& common) {
  auto options = std::make_shared<PretrainTextOptions>();
  app.add_option("--db", options->database, "database made by kgwalk ingest")->required();
  app.add_option("--run", options->run, "run folder; an interrupted training in it is resumed")->required();
  app.add_option("--preset", options->preset, "default or tiny")->capture_default_str();
  return [options, &common] {
    common.tell(pretrain_text({.database = options->database,
                               .run = options->run,
                               .seed = common.seed,
                               .settings = common.settings(options->preset)},
                              *common.reporter, *common.stop));
  };
}

std::vector<Configurable> configures_pretrain_text() {
  return {configurable_of("pretrain-text", "pretrain_text")};
}

const Registration kPretrainTextCommand({.name = "pretrain-text",
                                         .help = "pre-train a small text encoder on the dialogues",
                                         .example = "--db films.db --run runs/text",
                                         .add = add_pretrain_text,
                                         .group = Group::kTrain,
                                         .place = 1,
                                         .computes = Computes::kNetworks,
                                         .trains = true,
                                         .configures = configures_pretrain_text});

}  // namespace
}  // namespace kgwalk::cli
