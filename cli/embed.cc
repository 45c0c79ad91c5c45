// kgwalk embed: trains TransE on the graph of a database and stores the tables in it.
#include <cstdio>

#include "cli/commands.h"
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

void print(const embeddings::TransETables& tables) {
  std::printf("%s entities and %s relations, %d wide, stored as transe/%d/{entities,relations}\n",
              with_commas(tables.num_entities()).c_str(), with_commas(tables.num_relations()).c_str(),
              tables.dim(), tables.dim());
  const Json& meta = tables.meta();
  std::printf("training %s (processor %s), loss %.4f\n",
              format_duration(meta.at("train_seconds").get<double>()).c_str(),
              format_duration(meta.at("train_cpu_seconds").get<double>()).c_str(),
              meta.at("loss").get<double>());
  if (!meta.contains("held_out")) return;
  const Json& m = meta.at("held_out").at("both");
  std::printf("held-out facts, filtered: MRR %.4f, Hits@1 %.4f, Hits@10 %.4f over %s ranks\n",
              m.at("mrr").get<double>(), m.at("hits@1").get<double>(), m.at("hits@10").get<double>(),
              with_commas(m.at("ranks").get<long long>()).c_str());
}

void run(const EmbedOptions& options, const Common& common) {
  auto config = load_config<embeddings::GraphEmbeddingConfig>(common.config_files,
                                                              with_short_forms(common.assignments));
  if (common.seed_given) config.transe.seed = common.seed;
  graph::Store store = graph::Store::open(options.database, graph::Store::Mode::kReadWrite);
  const embeddings::TransETables tables =
      embeddings::embed_graph(store, config, options.run, *common.reporter, *common.stop);
  print(tables);
  common.write_json(tables.meta());
}

}  // namespace

Verb add_embed(CLI::App& app, Common& common) {
  auto options = std::make_shared<EmbedOptions>();
  app.add_option("--db", options->database, "database made by kgwalk ingest")->required();
  app.add_option("--run", options->run, "run folder: checkpoints and metrics; resumes what it holds");
  return [options, &common] { run(*options, common); };
}

}  // namespace kgwalk::cli
