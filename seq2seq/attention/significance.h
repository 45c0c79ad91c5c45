// Significance priors of a sequence, read off its self-attention (PAD, thesis Eq. 4.3): how much attention a
// position receives, P(m) = 1/L sum_l (column sum m of A^l) / (sum of A^l), A^l the mean of the heads' maps.
//
//   AttentionTrace trace;
//   trace.keep_logits = true;
//   (void)encoder(x, keep, &trace);
//   const torch::Tensor prior = significance_of(trace, keep, SignificanceLayers::kAll);   // [B, T]
//
// Shape legend as in attention.h. No gradients flow through a prior.
#pragma once

#include <string_view>
#include <vector>

#include "kgwalk/choice.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/attention/trace.h"

namespace kgwalk::seq2seq {

enum class SignificanceLayers {
  kAll,
  kLast,  // the topmost layer alone, which the thesis finds better in some cases
};
constexpr auto choice_names(SignificanceLayers) {
  return choices_in_order<SignificanceLayers>("all", "last");
}

// Attention maps of each layer, [B, H, T, T], rows of kept queries summing to one; keep bool [B, T],
// undefined = all. Result [B, T], not negative, summing to one over the kept positions and zero elsewhere.
// ShapeError without maps.
[[nodiscard]] torch::Tensor significance_of(const std::vector<torch::Tensor>& maps, const torch::Tensor& keep,
                                            SignificanceLayers layers);
// The same from a pass whose trace kept the logits (of plain self-attention: scaled by 1 / sqrt(d), no
// position bias). ShapeError when it did not.
[[nodiscard]] torch::Tensor significance_of(const AttentionTrace& trace, const torch::Tensor& keep,
                                            SignificanceLayers layers);

// A prior restricted to the positions that `part` (bool [B, T]) keeps, summing to one again there; where none
// of its mass is left, equal shares.
[[nodiscard]] torch::Tensor restrict_prior(const torch::Tensor& prior, const torch::Tensor& part);

}  // namespace kgwalk::seq2seq
