#include "runtime/tensor/weight_average.h"

#include <algorithm>

#include "kgwalk/error.h"

namespace kgwalk {
namespace {

std::string name_of(std::size_t i) { return "average." + std::to_string(i); }

}  // namespace

WeightAverage::WeightAverage(torch::nn::Module& module, double decay) : decay_(decay) {
  for (const torch::Tensor& weight : module.parameters())
    if (weight.requires_grad()) {
      weights_.push_back(weight.detach());
      averages_.push_back(weight.detach().clone());
    }
}

void WeightAverage::update(std::int64_t step) {
  const double first = static_cast<double>(1 + step) / static_cast<double>(10 + step);
  const double share = 1 - std::min(decay_, first);
  for (std::size_t i = 0; i < weights_.size(); ++i) averages_[i].lerp_(weights_[i], share);
}

void WeightAverage::swap() {
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    const torch::Tensor kept = weights_[i].clone();
    weights_[i].copy_(averages_[i]);
    averages_[i].copy_(kept);
  }
}

NamedTensors WeightAverage::state() const {
  NamedTensors state;
  for (std::size_t i = 0; i < averages_.size(); ++i) state.emplace(name_of(i), averages_[i]);
  return state;
}

void WeightAverage::take_state(NamedTensors& tensors, const std::string& source) {
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    const auto found = tensors.find(name_of(i));
    if (found == tensors.end() || found->second.sizes() != averages_[i].sizes())
      throw FormatError(source + ": '" + name_of(i) +
                        "' is missing or has another shape, so that it cannot be resumed");
    averages_[i].copy_(found->second);
    tensors.erase(found);
  }
}

}  // namespace kgwalk
