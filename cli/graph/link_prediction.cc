// kgwalk link-prediction: trains embeddings on one file of triples and ranks another, filtered by all three.

#include "cli/frame/command.h"
#include "cli/frame/shard_options.h"
#include "kgwalk/training.h"

namespace kgwalk::cli {
namespace {

void run_link_prediction(PredictLinksOptions options, const Common& common) {
  options.seed = common.given_seed();
  options.settings = common.settings();
  options.shards = shards_of(options.shards, common);
  common.tell(predict_links(options, *common.reporter, *common.stop));
}

Verb add_link_prediction(CLI::App& app, Common& common) {
  auto options = std::make_shared<PredictLinksOptions>();
  app.add_option("--train", options->train, "triples to train on: head TAB relation TAB tail")->required();
  app.add_option("--valid", options->valid, "triples to watch during training")->required();
  app.add_option("--test", options->test, "triples to rank at the end")->required();
  app.add_option("--model", options->model,
                 "transe (default), complex, rotate or distmult, with what suits it");
  app.add_option("--run", options->run, "run folder: checkpoints, metrics, curve; resumes what it holds");
  add_shards(app, options->shards);
  return [options, &common] { run_link_prediction(*options, common); };
}

std::vector<Configurable> configures_link_prediction() {
  return {configurable_of("link-prediction", "predict_links")};
}

const Registration kLinkPredictionCommand({.name = "link-prediction",
                                           .help = "train and evaluate embeddings on a benchmark's files",
                                           .example = "--train train.txt --valid valid.txt --test test.txt",
                                           .add = add_link_prediction,
                                           .group = Group::kGraph,
                                           .place = 8,
                                           .computes = Computes::kEmbeddings,
                                           .configures = configures_link_prediction});

}  // namespace
}  // namespace kgwalk::cli
