// Everything a walker needs besides its weights. Built once a database and text folder, shared by all models;
// immutable and thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "dialogue/linking/entity_linker.h"
#include "dialogue/linking/name_index.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/store.h"
#include "walker/data/statistics.h"
#include "walker/data/vocabulary.h"
#include "walker/data/word_pieces.h"
#include "walker/features/features.h"
#include "walker/features/goal_features.h"
#include "walker/features/relation_company.h"
#include "walker/network/metapath.h"
#include "walker/network/phrase_states.h"
#include "walker/network/text_source.h"

namespace kgwalk::walker {

struct Resources {
  std::shared_ptr<const graph::KnowledgeGraph> graph;
  std::shared_ptr<const TextSource> text;
  GraphTables tables;
  std::vector<graph::Dialogue> training;  // dialogues of the training splits, one split after the other
  std::shared_ptr<const dialogue::NameIndex> names;
  std::shared_ptr<const Statistics> statistics;
  std::shared_ptr<const FeatureExtractor> features;
  GraphTables goal_tables;                    // where the comparison has its own; otherwise undefined
  std::shared_ptr<const GoalFeatures> goals;  // null unless the configuration compares candidates with a goal
  std::shared_ptr<const Vocabulary> vocabulary;
  std::shared_ptr<const WordPieces> pieces;  // these three are null when nothing listens
  std::shared_ptr<const dialogue::EntityLinker> linker;
  std::shared_ptr<const RelationCompany> company;
  std::shared_ptr<const PhraseStates> phrases;  // null unless what listens reads through the text encoder
};

// Statistics, features and vocabulary over `training`. `distances` are needed for scoring.goal_exact alone,
// `goal_tables` where scoring.goal_rank is above 0.
[[nodiscard]] Resources make_resources(const WalkerConfig& config,
                                       std::shared_ptr<const graph::KnowledgeGraph> graph, GraphTables tables,
                                       std::shared_ptr<const TextSource> text,
                                       std::vector<graph::Dialogue> training,
                                       std::shared_ptr<const graph::ExactDistances> distances = nullptr,
                                       GraphTables goal_tables = {});

// Gives the text source when everything else is there, so that one may be opened meanwhile.
using TextOpener = std::function<std::shared_ptr<const TextSource>()>;
// The same from a database: graph, tables and the dialogues of config.train_splits.
[[nodiscard]] Resources load_resources(const WalkerConfig& config, const graph::Store& store,
                                       const TextOpener& text);

}  // namespace kgwalk::walker
