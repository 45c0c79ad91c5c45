#include "walker/network/neural_walker.h"

#include <algorithm>
#include <numeric>

#include "kgwalk/error.h"
#include "runtime/text.h"
#include "walker/network/ragged.h"

namespace kgwalk::walker {

using torch::Tensor;

WalkerNetImpl::WalkerNetImpl(const WalkerConfig& config, const GraphTables& tables, const InputSizes& sizes) {
  metapath = register_module("metapath", MetaPathTables(config.metapath, tables));
  network = register_module("network", make_network(config, metapath, sizes));
  scorer = register_module(
      "scorer", CandidateScorer(config.scoring, metapath, network->state_width(), config.max_hops));
}

struct NeuralWalker::Batch : Encoded {
  std::vector<Example> examples;
  std::vector<const Example*> pointers;
  std::vector<FeatureContext> contexts;  // empty without features
  std::vector<GoalContext> goals;        // empty when no example has a goal, or none is compared
  std::unique_ptr<WalkState> state;
};

NeuralWalker::NeuralWalker(const WalkerConfig& config, Resources resources)
    : config_(config),
      resources_(std::move(resources)),
      inputs_(config, *resources_.graph, *resources_.text, resources_.vocabulary.get()),
      net_(config, resources_.tables,
           InputSizes{resources_.text->width(), resources_.text->max_tokens(),
                      resources_.vocabulary->size()}) {
  net_->eval();
}

std::string NeuralWalker::describe() const {
  std::int64_t count = 0;
  for (const Tensor& p : net_->parameters()) count += p.numel();
  return std::string(config_.model.name()) + ", " + with_commas(count) + " trained weights";
}

CandidateTensors NeuralWalker::candidates(std::span<const graph::EntityId> entities,
                                          std::span<const std::int32_t> hops,
                                          std::span<const FeatureContext* const> contexts,
                                          std::span<const GoalContext* const> goals) const {
  const Candidates found = candidates_of(*resources_.graph, entities);
  CandidateTensors c = to_tensors(found, hops, config_.scoring);
  if (config_.scoring.features) {
    c.features = torch::empty({found.size(), kNumFeatures});
    c.state_features = torch::empty({found.num_states(), kNumStateFeatures});
    resources_.features->extract(
        contexts, hops, found, {c.features.data_ptr<float>(), static_cast<std::size_t>(c.features.numel())},
        {c.state_features.data_ptr<float>(), static_cast<std::size_t>(c.state_features.numel())});
  }
  if (!goals.empty()) {
    c.goal_features = torch::empty({found.size(), kNumGoalFeatures});
    c.goal_given = torch::empty({found.num_states()});
    for (std::size_t i = 0; i < goals.size(); ++i)
      c.goal_given.data_ptr<float>()[i] = goals[i]->goal.has_value();
    resources_.goals->extract(
        goals, found, {c.goal_features.data_ptr<float>(), static_cast<std::size_t>(c.goal_features.numel())});
  }
  return c;
}

std::vector<GoalContext> NeuralWalker::goal_contexts(std::span<const Example* const> examples) const {
  std::vector<GoalContext> goals;
  if (!config_.scoring.goal) return goals;
  if (std::none_of(examples.begin(), examples.end(), [](const Example* e) { return e->goal.has_value(); }))
    return goals;
  for (const Example* example : examples) goals.push_back(resources_.goals->context(*example));
  return goals;
}

NeuralWalker::Situations NeuralWalker::Situations::without_goals(std::int64_t no_goal) const {
  Situations result = *this;
  result.inputs.goals = torch::full_like(inputs.goals, no_goal);
  result.candidates.goal_features = Tensor();
  return result;
}

NeuralWalker::Situations NeuralWalker::situations(std::span<const Example* const> examples) const {
  std::vector<graph::EntityId> entities;
  std::vector<FeatureContext> contexts;
  std::vector<const FeatureContext*> context_pointers;
  for (const Example* example : examples) {
    entities.push_back(example->start);
    if (config_.scoring.features) contexts.push_back(resources_.features->context(*example, kNoGroup));
  }
  for (const FeatureContext& context : contexts) context_pointers.push_back(&context);
  const std::vector<GoalContext> goals = goal_contexts(examples);
  std::vector<const GoalContext*> goal_pointers;
  for (const GoalContext& goal : goals) goal_pointers.push_back(&goal);
  const std::vector<std::int32_t> hops(examples.size(), 0);
  return {inputs_.build(examples), candidates(entities, hops, context_pointers, goal_pointers)};
}

NeuralWalker::FirstHop NeuralWalker::first_hop(const Situations& situations) const {
  const Tensor none = torch::zeros({situations.inputs.size(), 0}, torch::kInt64);
  FirstHop hop;
  hop.states = net_->network->teach(situations.inputs, MetaPathIds{none, none, none}).states.select(1, 0);
  hop.scores = net_->scorer(hop.states, situations.candidates);
  return hop;
}

std::unique_ptr<Encoded> NeuralWalker::encode(std::span<const Example> examples) const {
  const torch::NoGradGuard no_grad;
  auto batch = std::make_unique<Batch>();
  batch->examples.assign(examples.begin(), examples.end());
  for (const Example& example : batch->examples) batch->pointers.push_back(&example);
  if (config_.scoring.features)
    for (const Example& example : batch->examples)
      batch->contexts.push_back(resources_.features->context(example, kNoGroup));
  batch->goals = goal_contexts(batch->pointers);
  if (!examples.empty()) batch->state = net_->network->start(inputs_.build(batch->pointers));
  return batch;
}

// States of paths that all have the same number of hops: [N, D].
Tensor NeuralWalker::states_of(const Batch& batch, std::span<const PartialPath> paths) const {
  // The network wants the paths of one example together, examples in ascending order.
  std::vector<std::int64_t> order(paths.size()), place(paths.size()), owners;
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return paths[static_cast<std::size_t>(a)].example < paths[static_cast<std::size_t>(b)].example;
  });
  std::vector<PartialPath> sorted;
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted.push_back(paths[static_cast<std::size_t>(order[i])]);
    owners.push_back(sorted.back().example);
    place[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  }
  const Tensor owner = torch::tensor(at::ArrayRef<std::int64_t>(owners), torch::kInt64);
  const int hops = paths.front().num_hops;
  const Tensor states =
      hops == 0
          ? batch.state->first.index_select(0, owner)
          : net_->network->extend(*batch.state, InputBuilder::hops(sorted, batch.pointers, hops), owner);
  return states.index_select(0, torch::tensor(at::ArrayRef<std::int64_t>(place), torch::kInt64));
}

CandidateScores NeuralWalker::score(Encoded& encoded, std::span<const PartialPath> states) const {
  const torch::NoGradGuard no_grad;
  const auto& batch = static_cast<const Batch&>(encoded);
  CandidateScores result;
  result.offsets.push_back(0);
  for (std::size_t begin = 0; begin < states.size();) {
    std::size_t end = begin;
    while (end < states.size() && states[end].num_hops == states[begin].num_hops) ++end;
    const auto part = states.subspan(begin, end - begin);
    std::vector<graph::EntityId> entities;
    std::vector<std::int32_t> hops;
    std::vector<const FeatureContext*> contexts;
    std::vector<const GoalContext*> goals;
    for (const PartialPath& path : part) {
      const auto example = static_cast<std::size_t>(path.example);
      entities.push_back(entity_of(path, batch.examples[example].start));
      hops.push_back(path.num_hops);
      if (config_.scoring.features) contexts.push_back(&batch.contexts[example]);
      if (!batch.goals.empty()) goals.push_back(&batch.goals[example]);
    }
    const CandidateTensors c = candidates(entities, hops, contexts, goals);
    const Tensor log_probs =
        ragged_log_softmax(net_->scorer(states_of(batch, part), c), c.offsets).contiguous();
    const float* data = log_probs.data_ptr<float>();
    const std::int64_t base = result.offsets.back();
    result.log_probs.insert(result.log_probs.end(), data, data + log_probs.numel());
    for (std::size_t i = 1; i <= part.size(); ++i)
      result.offsets.push_back(base + c.offsets.data_ptr<std::int64_t>()[i]);
    begin = end;
  }
  return result;
}

std::vector<float> NeuralWalker::length_log_probs(Encoded& encoded) const {
  const torch::NoGradGuard no_grad;
  const auto& batch = static_cast<const Batch&>(encoded);
  if (!batch.state || !batch.state->lengths.defined()) return {};
  const Tensor log_probs = torch::log_softmax(batch.state->lengths, 1).contiguous();  // [B, max_hops]
  std::vector<float> result(batch.examples.size() * kMaxHops, -1e9F);
  for (std::int64_t b = 0; b < log_probs.size(0); ++b)
    for (std::int64_t k = 0; k < log_probs.size(1); ++k)
      result[static_cast<std::size_t>(b * kMaxHops + k)] = log_probs[b][k].item<float>();
  return result;
}

}  // namespace kgwalk::walker
