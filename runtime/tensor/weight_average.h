// Exponential average of a module's trained weights (Polyak and Juditsky, SIAM J. Control Optim. 30, 1992):
// what is evaluated and kept then moves more calmly than what is trained.
#pragma once

#include <string>
#include <vector>

#include "runtime/tensor/optimizer.h"
#include "runtime/tensor/torch.h"

namespace kgwalk {

// Borrows the module's parameters that ask for a gradient; everything else is left alone. One thread.
class WeightAverage {
 public:
  WeightAverage(torch::nn::Module& module, double decay);

  // Takes in the weights after `step` updates. Early on the average forgets faster, so that it does not
  // remember the beginning: the decay is at most (1 + step) / (10 + step).
  void update(std::int64_t step);
  // Exchanges the weights with their average; calling it twice changes nothing.
  void swap();

  // Tensors "average.<number>", for checkpoints.
  [[nodiscard]] NamedTensors state() const;
  // Takes its tensors out of `tensors`; FormatError naming `source` when one lacks or has another shape.
  void take_state(NamedTensors& tensors, const std::string& source);

 private:
  double decay_;
  std::vector<torch::Tensor> weights_;   // the module's own
  std::vector<torch::Tensor> averages_;  // of the same shapes
};

}  // namespace kgwalk
