// Scores of the candidates of walk states: the MetaPath product of thesis Eq. 5.7 and, as options, the
// terms of our best walker. Nothing is padded to the largest hub and no vector a candidate is made for
// the MetaPath part.
#pragma once

#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/linear.h"
#include "walker/features/candidates.h"
#include "walker/network/metapath.h"

namespace kgwalk::walker {

// Candidates as tensors. N states, K candidates of all of them, F features.
struct CandidateTensors {
  torch::Tensor offsets;         // int64 [N + 1], CPU
  torch::Tensor relations;       // int64 [K]; R = eop
  torch::Tensor tails;           // int64 [K]; E = eop
  torch::Tensor entities;        // int64 [N] entity stood on
  torch::Tensor hops;            // int64 [N] hops taken before
  torch::Tensor groups;          // int64 [G + 1] runs of candidates of one relation, CPU
  torch::Tensor group_states;    // int64 [N + 1] first run of each state, CPU
  torch::Tensor features;        // float [K, F]; undefined without features
  torch::Tensor state_features;  // float [N, kNumStateFeatures]; undefined without features
  torch::Tensor goal_features;   // float [K, kNumGoalFeatures]; undefined where no state has a goal
  torch::Tensor goal_given;      // float [N] 1 where a state has a goal; beside goal_features
  torch::Tensor log_fan_out;     // float [K] log of the state's candidates with the same relation (SP only)
  torch::Tensor log_parallel;    // float [K] log of the state's candidates with the same tail (SP only)
  // Those that are said to lie on the processor stay there.
  [[nodiscard]] CandidateTensors to(torch::Device device) const;
};

[[nodiscard]] CandidateTensors to_tensors(const Candidates& candidates, std::span<const std::int32_t> hops,
                                          const ScoringConfig& config);

class CandidateScorerImpl : public torch::nn::Module {
 public:
  // `state_width`: width of the states that come in. `max_hops` rows of relation biases.
  CandidateScorerImpl(const ScoringConfig& config, MetaPathTables tables, std::int64_t state_width,
                      int max_hops);

  // Scores before the softmax: states [N, D] -> [K]. For SP the sum of the two
  // log-probabilities, to be normalized again for ranking; its value at the gold candidate is
  // the sum of the two cross-entropies, negated.
  torch::Tensor forward(const torch::Tensor& states, const CandidateTensors& candidates);

  // Mean and deviation by which features are standardized: [F] each, stored in the checkpoint.
  void set_feature_scale(const torch::Tensor& mean, const torch::Tensor& deviation);
  // All weights zero: every candidate is as likely as any other. For a walker that has no habits yet.
  void forget();

  seq2seq::Linear project{nullptr};               // D -> width of a MetaPath; none where D is that width
  torch::Tensor relation_bias;                    // [max_hops, R + 1]
  torch::Tensor feature_mean, feature_deviation;  // [F]
  torch::Tensor feature_weight;                   // [F]
  torch::Tensor relation_feature_weight;          // [R + 1, F]
  seq2seq::Linear state_feature{nullptr};         // kNumStateFeatures -> D
  torch::Tensor hidden_relation;                  // [R + 1, relation_width]
  seq2seq::Linear hidden_in{nullptr};             // features -> hidden
  seq2seq::Linear hidden_in_relation{nullptr}, hidden_in_state{nullptr};
  torch::Tensor hidden_out;             // [hidden]
  torch::Tensor goal_weight;            // [kNumGoalFeatures]
  seq2seq::Linear goal_in{nullptr};     // goal features -> hidden
  seq2seq::Linear goal_state{nullptr};  // D -> hidden
  torch::Tensor goal_out;               // [hidden]
  // What the natural log-probability of a candidate adds to the comparison with a goal: the same goal can be
  // approached naturally or not.
  torch::Tensor goal_natural;     // [1]
  torch::Tensor goal_natural_in;  // [hidden]

 private:
  void make_feature_terms(std::int64_t state_width);
  torch::Tensor relation_scores(const torch::Tensor& state, const CandidateTensors& c);  // [K]
  torch::Tensor entity_scores(const torch::Tensor& projected, const CandidateTensors& c);
  torch::Tensor feature_scores(const torch::Tensor& states, const CandidateTensors& c);
  // natural: scores without the goal, [K]
  torch::Tensor goal_scores(const torch::Tensor& states, const CandidateTensors& c,
                            const torch::Tensor& natural);

  ScoringConfig config_;
  MetaPathTables tables_;
};
TORCH_MODULE(CandidateScorer);

}  // namespace kgwalk::walker
