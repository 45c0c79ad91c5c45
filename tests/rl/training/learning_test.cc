// Stage 2 as a whole on a small graph: A2C raises the share of goals that a walker reaches.
#include <gtest/gtest.h>
#include <torch/optim.h>

#include <vector>

#include "kgwalk/distances.h"
#include "rl/environment/pairs.h"
#include "rl/environment/walks.h"
#include "rl/training/a2c.h"
#include "rl/training/walker_actor.h"
#include "runtime/tensor/torch.h"
#include "runtime/tensor/torch_threads.h"
#include "tests/rl/ring.h"

namespace kgwalk::rl {
namespace {

// Share of the pairs whose goal the likeliest hops reach within twice the distance.
double success(const walker::NeuralWalker& model, const std::vector<Pair>& pairs,
               const graph::DistanceIndex& index) {
  const torch::NoGradGuard no_grad;
  double reached = 0;
  for (const Walk& walk :
       walk_pairs(pairs, greedy(model), SilentUser(), index, nullptr, {.budget = 2, .slack = 0}, 1))
    reached += walk.reached();
  return reached / static_cast<double>(pairs.size());
}

TEST(Stage2, RaisesTheSuccessOfAWalker) {
  set_torch_threads(1);
  const auto graph = testing::bridged_ring();
  const graph::DistanceIndex index = graph::DistanceIndex::build(*graph);
  const auto policy = testing::walker_on(graph, 1);
  const std::vector<Pair> pairs = sample_pairs(*graph, GoalSplit::kTrain, {3}, 40, 1).pairs.front();
  ASSERT_EQ(pairs.size(), 40U);
  const double before = success(*policy, pairs, index);

  Stage2Config config;
  config.train = "all";
  config.environment.episodes = 32;
  config.environment.distances = {1, 2, 3};
  const SilentUser user;
  Environment world(*graph, index, user, config.environment, 7);
  WalkerActor actor(*policy, nullptr, nullptr, world, config, 5, [] { return Json{{"score", 0}}; });
  A2cTask task(actor, config.a2c);
  torch::optim::Adam optimizer(actor.module().parameters(), torch::optim::AdamOptions(3e-3));
  for (int update = 0; update < 150; ++update) {
    optimizer.zero_grad();
    task.step(0).loss.backward();
    optimizer.step();
  }
  const double after = success(*policy, pairs, index);
  EXPECT_LT(before, 0.5);
  EXPECT_GT(after, 0.9) << "before " << before;
}

}  // namespace
}  // namespace kgwalk::rl
