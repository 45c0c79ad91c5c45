// kgwalk embed: trains embeddings of the graph of a database and stores the tables in it.

#include "cli/frame/command.h"
#include "kgwalk/training.h"

namespace kgwalk::cli {
namespace {

void run_embed(EmbedOptions options, const Common& common) {
  options.seed = common.given_seed();
  options.settings = common.settings();
  common.tell(embed(options, *common.reporter, *common.stop));
}

Verb add_embed(CLI::App& app, Common& common) {
  auto options = std::make_shared<EmbedOptions>();
  app.add_option("--db", options->database, "database made by kgwalk ingest")->required();
  app.add_option("--model", options->model,
                 "transe (default), complex, rotate or distmult, with what suits it");
  app.add_option("--run", options->run, "run folder: checkpoints and metrics; resumes what it holds");
  return [options, &common] { run_embed(*options, common); };
}

std::vector<Configurable> configures_embed() { return {configurable_of("embed", "embed")}; }

const Registration kEmbedCommand({.name = "embed",
                                  .help = "train embeddings of the graph and store the tables",
                                  .example = "--db films.db --model complex --set dim=256",
                                  .add = add_embed,
                                  .group = Group::kGraph,
                                  .place = 7,
                                  .computes = Computes::kEmbeddings,
                                  .configures = configures_embed});

}  // namespace
}  // namespace kgwalk::cli
