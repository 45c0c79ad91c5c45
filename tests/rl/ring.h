// A ring of places with a bridge, and walkers with weights as they are drawn on it. No database.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kgwalk/knowledge_graph.h"
#include "runtime/tensor/torch.h"
#include "runtime/tensor/torch_threads.h"
#include "tests/walker/small_world.h"
#include "walker/network/neural_walker.h"

namespace kgwalk::rl::testing {

inline std::shared_ptr<const graph::KnowledgeGraph> bridged_ring() {
  std::vector<graph::NamedTriple> triples;
  for (int i = 0; i < 24; ++i)
    triples.push_back({"place " + std::to_string(i), i % 3 == 0 ? "road" : "path",
                       "place " + std::to_string((i + 1) % 24)});
  triples.push_back({"place 0", "bridge", "place 9"});
  return walker::testing::graph_of(triples);
}

inline std::unique_ptr<walker::NeuralWalker> walker_on(
    const std::shared_ptr<const graph::KnowledgeGraph>& graph, std::uint64_t seed, bool goal = true,
    bool printed = false) {
  walker::WalkerConfig config;
  config.encoder.layers = config.decoder.layers = 1;
  config.encoder.width = config.decoder.width = 32;
  config.encoder.heads = config.decoder.heads = 2;
  config.encoder.ffn_width = config.decoder.ffn_width = 64;
  config.metapath.kg_width = config.metapath.distance_width = 16;
  config.text.states = false;
  config.goal_visible = config.scoring.goal = goal;
  if (printed) {  // HiTKG-RL of the thesis: three times 16, and the goal is an input of the decoder alone
    config.goal_visible = true;
    config.encoder.width = config.decoder.width = 48;
    config.encoder.norm = config.decoder.norm = seq2seq::NormPlacement::kEnd;
    config.metapath.projected = config.metapath.train_relations = config.scoring.relation_bias = false;
  }
  seed_torch(seed);
  auto walker = std::make_unique<walker::NeuralWalker>(
      config, walker::make_resources(config, graph,
                                     walker::random_graph_tables(graph->num_entities(),
                                                                 graph->num_relations(), config.metapath, 1),
                                     std::make_shared<walker::NoText>(), {}));
  const torch::NoGradGuard no_grad;  // the comparison with the goal begins as nothing
  if (goal) {
    // Little of it: random weights of strong features could keep every walk away from its goal.
    walker->net().scorer->goal_weight.normal_(0, 0.05);
    walker->net().scorer->goal_out.normal_(0, 0.3);
  }
  return walker;
}

}  // namespace kgwalk::rl::testing
