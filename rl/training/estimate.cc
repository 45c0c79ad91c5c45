#include "rl/training/estimate.h"

#include "walker/network/neural_walker.h"

namespace kgwalk::rl {

EstimatedHops estimate_of(const walker::WalkModel& model) {
  const auto* walker = dynamic_cast<const walker::NeuralWalker*>(&model);
  if (walker == nullptr || walker->resources().goals == nullptr) return nullptr;
  return [goals = walker->resources().goals](graph::EntityId from, graph::EntityId goal) -> double {
    return goals->estimate(from, goal);
  };
}

}  // namespace kgwalk::rl
