// CTC beside an attention decoder in the one beam search, label by label: every row of the search keeps the
// forward variables of its prefix, and a unit's score becomes
//   (1 - w) log p_attention(c | g) + w (log psi(g c) - log psi(g)),
// for the end w (log p_ctc(g) - log psi(g)) (Watanabe et al., IEEE JSTSP 2017, Eq. 45 and 50-52).
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/tensor/torch.h"
#include "seq2seq/search/ctc.h"

namespace kgwalk::seq2seq {

struct JointCtcOptions {
  double weight = 0.3;
  int blank = 0;
  int end = 3;
  // Only so many units a row, the best by attention, get a CTC score and stay in the search; the
  // end always does.
  int candidates = 20;
};

// One search over the groups of a batch. Not thread-safe.
class JointCtc {
 public:
  // log_probs float32 [B, T', V] on the CPU; lengths int64 [B], frames of each group.
  JointCtc(const torch::Tensor& log_probs, const torch::Tensor& lengths, const JointCtcOptions& options);

  // To be called once a step, with what the search gave for it (ScoreStep of search/token_search.h): scores
  // [N, V], the attention's log-probabilities, become joint ones in place.
  void join(const torch::Tensor& pieces, const torch::Tensor& parents, torch::Tensor& scores);

 private:
  struct Row {
    std::size_t group = 0;
    CtcPrefixScorer::State state;
  };
  void join_row(const Row& row, std::span<float> scores);

  JointCtcOptions options_;
  torch::Tensor log_probs_;
  std::vector<CtcPrefixScorer> scorers_;
  std::vector<Row> rows_;
  std::vector<std::int32_t> order_;
};

}  // namespace kgwalk::seq2seq
