// Learning from where dialogues of people led: in hindsight each entity that a dialogue came to was a goal,
// and the hops that led there were right (Andrychowicz et al., Hindsight Experience Replay, NeurIPS 2017,
// with people's own hops in place of an agent's).
#pragma once

#include <vector>

#include "rl/environment/route_rules.h"
#include "rl/environment/routes.h"
#include "runtime/config.h"
#include "runtime/random.h"
#include "runtime/tensor/torch.h"
#include "walker/network/neural_walker.h"

namespace kgwalk::rl {

class Imitation {
 public:
  // Imitates the dialogues that the policy was trained on in stage 1; nobody speaks. Borrowed. ConfigError
  // when none of them has a hop that the rules allow.
  Imitation(const walker::NeuralWalker& policy, const RouteRules& rules, int batch, std::uint64_t seed);

  // Mean negative log-likelihood of people's hops, a fresh batch each time: scalar, with gradients.
  [[nodiscard]] torch::Tensor loss();

  [[nodiscard]] Json state() const { return random_.state(); }
  void set_state(const Json& state) { random_.set_state(state.get<std::vector<std::uint64_t>>()); }

 private:
  // The hop to be learned and how the dialogue went on.
  struct Lesson {
    std::size_t route = 0, hop = 0;
  };
  [[nodiscard]] walker::Example situation(const Lesson& lesson, graph::EntityId goal) const;
  // An entity that the route came to at this hop or later.
  [[nodiscard]] graph::EntityId draw_goal(const Lesson& lesson);

  const walker::NeuralWalker& policy_;
  std::vector<std::vector<graph::Triple>> routes_;
  std::vector<Lesson> lessons_;
  int batch_;
  Random random_;
};

}  // namespace kgwalk::rl
