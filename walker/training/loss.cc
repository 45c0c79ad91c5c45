#include "walker/training/loss.h"

#include <torch/nn/functional/loss.h>

#include "runtime/tensor/device.h"
#include "walker/network/ragged.h"

namespace kgwalk::walker {

using torch::Tensor;

WalkLoss walk_loss(const LossConfig& config, const Tensor& log_probs, const Tensor& offsets,
                   const Tensor& length_logits, const WalkTargets& targets) {
  WalkLoss loss;
  const std::int64_t states = offsets.size(0) - 1;
  const torch::Device device = log_probs.device();
  const Tensor segment = segments_of(offsets).to(device);
  Tensor gold;  // [N] log-probability of what counts as right
  if (targets.accepted.defined()) {
    const Tensor right = torch::zeros({states}, log_probs.options())
                             .index_add(0, segment, log_probs.exp() * on(device, targets.accepted));
    gold = (right + 1e-12).log();
  } else {
    gold = log_probs.index_select(0, on(device, targets.gold));
  }
  if (config.smoothing > 0) {
    const Tensor sizes = (offsets.slice(0, 1) - offsets.slice(0, 0, states)).to(log_probs.options());
    const Tensor mean = torch::zeros({states}, log_probs.options()).index_add(0, segment, log_probs) / sizes;
    gold = gold * (1 - config.smoothing) + mean * config.smoothing;
  }
  loss.path = -gold.mean();
  loss.total = loss.path * config.path;
  if (length_logits.defined()) {
    loss.length = torch::nn::functional::cross_entropy(length_logits, on(device, targets.lengths));
    loss.total = loss.total + loss.length * config.length;
  }
  return loss;
}

}  // namespace kgwalk::walker
