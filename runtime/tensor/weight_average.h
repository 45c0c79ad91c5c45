// What is evaluated and kept instead of the weights that are trained: their exponential average (Polyak and
// Juditsky, SIAM J. Control Optim. 30, 1992), which moves more calmly, and of that and the weights that a
// training began with a mixture (Wortsman et al., CVPR 2022), which forgets less of what they could do.
#pragma once

#include <string>
#include <vector>

#include "runtime/tensor/optimizer.h"
#include "runtime/tensor/torch.h"

namespace kgwalk {

// Borrows the module's parameters that ask for a gradient; everything else is left alone. One thread.
class WeightAverage {
 public:
  // decay 0: the weights themselves stand for their average. start: share of the weights as they are now.
  WeightAverage(torch::nn::Module& module, double decay, double start = 0);

  // Takes in the weights after `step` updates. Early on the average forgets faster, so that it does not
  // remember the beginning: the decay is at most (1 + step) / (10 + step).
  void update(std::int64_t step);
  // Puts what is kept in the place of the weights; called again, puts the weights back.
  void swap();

  // Tensors "average.<number>" and "start.<number>", for checkpoints; not between two calls of swap().
  [[nodiscard]] NamedTensors state() const;
  // Takes its tensors out of `tensors`; FormatError naming `source` when one lacks or has another shape.
  void take_state(NamedTensors& tensors, const std::string& source);

 private:
  double decay_, start_;
  std::vector<torch::Tensor> weights_;   // the module's own
  std::vector<torch::Tensor> averages_;  // of the same shapes; none where there is no decay
  std::vector<torch::Tensor> starts_;    // likewise; none where none of them is kept
  std::vector<torch::Tensor> trained_;   // the weights, while what is kept stands in their place
};

}  // namespace kgwalk
