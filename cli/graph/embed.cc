// kgwalk embed: trains TransE on the graph of a database and stores the tables in it.

#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "kgwalk/embeddings.h"
#include "kgwalk/store.h"
#include "runtime/text.h"

namespace kgwalk::cli {
namespace {

struct EmbedOptions {
  std::string database;
  std::string run;
};

// `--set dim=256` is short for `--set transe.dim=256`, since the width is what one usually sets here.
std::vector<std::string> with_short_forms(std::vector<std::string> assignments) {
  for (std::string& text : assignments)
    if (text.starts_with("dim=") || text.starts_with("epochs=")) text = "transe." + text;
  return assignments;
}

void print_tables(const embeddings::TransETables& tables) {
  print("{} entities and {} relations, {} wide, stored as transe/{}/{{entities,relations}}\n",
        with_commas(tables.num_entities()), with_commas(tables.num_relations()), tables.dim(), tables.dim());
  const Json& meta = tables.meta();
  print("training {} (processor {}), loss {:.4f}\n", format_duration(meta.at("train_seconds").get<double>()),
        format_duration(meta.at("train_cpu_seconds").get<double>()), meta.at("loss").get<double>());
  if (!meta.contains("held_out")) return;
  const Json& m = meta.at("held_out").at("both");
  print("held-out facts, filtered: MRR {:.4f}, Hits@1 {:.4f}, Hits@10 {:.4f} over {} ranks\n",
        m.at("mrr").get<double>(), m.at("hits@1").get<double>(), m.at("hits@10").get<double>(),
        with_commas(m.at("ranks").get<long long>()));
}

void run(const EmbedOptions& options, const Common& common) {
  auto config = load_config<embeddings::GraphEmbeddingConfig>(common.config_files,
                                                              with_short_forms(common.assignments));
  if (common.seed_given) config.transe.seed = common.seed;
  graph::Store store = graph::Store::open(options.database, graph::Store::Mode::kReadWrite);
  const embeddings::TransETables tables =
      embeddings::embed_graph(store, config, options.run, *common.reporter, *common.stop);
  print_tables(tables);
  common.write_json(tables.meta());
}

Verb add_embed(CLI::App& app, Common& common) {
  auto options = std::make_shared<EmbedOptions>();
  app.add_option("--db", options->database, "database made by kgwalk ingest")->required();
  app.add_option("--run", options->run, "run folder: checkpoints and metrics; resumes what it holds");
  return [options, &common] { run(*options, common); };
}

std::vector<Configurable> configures_embed() {
  return {configurable<embeddings::GraphEmbeddingConfig>("embed", "TransE on the graph of a database")};
}

const Registration kEmbedCommand({.name = "embed",
                                  .help = "train TransE on the graph and store the tables",
                                  .example = "--db films.db --set dim=384",
                                  .add = add_embed,
                                  .group = Group::kGraph,
                                  .place = 7,
                                  .computes = Computes::kTransE,
                                  .configures = configures_embed});

}  // namespace
}  // namespace kgwalk::cli
