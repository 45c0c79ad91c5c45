// A user simulator without a database: films, a text source of words, a vocabulary of some sentences about
// them, weights as they are drawn.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rl/simulator/situations.h"
#include "rl/simulator/user_simulator.h"
#include "runtime/tensor/torch_threads.h"
#include "seq2seq/text/spm_train.h"
#include "tests/runtime/test_support.h"
#include "tests/walker/small_world.h"
#include "tests/walker/word_text.h"

namespace kgwalk::rl::testing {

inline const std::vector<std::string>& sentences() {
  static const std::vector<std::string> all{"Who directed Heat?",
                                            "Did Michael Mann write Collateral too?",
                                            "Al Pacino is a great actor.",
                                            "I love crime films.",
                                            "Which year was Taxi Driver released?",
                                            "Robert De Niro starred in it, I think.",
                                            "Thanks, that is all. Good bye!",
                                            "Do you like drama?",
                                            "No.",
                                            "Yes."};
  return all;
}

inline std::shared_ptr<const seq2seq::SentencePiece> film_vocabulary() {
  static const auto vocabulary = [] {
    const test::TempFolder scratch;
    seq2seq::VocabularyOptions options;
    options.size = 90;
    options.fold_case = false;
    options.control = {kEndPiece};
    return std::make_shared<const seq2seq::SentencePiece>(
        seq2seq::train_sentencepiece(sentences(), options, scratch.path()));
  }();
  return vocabulary;
}

inline SimulatorConfig small_simulator() {
  SimulatorConfig config;
  config.encoder.layers = config.decoder.layers = 2;
  config.encoder.width = config.decoder.width = 32;
  config.encoder.heads = config.decoder.heads = 2;
  config.encoder.ffn_width = config.decoder.ffn_width = 64;
  config.encoder.dropout = config.decoder.dropout = 0.2;
  config.metapath.kg_width = 16;
  config.vocabulary = 90;
  config.max_pieces = 24;
  return config;
}

// `end_bias` is added to the score of ending, so that untrained users do not all talk until they are cut.
inline std::unique_ptr<SimulatedUser> film_user(const SimulatorConfig& config = small_simulator(),
                                                std::uint64_t seed = 3, double end_bias = 0) {
  SimulatorResources resources;
  resources.graph = walker::testing::film_graph();
  resources.tables = walker::random_graph_tables(resources.graph->num_entities(),
                                                 resources.graph->num_relations(), config.metapath, 1);
  resources.text = std::make_shared<walker::testing::WordText>();
  resources.vocabulary = film_vocabulary();
  seed_torch(seed);
  auto user = std::make_unique<SimulatedUser>(config, resources);
  const torch::NoGradGuard no_grad;
  user->net().output->bias[user->end_piece()] += end_bias;
  return user;
}

// Situations of all kinds: nothing said or walked, much of both, utterances of the other speaker between.
inline std::vector<walker::Example> film_situations(const graph::KnowledgeGraph& graph, int count) {
  std::vector<walker::Example> situations;
  Random random(11);
  for (int i = 0; i < count; ++i) {
    walker::Example e;
    e.start = static_cast<graph::EntityId>(random.below(graph.num_entities()));
    for (std::uint64_t said = random.below(5); said > 0; --said)
      e.context.push_back({random.below(3) == 0 ? graph::Speaker::kAssistant : graph::Speaker::kUser,
                           sentences()[random.below(sentences().size())]});
    for (std::uint64_t hops = random.below(6); hops > 0; --hops) {
      const auto edges = graph.out_edges(e.start);
      const graph::Edge edge = edges[random.below(edges.size())];
      e.walked.push_back({e.start, edge.relation, edge.tail});
      e.path_ends.push_back(static_cast<std::uint32_t>(e.walked.size()));
      e.start = edge.tail;
    }
    situations.push_back(std::move(e));
  }
  return situations;
}

inline std::vector<const walker::Example*> pointers_to(const std::vector<walker::Example>& situations) {
  std::vector<const walker::Example*> pointers;
  for (const walker::Example& e : situations) pointers.push_back(&e);
  return pointers;
}

}  // namespace kgwalk::rl::testing
