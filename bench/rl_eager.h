// The peer of the rollout benchmark: the policy of stage 2 written plainly with LibTorch operations, actions
// padded to the largest fan-out of a chunk of situations, what embeddings say of candidate and goal as tensor
// operations over the padded candidates. The features of stage 1 and the contexts of the goals are made by
// the same code as ours.
#pragma once

#include <algorithm>
#include <vector>

#include "bench/walker_eager.h"
#include "embeddings/distance/neighbor_sketch.h"
#include "runtime/tensor/torch.h"
#include "walker/features/goal_features.h"

namespace kgwalk::eager {

class EagerPolicy : public EagerWalker {
 public:
  EagerPolicy(walker::NeuralWalker& walker)
      : EagerWalker(walker.config(), walker.net(), false),
        walker_(walker),
        tables_(walker.resources().tables) {
    const graph::KnowledgeGraph& graph = walker.graph();
    degree_ = torch::empty({static_cast<std::int64_t>(graph.num_entities()) + 1});
    for (graph::EntityId e = 0; e < graph.num_entities(); ++e)
      degree_[e] = std::log1p(static_cast<float>(graph.out_edges(e).size()));
    make_sketches(graph);
  }

  // Log-probabilities of the hops that may be taken, stopping excluded: [N, C], padded.
  Tensor log_probs(std::span<const walker::Example* const> examples, PaddedCandidates& padded) {
    const auto count = static_cast<std::int64_t>(examples.size());
    std::vector<graph::EntityId> entities;
    for (const walker::Example* e : examples) entities.push_back(e->start);
    const std::vector<std::int32_t> hops(examples.size(), 0);
    std::vector<walker::FeatureContext> contexts;
    std::vector<const walker::FeatureContext*> context_pointers;
    if (walker_.config().scoring.features)
      for (const walker::Example* e : examples)
        contexts.push_back(walker_.resources().features->context(*e, walker::kNoGroup));
    for (const auto& context : contexts) context_pointers.push_back(&context);
    const walker::CandidateTensors c = walker_.candidates(entities, hops, context_pointers);
    padded = pad_candidates(c);

    const walker::WalkInputs in = walker_.inputs().build(examples);
    State state = start(in);
    Tensor states = step(prefix(in), state).select(1, 2);  // [N, D]
    Tensor scores = Tensor();
    if (walker_.config().scoring.features) {
      states = states + linear(c.state_features, "scorer.state_feature");
      scores = feature_scores(c, padded);
    }
    const Tensor path = metapath_scores(states, padded, c.hops);  // [N, C]
    scores = scores.defined() ? path + scores : path;
    const Tensor stop = (c.offsets.slice(0, 1) - c.offsets.slice(0, 0, count) - 1).unsqueeze(1);  // [N, 1]
    const Tensor goals = goal_features(examples, c.entities, padded, stop);                       // [N, C, F]
    // How natural a candidate is without the goal, stopping included, in units of five nats.
    const Tensor natural = torch::log_softmax(scores.masked_fill(~padded.keep, -1e9), 1) / 5;
    const Tensor state_in = torch::matmul(states, weights_.at("scorer.goal_state.weight").t());
    const Tensor hidden = torch::relu(linear(goals, "scorer.goal_in") + state_in.unsqueeze(1) +
                                      natural.unsqueeze(2) * weights_.at("scorer.goal_natural_in"));
    scores = scores + torch::matmul(hidden, weights_.at("scorer.goal_out")) +
             torch::matmul(goals, weights_.at("scorer.goal_weight")) +
             natural * weights_.at("scorer.goal_natural");
    return torch::log_softmax(scores.masked_fill(~padded.keep, -1e9).scatter(1, stop, -1e9), 1);
  }

 private:
  // Directions, signs and lengths as tensors, zeros for entities without an edge and for the padding.
  void make_sketches(const graph::KnowledgeGraph& graph) {
    constexpr int kWidth = embeddings::NeighborSketch::kWidth;
    const embeddings::NeighborSketch sketch(graph);
    const std::int64_t n = static_cast<std::int64_t>(graph.num_entities()) + 1;
    directions_ = torch::zeros({n, kWidth});
    signs_ = torch::zeros({n, kWidth});
    norms_ = torch::zeros({n, 1});
    for (graph::EntityId e = 0; e < graph.num_connected(); ++e) {
      const auto i = static_cast<std::int64_t>(e);
      std::copy_n(sketch.direction(e).data(), kWidth, directions_.data_ptr<float>() + i * kWidth);
      for (int column = 0; column < kWidth; ++column)
        signs_.data_ptr<float>()[i * kWidth + column] = sketch.sign(e, column);
      norms_.data_ptr<float>()[i] = sketch.norm(e);
    }
  }

  Tensor feature_scores(const walker::CandidateTensors& c, const PaddedCandidates& padded) {
    const auto& scorer = *walker_.net().scorer;
    const std::int64_t width = c.features.size(1);
    Tensor f = torch::zeros({padded.keep.size(0), padded.keep.size(1), width});  // [N, C, F]
    f.index_put_({padded.keep}, (c.features - scorer.feature_mean) / scorer.feature_deviation);
    const Tensor by_relation =
        weights_.at("scorer.relation_feature_weight").index_select(0, padded.relations.reshape({-1}));
    return torch::matmul(f, weights_.at("scorer.feature_weight")) + (by_relation.view_as(f) * f).sum(2);
  }

  // Rows of a table for padded ids: [N, C] -> [N, C, d]
  static Tensor rows(const Tensor& table, const Tensor& ids) {
    return table.index_select(0, ids.reshape({-1})).view({ids.size(0), ids.size(1), table.size(1)});
  }

  // As walker/features/goal_features.h has them: [N, C, kNumGoalFeatures].
  Tensor goal_features(std::span<const walker::Example* const> examples, const Tensor& here,
                       const PaddedCandidates& c, const Tensor& stop) {
    const std::int64_t n = here.size(0), width = tables_.kg_width;
    const Tensor kg = tables_.entities.slice(1, 0, width), left = tables_.entities.slice(1, width);
    const Tensor goal = torch::empty({n}, torch::kInt64), from = torch::full({n}, -1, torch::kInt64);
    std::vector<walker::GoalContext> contexts;
    std::size_t most_links = 1, most_visits = 1;
    for (std::int64_t i = 0; i < n; ++i) {
      const walker::Example& e = *examples[static_cast<std::size_t>(i)];
      contexts.push_back(walker_.resources().goals->context(e));
      goal.data_ptr<std::int64_t>()[i] = static_cast<std::int64_t>(*e.goal);
      from.data_ptr<std::int64_t>()[i] = contexts.back().came_from;
      most_links = std::max(most_links, contexts.back().links.size() / static_cast<std::size_t>(width));
      most_visits = std::max(most_visits, e.walked.size() + 1);
    }
    const Tensor links = torch::full({n, static_cast<std::int64_t>(most_links), width}, 1e4F);
    const Tensor visited = torch::full({n, static_cast<std::int64_t>(most_visits)}, -1, torch::kInt64);
    for (std::int64_t i = 0; i < n; ++i) {
      const auto& list = contexts[static_cast<std::size_t>(i)].links;
      std::copy(list.begin(), list.end(), links[i].data_ptr<float>());
      const walker::Example& e = *examples[static_cast<std::size_t>(i)];
      auto* v = visited[i].data_ptr<std::int64_t>();
      *v++ = static_cast<std::int64_t>(e.walked.empty() ? e.start : e.walked.front().head);
      for (const graph::Triple& hop : e.walked) *v++ = static_cast<std::int64_t>(hop.tail);
    }
    const Tensor tails = c.tails.scatter(1, stop, here.unsqueeze(1));  // stopping stays here
    const Tensor l = rows(left, tails), k = rows(kg, tails);           // [N, C, d]
    const Tensor to = tables_.distance_partner.index_select(0, goal);  // [N, r]
    const Tensor is_goal = tails == goal.unsqueeze(1);
    const Tensor estimate = torch::bmm(l, to.unsqueeze(2)).squeeze(2).masked_fill(is_goal, 0);  // [N, C]
    const Tensor here_estimate = (left.index_select(0, here) * to).sum(1, true);                // [N, 1]
    const Tensor kg_distance = (k - kg.index_select(0, goal).unsqueeze(1)).norm(2, 2);
    const Tensor link = torch::minimum(torch::cdist(k, links).amin(2), kg_distance + 1);
    const Tensor visits = (tails.unsqueeze(2) == visited.unsqueeze(1)).sum(2).to(torch::kFloat32);
    const auto rank = [&](const Tensor& x) { return x - x.masked_fill(~c.keep, 1e9).amin(1, true); };
    const Tensor zero = torch::zeros_like(estimate);
    const auto beyond_chance = [](const Tensor& x, const Tensor& y) {  // [N, C, w] and [N, w]: [N, C]
      return torch::relu(torch::bmm(x, y.unsqueeze(2)).squeeze(2) - 4);
    };
    const Tensor sketch = rows(directions_, tails), goal_sketch = directions_.index_select(0, goal);
    const Tensor common = beyond_chance(sketch, 16 * goal_sketch),
                 adjacent = beyond_chance(sketch, signs_.index_select(0, goal)),
                 back = beyond_chance(rows(signs_, tails), goal_sketch),
                 scale =
                     torch::log(rows(norms_, tails).squeeze(2) * norms_.index_select(0, goal) / 16 + 1e-4);
    const auto below_best = [&](const Tensor& x) { return rank(-x); };
    return torch::stack({is_goal.to(torch::kFloat32),
                         here_estimate - estimate,
                         estimate,
                         rank(estimate),
                         10 * (l - left.index_select(0, goal).unsqueeze(1)).norm(2, 2),
                         kg_distance,
                         link,
                         rank(link),
                         rows(degree_.unsqueeze(1), tails).squeeze(2),
                         torch::log1p(visits),
                         (visits > 0).to(torch::kFloat32),
                         (tails == from.unsqueeze(1)).to(torch::kFloat32),
                         here_estimate + zero,
                         zero,
                         zero,
                         common,
                         below_best(common),
                         scale,
                         adjacent,
                         below_best(adjacent),
                         back,
                         below_best(back)},
                        2);
  }

  walker::NeuralWalker& walker_;
  const walker::GraphTables& tables_;
  Tensor degree_;                      // [E + 1] log of 1 + out-edges
  Tensor directions_, signs_, norms_;  // [E + 1, w], [E + 1, w], [E + 1, 1] of the neighbor sketches
};

}  // namespace kgwalk::eager
