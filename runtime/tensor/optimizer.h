// Adam with decoupled or classic L2 decay over one flat buffer: all parameters and gradients live in two
// contiguous arrays, so that clipping and the update are one pass each (the fused Adam of target P12).
#pragma once

#include <string>
#include <vector>

#include "runtime/config.h"
#include "runtime/tensor/tensor_io.h"
#include "runtime/tensor/torch.h"

namespace kgwalk {

struct AdamUpdate;

struct AdamConfig {
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double l2 = 0;            // added to the gradient (the L2 term of a loss)
  double weight_decay = 0;  // decoupled (AdamW)
  double clip_norm = 0;     // global gradient norm; 0 = off
  template <class F>
  void fields(F& f) {
    f("lr", lr, "Learning rate at its peak.").range(0, 10);
    f("beta1", beta1, "Decay of the first moment of the gradient.").range(0, 0.99999);
    f("beta2", beta2, "Decay of the second moment of the gradient.").range(0, 0.9999999);
    f("eps", eps, "Number added to the root of the second moment.").range(0, 1);
    f("l2", l2, "Weight of the L2 term that is added to the gradient.").range(0, 10);
    f("weight_decay", weight_decay, "Decoupled weight decay, as AdamW has it.").range(0, 10);
    f("clip_norm", clip_norm, "Norm to which a larger gradient is cut; 0 cuts nothing.").range(0, 1e9);
  }
};

// Takes over the storage of the parameters (they become views of the flat buffer). Parameters that require
// gradients only, all float32 or (slowly, for comparisons) all float64; frozen ones are left alone.
// Parameters keep their addresses after construction.
class FlatAdam {
 public:
  FlatAdam(std::vector<torch::Tensor> parameters, AdamConfig config);

  void zero_grad();
  // Multiplies all gradients, e.g. by one over the weight of accumulated batches.
  void scale_grad(double factor);
  // All gradients, [P], for what sums them over processes.
  [[nodiscard]] torch::Tensor& gradients() noexcept { return gradients_; }
  // All that one process must take from another to go on alike: parameters and moments, [P] each.
  [[nodiscard]] std::vector<torch::Tensor*> buffers() noexcept { return {&parameters_, &m_, &v_}; }
  // Global gradient norm before clipping; the update uses config.lr * lr_scale. NumericError when the norm is
  // not finite (nothing is changed then).
  double step(double lr_scale = 1.0);

  [[nodiscard]] std::int64_t num_parameters() const;
  [[nodiscard]] NamedTensors state() const;  // "m", "v", "step"
  void set_state(const NamedTensors& state, const std::string& source);
  [[nodiscard]] const AdamConfig& config() const noexcept { return config_; }

 private:
  void check_views() const;
  void step_by_torch(const AdamUpdate& update);

  AdamConfig config_;
  std::vector<torch::Tensor> trained_;
  torch::Tensor parameters_, gradients_, m_, v_;  // [P] each, P with alignment gaps
  std::int64_t steps_ = 0;
};

}  // namespace kgwalk
