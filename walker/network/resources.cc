#include "walker/network/resources.h"

#include <future>
#include <utility>

#include "dialogue/questions/bank.h"
#include "dialogue/questions/wording_text.h"
#include "dialogue/text/name_states.h"
#include "dialogue/text/text_encoder.h"
#include "kgwalk/edits.h"
#include "kgwalk/error.h"

namespace kgwalk::walker {
namespace {

RowsView columns_of(const torch::Tensor& table, std::int64_t begin, std::int64_t end) {
  return {table.data_ptr<float>() + begin, table.size(0), table.stride(0), end - begin};
}

GoalTables goal_tables(const GraphTables& tables) {
  const std::int64_t kg = tables.kg_width, whole = tables.entities.size(1);
  return {.kg_model = tables.kg_model,
          .kg = columns_of(tables.entities, 0, kg),
          .relations = columns_of(tables.relations, 0, kg),
          .relation_scale = static_cast<float>(tables.relation_scale),
          .left = columns_of(tables.entities, kg, whole),
          .right = columns_of(tables.distance_partner, 0, whole - kg)};
}

// None where the model has no vectors of the graph.
GraphTables tables_of(const WalkerConfig& config, const graph::Store& store,
                      const graph::KnowledgeGraph& graph) {
  if (config.model != WalkerKind::kHitkg && config.model != WalkerKind::kLstm &&
      config.model != WalkerKind::kScorer)
    return {};
  const graph::BaseSize base = graph::base_size(graph);
  GraphTables tables = config.metapath.random_tables
                           ? random_graph_tables(base.entities, base.relations, config.metapath, 1)
                           : load_graph_tables(store, graph, config.metapath);
  if (graph::last_edit(graph) > 0) add_new_entities(tables, graph);
  return tables;
}

// Words of the training dialogues, of questions as the bank asks them and of the graph's relations are what
// people use; a text encoder knows many more.
std::shared_ptr<const Spelling> spelling_of(const Resources& r, const dialogue::SaidWords& said) {
  constexpr std::int64_t kBankWeight = 20, kRelationWeight = 5;
  auto spelling = std::make_shared<Spelling>();
  spelling->learn(said);
  for (const dialogue::Family& family : dialogue::builtin_bank().families)
    for (const dialogue::Wording& wording : family.wordings) {
      std::string text = wording.text;
      for (const std::string_view place : {"{x's}", "{x}", "{he}", "{y}"})
        dialogue::replace_all(text, place, " ");
      spelling->learn(text, kBankWeight);
    }
  for (graph::RelationId relation = 0; relation < r.graph->num_relations(); ++relation)
    spelling->learn(dialogue::relation_words(r.graph->relation_name(relation)).words, kRelationWeight);
  if (!r.text || !r.text->encoder()) return spelling;
  const seq2seq::Tokenizer& tokenizer = r.text->encoder()->tokens().tokenizer();
  for (int id = 0; id < tokenizer.size(); ++id)
    if (tokenizer.starts_word(id))
      for (const std::string& word : dialogue::words_of(tokenizer.piece(id))) spelling->know(word);
  return spelling;
}

std::shared_ptr<const dialogue::NameIndex> index_names(const graph::KnowledgeGraph& graph) {
  return std::make_shared<const dialogue::NameIndex>(graph);
}

// What is read of a database, or given, before anything is counted.
struct Sources {
  std::shared_ptr<const graph::KnowledgeGraph> graph;
  std::vector<graph::Dialogue> training;
  dialogue::SaidWords said;  // in `training`
  std::shared_ptr<const dialogue::NameIndex> names;
  std::future<GraphTables> tables;  // drawn or read meanwhile
  GraphTables goal_tables;
  std::shared_ptr<const graph::ExactDistances> distances;
};

// All that needs no text encoder. Counting takes most of the time there, and both halves of it are
// independent.
Resources without_text(const WalkerConfig& config, Sources& from) {
  Resources r;
  r.graph = std::move(from.graph);
  r.training = std::move(from.training);
  r.names = std::move(from.names);
  std::future<void> listening;  // fills what else is its own
  if (config.listen.on)
    listening = std::async(std::launch::async, [&r, &said = from.said] {
      r.linker = std::make_shared<dialogue::EntityLinker>(*r.graph, r.training, said, r.names);
      r.company = std::make_shared<RelationCompany>(*r.graph);
    });
  r.vocabulary = std::make_shared<Vocabulary>(from.said, config.text.word_min_messages);
  r.statistics = std::make_shared<Statistics>(*r.names, r.training, from.said);
  r.features = std::make_shared<FeatureExtractor>(*r.graph, *r.names, *r.statistics);
  r.tables = from.tables.get();
  r.goal_tables = std::move(from.goal_tables);
  const GraphTables& compared = r.goal_tables.entities.defined() ? r.goal_tables : r.tables;
  if (config.scoring.goal)
    r.goals = std::make_shared<GoalFeatures>(*r.graph, goal_tables(compared), std::move(from.distances));
  if (listening.valid()) listening.get();
  return r;
}

Resources with_text(Resources r, const WalkerConfig& config, const dialogue::SaidWords& said,
                    std::shared_ptr<const TextSource> text) {
  r.text = std::move(text);
  if (!config.listen.on) return r;
  r.pieces = std::make_shared<WordPieces>(*r.names, config.listen.buckets, spelling_of(r, said));
  if (!config.listen.text) return r;
  if (r.text->encoder() == nullptr)
    throw ConfigError("the walker listens through a text encoder (listen.text) and none was given",
                      {Remedy{Remedy::kGive, "text"}});
  r.phrases = std::make_shared<PhraseStates>(r.text->encoder());
  return r;
}

}  // namespace

Resources make_resources(const WalkerConfig& config, std::shared_ptr<const graph::KnowledgeGraph> graph,
                         GraphTables tables, std::shared_ptr<const TextSource> text,
                         std::vector<graph::Dialogue> training,
                         std::shared_ptr<const graph::ExactDistances> distances, GraphTables own) {
  dialogue::SaidWords said(training);
  auto names = index_names(*graph);
  std::promise<GraphTables> given;
  given.set_value(std::move(tables));
  Sources from{std::move(graph),   std::move(training), std::move(said),     std::move(names),
               given.get_future(), std::move(own),      std::move(distances)};
  return with_text(without_text(config, from), config, from.said, std::move(text));
}

Resources load_resources(const WalkerConfig& config, const graph::Store& store, const TextOpener& text) {
  const auto graph = std::make_shared<const graph::KnowledgeGraph>(store.load_graph());
  auto names = std::async(std::launch::async, [graph] { return index_names(*graph); });
  auto tables =
      std::async(std::launch::async, [&config, &store, graph] { return tables_of(config, store, *graph); });
  std::vector<graph::Dialogue> training;
  for (const std::string& split : config.train_splits) {
    std::vector<graph::Dialogue> part = store.dialogues(split);
    std::move(part.begin(), part.end(), std::back_inserter(training));
  }
  dialogue::SaidWords said(training);
  std::shared_ptr<const graph::ExactDistances> distances;
  if (config.scoring.goal_exact) distances = graph::open_distances(store, *graph);
  GraphTables own;
  if (config.scoring.goal && config.scoring.goal_rank > 0) {
    MetaPathConfig compared;
    compared.kg_width = config.scoring.goal_width;
    compared.distance_width = config.scoring.goal_rank;
    own = load_graph_tables(store, *graph, compared);
  }
  Sources from{graph,          std::move(training), std::move(said), names.get(), std::move(tables),
               std::move(own), std::move(distances)};
  Resources loaded = without_text(config, from);
  return with_text(std::move(loaded), config, from.said, text());
}

}  // namespace kgwalk::walker
