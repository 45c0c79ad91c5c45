#include "walker/resources.h"

namespace kgwalk::walker {

Resources make_resources(const WalkerConfig& config, std::shared_ptr<const graph::KnowledgeGraph> graph,
                         GraphTables tables, std::shared_ptr<const TextSource> text,
                         std::vector<graph::Dialogue> training) {
  Resources r;
  r.graph = std::move(graph);
  r.text = std::move(text);
  r.tables = std::move(tables);
  r.training = std::move(training);
  r.names = std::make_shared<NameIndex>(*r.graph);
  r.statistics = std::make_shared<Statistics>(*r.names, r.training);
  r.features = std::make_shared<FeatureExtractor>(*r.graph, *r.names, *r.statistics);
  r.vocabulary = std::make_shared<Vocabulary>(r.training, config.text.word_min_messages);
  return r;
}

Resources load_resources(const WalkerConfig& config, const graph::Store& store,
                         std::shared_ptr<const TextSource> text) {
  auto graph = std::make_shared<const graph::KnowledgeGraph>(graph::KnowledgeGraph::load(store));
  std::vector<graph::Dialogue> training;
  for (const std::string& split : config.train_splits) {
    std::vector<graph::Dialogue> part = store.dialogues(split);
    std::move(part.begin(), part.end(), std::back_inserter(training));
  }
  GraphTables tables;
  if (config.model == "hitkg" || config.model == "lstm" || config.model == "scorer") {
    tables = config.metapath.random_tables
                 ? random_graph_tables(graph->num_entities(), graph->num_relations(), config.metapath, 1)
                 : load_graph_tables(store, *graph, config.metapath);
  }
  return make_resources(config, std::move(graph), std::move(tables), std::move(text), std::move(training));
}

}  // namespace kgwalk::walker
