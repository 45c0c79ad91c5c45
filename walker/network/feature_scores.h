// What the features of candidates add to their scores, for inference on the processor: block by block, so
// that what lies between the layers stays in the cache and a plan through hubs needs no tensors of all their
// candidates.
#pragma once

#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/row_map.h"
#include "walker/network/candidate_scorer.h"

namespace kgwalk::walker {

// Weights of the feature terms of a CandidateScorer; K candidates, N states, F features, R + 1 relations.
struct FeatureTerms {
  torch::Tensor mean, deviation;  // [F]
  torch::Tensor weight;           // [F]
  torch::Tensor own;              // [R + 1, F] beside `weight`, of each relation
  seq2seq::RowMap in;             // F -> hidden
  torch::Tensor relations;        // [R + 1, hidden] added behind it, of each relation
  torch::Tensor states;           // [N, hidden] the same of each state
  torch::Tensor out;              // [hidden]
};

// f . (weight + own_r) + out . relu(in(f) + relations_r + states_n), f = (features - mean) / deviation: [K].
// Each operation in the order in which CandidateScorer does it with gradients. No gradients.
[[nodiscard]] torch::Tensor scores_of_features(const CandidateTensors& candidates, const FeatureTerms& terms);

}  // namespace kgwalk::walker
