// A walker made of a network and the shared candidate scorer, behind the WalkModel interface.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "runtime/tensor/torch.h"
#include "walker/config.h"
#include "walker/features/goal_features.h"
#include "walker/model.h"
#include "walker/network/candidate_scorer.h"
#include "walker/network/inputs.h"
#include "walker/network/network.h"
#include "walker/network/resources.h"

namespace kgwalk::walker {

// All weights of a walker; registered names metapath, network, scorer are the checkpoint format.
class WalkerNetImpl : public torch::nn::Module {
 public:
  WalkerNetImpl(const WalkerConfig& config, const GraphTables& tables, const InputSizes& sizes);

  MetaPathTables metapath{nullptr};
  std::shared_ptr<WalkNetworkImpl> network;
  CandidateScorer scorer{nullptr};
};
TORCH_MODULE(WalkerNet);

class NeuralWalker : public WalkModel {
 public:
  // Takes the weights as they are; `seed_torch` before makes fresh ones reproducible.
  NeuralWalker(const WalkerConfig& config, Resources resources);

  [[nodiscard]] const graph::KnowledgeGraph& graph() const override { return *resources_.graph; }
  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] std::unique_ptr<Encoded> encode(std::span<const Example> examples) const override;
  [[nodiscard]] CandidateScores score(Encoded& encoded, std::span<const PartialPath> states) const override;
  [[nodiscard]] std::vector<float> length_log_probs(Encoded& encoded) const override;

  // The weights; changing them is the trainer's business.
  [[nodiscard]] WalkerNetImpl& net() const { return *net_; }
  [[nodiscard]] const InputBuilder& inputs() const { return inputs_; }
  [[nodiscard]] const Resources& resources() const { return resources_; }
  [[nodiscard]] const WalkerConfig& config() const { return config_; }

  // Candidates of states that stand on `entities` after `hops` hops, with features when the configuration has
  // them. contexts: one a state, needed only then. goals: one a state, or none when no state has a goal.
  [[nodiscard]] CandidateTensors candidates(std::span<const graph::EntityId> entities,
                                            std::span<const std::int32_t> hops,
                                            std::span<const FeatureContext* const> contexts,
                                            std::span<const GoalContext* const> goals = {}) const;

  // Stage 2 learns from the first hop of each example. What the weights do not decide is made apart, once.
  struct Situations {
    WalkInputs inputs;
    CandidateTensors candidates;
    [[nodiscard]] Situations without_goals(std::int64_t no_goal) const;  // no_goal: the eop entity
  };
  [[nodiscard]] Situations situations(std::span<const Example* const> examples) const;
  struct FirstHop {
    torch::Tensor states;  // [B, D]
    torch::Tensor scores;  // [K] before the softmax
  };
  // With gradients when they are recorded.
  [[nodiscard]] FirstHop first_hop(const Situations& situations) const;

 private:
  struct Batch;
  // One an example; empty when none has a goal or the configuration does not compare with it.
  [[nodiscard]] std::vector<GoalContext> goal_contexts(std::span<const Example* const> examples) const;
  [[nodiscard]] torch::Tensor states_of(const Batch& batch, std::span<const PartialPath> paths) const;

  WalkerConfig config_;
  Resources resources_;
  InputBuilder inputs_;
  mutable WalkerNet net_{nullptr};  // forward() of LibTorch modules is not const
};

}  // namespace kgwalk::walker
