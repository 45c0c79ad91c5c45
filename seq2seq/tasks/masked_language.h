// Masked language modeling (Devlin et al., NAACL 2019): hiding pieces of padded sequences and scoring what
// an ALBERT says in their place.
#pragma once

#include <cstdint>

#include "runtime/config.h"
#include "runtime/random.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/models/albert.h"
#include "seq2seq/text/tokenizer.h"

namespace kgwalk::seq2seq {

// A batch of sequences with some pieces hidden.
struct MaskedBatch {
  AlbertInput input;
  torch::Tensor labels;  // int64 [B, T]: the true piece where it is to be predicted, else -100
  std::int64_t masked = 0;
};

// Hides each piece of input.ids that is no control piece (padding is one) with probability `share`: of those
// 80 % become [MASK], 10 % a random piece that is no control piece, 10 % stay. At least one piece is hidden
// where there is one to hide. input.ids, on the CPU, is changed in place.
[[nodiscard]] MaskedBatch hide_pieces(AlbertInput input, const Tokenizer& tokenizer, double share,
                                      Random& random);

// Sums over hidden pieces.
struct MaskedScore {
  double loss = 0, right = 0, count = 0;
  void add(AlbertForMaskedLm& model, const MaskedBatch& batch);  // nothing for a batch without hidden pieces
  // {"score", "loss", "accuracy", "perplexity"}, means; zeros when nothing was added.
  [[nodiscard]] Json to_json() const;
};

}  // namespace kgwalk::seq2seq
