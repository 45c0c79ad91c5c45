// The residual step around every sub-layer, in the three placements of layer normalization.
// Private to seq2seq/layers.
#pragma once

#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/functions.h"
#include "seq2seq/layers/norm.h"
#include "seq2seq/layers/options.h"

namespace kgwalk::seq2seq::detail {

enum class NormPlace { kPre, kPost, kNone };

// Where the attentions of a stack normalize; the feed-forward network of norm "end" does as "post".
inline NormPlace attention_place(const StackOptions& options) {
  return options.norm == NormPlacement::kPre    ? NormPlace::kPre
         : options.norm == NormPlacement::kPost ? NormPlace::kPost
                                                : NormPlace::kNone;
}
inline NormPlace ffn_place(const StackOptions& options) {
  return options.norm == NormPlacement::kPre ? NormPlace::kPre : NormPlace::kPost;
}

// x + f(norm(x)), norm(x + f(x)) or x + f(x), with dropout p on f's result.
template <class F>
torch::Tensor residual_step(const torch::Tensor& x, NormPlace place, LayerNorm& norm, double p, F&& f) {
  const torch::Tensor y = f(place == NormPlace::kPre ? norm(x) : x);
  if (place != NormPlace::kPost) return dropout_add(y, x, p);
  return p > 0 ? norm(dropout_add(y, x, p)) : norm->of_sum(y, x);
}

}  // namespace kgwalk::seq2seq::detail
