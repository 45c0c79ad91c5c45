#include "seq2seq/attention/significance.h"

#include <cmath>
#include <limits>
#include <string>

#include "kgwalk/error.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

Tensor significance_of(const std::vector<Tensor>& maps, const Tensor& keep, SignificanceLayers layers) {
  const torch::NoGradGuard no_grad;
  if (maps.empty()) throw ShapeError("significance: there is no attention map; run the encoder first");
  Tensor sum;
  const std::size_t first = layers == SignificanceLayers::kLast ? maps.size() - 1 : 0;
  for (std::size_t l = first; l < maps.size(); ++l) {
    if (maps[l].dim() != 4 || maps[l].size(2) != maps[l].size(3))
      throw ShapeError("significance: attention maps must be [examples, heads, positions, positions]");
    Tensor map = maps[l].detach().mean(1);  // [B, T, T], row = query
    if (keep.defined()) {
      const Tensor dropped = keep.logical_not();
      map = map.masked_fill(dropped.unsqueeze(2), 0).masked_fill(dropped.unsqueeze(1), 0);
    }
    const Tensor received = map.sum(1);  // [B, T]
    const Tensor share = received / received.sum(1, true).clamp_min(1e-30);
    sum = sum.defined() ? sum + share : share;
  }
  return sum / static_cast<double>(maps.size() - first);
}

Tensor significance_of(const AttentionTrace& trace, const Tensor& keep, SignificanceLayers layers) {
  const torch::NoGradGuard no_grad;
  std::vector<Tensor> maps;
  const std::size_t count = trace.layers.size();
  for (std::size_t l = layers == SignificanceLayers::kLast && count > 0 ? count - 1 : 0; l < count; ++l) {
    const TraceEntry& entry = trace.layers[l];
    if (!entry.logits.defined())
      throw ShapeError("significance: the trace has no logits; set keep_logits before the pass");
    const double width = static_cast<double>(entry.inner_width) / static_cast<double>(entry.logits.size(1));
    Tensor scores = entry.logits.detach() / std::sqrt(width);  // [B, H, T, T]
    if (keep.defined())
      scores = scores.masked_fill(keep.logical_not().view({keep.size(0), 1, 1, keep.size(1)}),
                                  std::numeric_limits<float>::lowest());
    maps.push_back(torch::softmax(scores, -1));
  }
  return significance_of(maps, keep, layers);
}

Tensor restrict_prior(const Tensor& prior, const Tensor& part) {
  const Tensor kept = prior.masked_fill(part.logical_not(), 0);
  const Tensor mass = kept.sum(1, true), equal = part.to(prior.scalar_type());
  return torch::where(mass.gt(0), kept / mass.clamp_min(1e-30), equal / equal.sum(1, true).clamp_min(1));
}

}  // namespace kgwalk::seq2seq
