// kgwalk embed: trains TransE on the graph of a database and stores the tables in it.
#include <cstdio>
#include <optional>

#include "cli/commands.h"
#include "embeddings/transe/graph_embedding.h"
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

void print(const embeddings::GraphEmbedding& embedding) {
  std::printf("%s entities and %s relations, %d wide, stored as transe/%d/{entities,relations}\n",
              with_commas(embedding.num_entities).c_str(), with_commas(embedding.num_relations).c_str(),
              embedding.dim, embedding.dim);
  std::printf("training %s (processor %s), loss %.4f\n",
              format_duration(embedding.meta.at("train_seconds").get<double>()).c_str(),
              format_duration(embedding.meta.at("train_cpu_seconds").get<double>()).c_str(),
              embedding.meta.at("loss").get<double>());
  if (!embedding.meta.contains("held_out")) return;
  const Json& m = embedding.meta.at("held_out").at("both");
  std::printf("held-out facts, filtered: MRR %.4f, Hits@1 %.4f, Hits@10 %.4f over %s ranks\n",
              m.at("mrr").get<double>(), m.at("hits@1").get<double>(), m.at("hits@10").get<double>(),
              with_commas(m.at("ranks").get<long long>()).c_str());
}

void run(const EmbedOptions& options, const Common& common) {
  auto config = load_config<embeddings::GraphEmbeddingConfig>(common.config_files,
                                                              with_short_forms(common.assignments));
  if (common.seed_given) config.transe.seed = common.seed;
  graph::Store store = graph::Store::open(options.database, graph::Store::Mode::kReadWrite);
  const graph::KnowledgeGraph graph = store.load_graph();
  std::optional<RunFolder> folder;
  if (!options.run.empty()) folder = RunFolder::create(options.run, "embedding");
  const embeddings::GraphEmbedding embedding =
      embeddings::embed_graph(graph, config, folder ? &*folder : nullptr, *common.reporter, *common.stop);
  embeddings::store_graph_embedding(embedding, store);
  print(embedding);
  common.write_json(embedding.meta);
}

}  // namespace

Verb add_embed(CLI::App& app, Common& common) {
  auto options = std::make_shared<EmbedOptions>();
  app.add_option("--db", options->database, "database made by kgwalk ingest")->required();
  app.add_option("--run", options->run, "run folder: checkpoints and metrics; resumes what it holds");
  return [options, &common] { run(*options, common); };
}

}  // namespace kgwalk::cli
