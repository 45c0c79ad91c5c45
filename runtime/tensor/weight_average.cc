#include "runtime/tensor/weight_average.h"

#include <algorithm>

#include "kgwalk/error.h"

namespace kgwalk {
namespace {

void add_to(NamedTensors& state, const char* kind, const std::vector<torch::Tensor>& tensors) {
  for (std::size_t i = 0; i < tensors.size(); ++i) state.emplace(kind + std::to_string(i), tensors[i]);
}

void take(NamedTensors& from, const char* kind, const std::vector<torch::Tensor>& into,
          const std::string& source) {
  for (std::size_t i = 0; i < into.size(); ++i) {
    const std::string name = kind + std::to_string(i);
    const auto found = from.find(name);
    if (found == from.end() || found->second.sizes() != into[i].sizes())
      throw FormatError(source + ": '" + name +
                        "' is missing or has another shape, so that it cannot be resumed");
    into[i].copy_(found->second);
    from.erase(found);
  }
}

constexpr const char* kAverage = "average.";
constexpr const char* kStart = "start.";

}  // namespace

WeightAverage::WeightAverage(torch::nn::Module& module, double decay, double start)
    : decay_(decay), start_(start) {
  for (const torch::Tensor& weight : module.parameters())
    if (weight.requires_grad()) {
      weights_.push_back(weight.detach());
      if (decay > 0) averages_.push_back(weight.detach().clone());
      if (start > 0) starts_.push_back(weight.detach().clone());
    }
}

void WeightAverage::update(std::int64_t step) {
  const double first = static_cast<double>(1 + step) / static_cast<double>(10 + step);
  const double share = 1 - std::min(decay_, first);
  for (std::size_t i = 0; i < averages_.size(); ++i) averages_[i].lerp_(weights_[i], share);
}

void WeightAverage::swap() {
  if (!trained_.empty()) {
    for (std::size_t i = 0; i < weights_.size(); ++i) weights_[i].copy_(trained_[i]);
    trained_.clear();
    return;
  }
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    trained_.push_back(weights_[i].clone());
    if (!averages_.empty()) weights_[i].copy_(averages_[i]);
    if (!starts_.empty()) weights_[i].lerp_(starts_[i], start_);
  }
}

NamedTensors WeightAverage::state() const {
  NamedTensors state;
  add_to(state, kAverage, averages_);
  add_to(state, kStart, starts_);
  return state;
}

void WeightAverage::take_state(NamedTensors& tensors, const std::string& source) {
  take(tensors, kAverage, averages_, source);
  take(tensors, kStart, starts_, source);
}

}  // namespace kgwalk
