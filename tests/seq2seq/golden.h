// Reads golden files: {"case": {"options", "inputs", "weights", "expected"}} with tensors {"shape", "data"}.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "runtime/config.h"
#include "runtime/tensor/torch.h"

namespace kgwalk::seq2seq::testing {

inline std::filesystem::path source_dir() { return KGWALK_SOURCE_DIR; }

// Golden values from outside the repository, in the folder KGWALK_GOLDEN.
inline std::optional<std::filesystem::path> shared_golden(const std::string& name) {
  const char* set = std::getenv("KGWALK_GOLDEN");
  if (set == nullptr || !std::filesystem::exists(std::filesystem::path(set) / name)) return std::nullopt;
  return std::filesystem::path(set) / name;
}

inline torch::Tensor tensor_of(const Json& json, torch::Dtype type = torch::kFloat64) {
  const auto shape = json.at("shape").get<std::vector<std::int64_t>>();
  const auto data = json.at("data").get<std::vector<double>>();
  return torch::tensor(data, torch::kFloat64).reshape(shape).to(type);
}

inline double largest_difference(const torch::Tensor& a, const torch::Tensor& b) {
  if (a.sizes() != b.sizes()) return 1e300;
  return a.numel() == 0 ? 0 : (a.to(torch::kFloat64) - b.to(torch::kFloat64)).abs().max().item<double>();
}

// Puts the module into float64 and evaluation mode and its parameters to `weights`, name by name.
inline void load_weights(torch::nn::Module& module, const Json& weights) {
  const torch::NoGradGuard guard;
  module.to(torch::kFloat64);
  module.eval();
  auto parameters = module.named_parameters();
  ASSERT_EQ(parameters.size(), weights.size());
  for (const auto& item : weights.items()) {
    ASSERT_TRUE(parameters.contains(item.key())) << item.key();
    parameters[item.key()].copy_(tensor_of(item.value()));
  }
}

}  // namespace kgwalk::seq2seq::testing
