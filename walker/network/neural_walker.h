// A walker made of a network and the shared candidate scorer, behind the WalkModel interface. Batches are
// made on the processor and moved to the weights here; the numbers of WalkModel come back to the processor.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "runtime/tensor/tensor_io.h"
#include "runtime/tensor/torch.h"
#include "walker/config.h"
#include "walker/data/starts.h"
#include "walker/features/goal_features.h"
#include "walker/model.h"
#include "walker/network/candidate_scorer.h"
#include "walker/network/inputs.h"
#include "walker/network/listener.h"
#include "walker/network/network.h"
#include "walker/network/resources.h"

namespace kgwalk::walker {

// All weights of a walker; registered names metapath, network, scorer, listener are the checkpoint format.
class WalkerNetImpl : public torch::nn::Module {
 public:
  // `relations`: read when config.listen is on.
  WalkerNetImpl(const WalkerConfig& config, const GraphTables& tables, const InputSizes& sizes,
                const RelationBags& relations);

  MetaPathTables metapath{nullptr};
  std::shared_ptr<WalkNetworkImpl> network;
  CandidateScorer scorer{nullptr};
  Listener listener{nullptr};  // config.listen.on
  torch::Tensor starts;        // [kNumStartFeatures] weights of candidate starts; fitted, config.listen.on
};
TORCH_MODULE(WalkerNet);

class NeuralWalker : public WalkModel {
 public:
  // Takes the weights as they are; `seed_torch` before makes fresh ones reproducible. `read`: of a
  // checkpoint, whose relations then need not be read through the text encoder again.
  NeuralWalker(const WalkerConfig& config, Resources resources, const NamedTensors& read = {});

  [[nodiscard]] const graph::KnowledgeGraph& graph() const override { return *resources_.graph; }
  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] std::unique_ptr<Encoded> encode(std::span<const Example> examples) const override;
  [[nodiscard]] CandidateScores score(Encoded& encoded, std::span<const PartialPath> states) const override;
  [[nodiscard]] std::vector<float> length_log_probs(Encoded& encoded) const override;
  [[nodiscard]] std::vector<Hearing> hear(Encoded& encoded) const override;
  [[nodiscard]] RelationHearing relation_hearing(Encoded& encoded, std::size_t example) const override;

  [[nodiscard]] std::vector<ChosenStart> choose_start(const Example& example) const override;
  // The candidates with all their features, in the order of find_starts(); empty when the walker does not
  // listen.
  [[nodiscard]] std::vector<StartCandidate> start_candidates(const Example& example) const;

  // Where the weights lie; tensors with gradients lie there too.
  [[nodiscard]] torch::Device device() const;
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
  // What examples said and how it asks for relations; empty where the walker does not listen.
  struct Listening {
    ListenerImpl::Relations relations;
    ListenerImpl::Heard heard;
    torch::Tensor asks;  // [B, 2]
    [[nodiscard]] bool on() const { return asks.defined(); }
  };
  [[nodiscard]] Listening listen(const WalkInputs& inputs) const;
  // Walk states of a batch: their vectors [N, D], the example of each and the relation walked last
  // (num_relations() where there is none), int64 [N].
  struct Standing {
    torch::Tensor states, owners, before;
  };
  // Teacher forcing of the network (walker/network/network.h).
  [[nodiscard]] Decoded teach(const WalkInputs& inputs, const MetaPathIds& hops) const;
  // Scores before the softmax, [K]; log-probabilities where the walker listens.
  [[nodiscard]] torch::Tensor scores(const Standing& standing, const CandidateTensors& candidates,
                                     const Listening& listening) const;

  struct FirstHop {
    torch::Tensor states;  // [B, D]
    torch::Tensor scores;  // [K] before the softmax
  };
  // With gradients when they are recorded.
  [[nodiscard]] FirstHop first_hop(const Situations& situations) const;

 private:
  // Scores of all relations at the first hop from `starts`, one of each that was heard.
  [[nodiscard]] ListenerImpl::Rows rows_at(const ListenerImpl::Heard& heard,
                                           const ListenerImpl::Relations& relations,
                                           std::span<const graph::EntityId> starts) const;
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
