// embed() and predict_links(): embeddings of the graph of a database, and of a benchmark's files.
#include <fmt/format.h>

#include <utility>

#include "embeddings/links/sharded_links.h"
#include "kgwalk/embeddings.h"
#include "kgwalk/store.h"
#include "kgwalk/training.h"
#include "runtime/text.h"
#include "workflows/configured.h"
#include "workflows/shard_report.h"

namespace kgwalk {
namespace {

// What one usually sets of an embedding has short names.
Settings with_long_names(Settings settings, const std::string& model) {
  for (std::string& text : settings.assignments)
    if (text.starts_with("dim=") || text.starts_with("epochs=") || text.starts_with("model="))
      text.insert(0, "embedding.");
  if (!model.empty()) settings.assignments.push_back("embedding.model=" + model);
  for (const char* name : {"dim", "epochs", "model"}) {
    if (!settings.values.contains(name)) continue;
    settings.values["embedding"][name] = settings.values[name];
    settings.values.erase(name);
  }
  return settings;
}

// Settings over what suits the model that they name.
template <class Config, class Defaults>
Config configured(const Settings& settings, const Defaults& defaults) {
  Config config = with_values(settings, Config{});
  Config suited;
  suited.embedding = defaults(config.embedding.model);
  return with_values(settings, suited);
}

std::string text_of(const embeddings::EmbeddingTables& tables) {
  const Json& meta = tables.meta();
  std::string text = fmt::format(
      "{} entities and {} relations, {} wide, stored as {}/{}/{{entities,relations}}\n"
      "training {} (processor {}), loss {:.4f}\n",
      with_commas(tables.num_entities()), with_commas(tables.num_relations()), tables.dim(),
      tables.kind().name(), tables.dim(), format_duration(meta.at("train_seconds").get<double>()),
      format_duration(meta.at("train_cpu_seconds").get<double>()), meta.at("loss").get<double>());
  if (!meta.contains("held_out")) return text;
  const Json& m = meta.at("held_out").at("both");
  return text +
         fmt::format("held-out facts, filtered: MRR {:.4f}, Hits@1 {:.4f}, Hits@10 {:.4f} over {} ranks\n",
                     m.at("mrr").get<double>(), m.at("hits@1").get<double>(), m.at("hits@10").get<double>(),
                     with_commas(m.at("ranks").get<long long>()));
}

std::string row_of(const char* name, const embeddings::RankMetrics& m) {
  return fmt::format("{:<10} {:9.1f}  {:.4f}  {:.4f}  {:.4f}  {:.4f}  {:>10}\n", name, m.mean_rank, m.mrr,
                     m.hits1, m.hits3, m.hits10, with_commas(m.count));
}

std::string text_of(const embeddings::LinkPredictionReport& report) {
  std::string text = "filtered     mean rank     MRR  Hits@1  Hits@3 Hits@10       ranks\n";
  for (const auto& [name, split] : {std::pair{"test", &report.test}, {"valid", &report.valid}})
    text += row_of(name, split->both) + row_of("  heads", split->head) + row_of("  tails", split->tail);
  return text + fmt::format("training {} (processor {}), ranking {}\n", format_duration(report.train_seconds),
                            format_duration(report.train_cpu_seconds), format_duration(report.rank_seconds));
}

}  // namespace

Report embed(const EmbedOptions& options, Reporter& reporter, const StopFlag& stop) {
  refuse_preset(options.settings, "embeddings");
  auto config = configured<embeddings::GraphEmbeddingConfig>(with_long_names(options.settings, options.model),
                                                             embeddings::default_graph_embedding);
  if (options.seed) config.embedding.seed = *options.seed;
  graph::Store store = graph::Store::open(options.database, graph::Store::Mode::kReadWrite);
  const embeddings::EmbeddingTables tables =
      embeddings::embed_graph(store, config, options.run, reporter, stop);
  return {text_of(tables), tables.meta()};
}

LinkPrediction predict_links(const PredictLinksOptions& options, Reporter& reporter, const StopFlag& stop) {
  refuse_preset(options.settings, "embeddings");
  auto config = configured<embeddings::LinkPredictionConfig>(with_long_names(options.settings, options.model),
                                                             embeddings::default_embedding);
  if (options.seed) config.embedding.seed = *options.seed;
  const auto data = embeddings::LinkDataset::load(options.train, options.valid, options.test);
  reporter.info(with_commas(static_cast<long long>(data.entities.size())) + " entities, " +
                with_commas(static_cast<long long>(data.relations.size())) + " relations, " +
                with_commas(static_cast<long long>(data.train.size())) + " training triples");
  for (const std::string& remark : data.remarks()) reporter.warn(remark);
  LinkPrediction found;
  ShardedWork work(options.shards);
  found.report = embeddings::run_link_prediction(config, data, options.run, work, reporter, stop);
  if (told_as_shard(work, found)) return found;
  found.text = text_of(found.report);
  found.json = found.report.to_json();
  found.json["config"] = to_json_of(config);
  return found;
}

}  // namespace kgwalk
