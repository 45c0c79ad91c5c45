// A user simulator without a database: films, a vocabulary of some sentences about them, weights as they are
// drawn.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rl/simulator/situations.h"
#include "rl/simulator/user_simulator.h"
#include "runtime/tensor/torch_threads.h"
#include "seq2seq/tasks/pieces.h"
#include "tests/runtime/test_support.h"
#include "tests/walker/small_world.h"

namespace kgwalk::rl::testing {

inline const std::vector<std::string>& sentences() {
  static const std::vector<std::string> all{"Who directed Heat?",
                                            "Did Michael Mann write Collateral too?",
                                            "Al Pacino is a great actor.",
                                            "I love crime films. who else does? the year is 1995.",
                                            "Which year was Taxi Driver released?",
                                            "Robert De Niro starred in it, I think.",
                                            "Thanks, that is all. Good bye!",
                                            "do you like drama? is it good?",
                                            "No.",
                                            "Yes."};
  return all;
}

inline SimulatorConfig small_simulator() {
  SimulatorConfig config;
  for (seq2seq::StackOptions* stack :
       {&config.model.transformer.encoder, &config.model.transformer.decoder}) {
    stack->layers = 1;
    stack->width = 32;
    stack->heads = 2;
    stack->ffn_width = 64;
    stack->dropout = 0;
  }
  config.model.speakers = 6;
  config.vocabulary.size = 120;
  config.vocabulary.lower = false;
  return config;
}

inline std::shared_ptr<const seq2seq::SentencePiece> film_vocabulary() {
  static const auto vocabulary = [] {
    const test::TempFolder scratch;
    const SimulatorConfig config = small_simulator();
    return std::make_shared<const seq2seq::SentencePiece>(seq2seq::train_pieces(
        [](const auto& add) {
          for (const std::string& sentence : sentences()) add(sentence);
        },
        config.vocabulary, scratch / "pieces",
        seq2seq::DialogueCoder::control_pieces(config.model.speakers)));
  }();
  return vocabulary;
}

inline std::unique_ptr<SimulatedUser> film_user(const SimulatorConfig& config = small_simulator(),
                                                std::uint64_t seed = 3) {
  SimulatorResources resources{walker::testing::film_graph(), {}, film_vocabulary()};
  seed_torch(seed);
  seq2seq::PointerGenerator model(config.model, resources.vocabulary->size(),
                                  resources.vocabulary->special().unk);
  return std::make_unique<SimulatedUser>(config, std::move(resources), std::move(model));
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
