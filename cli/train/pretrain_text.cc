// kgwalk pretrain-text: a small text encoder pre-trained on the dialogues of a database.
#include "dialogue/pretraining/pretrain_text.h"

#include <memory>
#include <string>

#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "dialogue/presets.h"
#include "runtime/text.h"

namespace kgwalk::cli {
namespace {

struct PretrainTextOptions {
  std::string database, run, preset = "default";
};

void print_report(const dialogue::PretrainTextReport& report) {
  const Json& dev = report.training.best_metrics;
  print("vocabulary {} pieces, {} parameters, {} training windows of {} pieces\n",
        with_commas(report.vocabulary), with_commas(report.parameters), with_commas(report.train_sequences),
        with_commas(report.train_tokens));
  print("masked pieces of the held-out dialogues: loss {:.3f}, perplexity {:.1f}, accuracy {:.1f} %\n",
        dev.value("loss", 0.0), dev.value("perplexity", 0.0), 100 * dev.value("accuracy", 0.0));
  print("{}\nencoder: {}\n", report.training.summary(), report.encoder.string());
}

Verb add_pretrain_text(CLI::App& app, Common& common) {
  auto options = std::make_shared<PretrainTextOptions>();
  app.add_option("--db", options->database, "database made by kgwalk ingest")->required();
  app.add_option("--run", options->run, "run folder; an interrupted training in it is resumed")->required();
  app.add_option("--preset", options->preset, "default or tiny")->capture_default_str();
  return [options, &common] {
    const auto config =
        load_config(common.config_files, common.assignments, dialogue::pretrain_preset(options->preset));
    const auto store = graph::Store::open(options->database, graph::Store::Mode::kReadOnly);
    const auto graph = store.load_graph();
    const dialogue::PretrainTextReport report = dialogue::pretrain_text(
        store, graph, config, options->run, common.seed, *common.reporter, *common.stop);
    print_report(report);
    common.write_json(report.to_json());
  };
}

std::vector<Configurable> configures_pretrain_text() {
  return {configurable<dialogue::PretrainTextConfig>(
      "pretrain-text", "the small text encoder", {"default", "tiny"},
      [](const std::string& name) { return to_json_of(dialogue::pretrain_preset(name)); })};
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
