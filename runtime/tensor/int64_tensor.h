// A vector of ids as a tensor, and back.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/tensor/torch.h"

namespace kgwalk {

// A copy: int64 [values.size()] on a device, the processor unless told.
inline torch::Tensor int64_tensor(const std::vector<std::int64_t>& values,
                                  torch::Device device = torch::kCPU) {
  return torch::tensor(at::ArrayRef<std::int64_t>(values), torch::kInt64).to(device);
}

// The elements of any tensor of integers, in its order.
inline std::vector<std::int64_t> int64_values(const torch::Tensor& x) {
  const torch::Tensor flat = x.to(torch::kCPU, torch::kInt64).contiguous();
  return {flat.data_ptr<std::int64_t>(), flat.data_ptr<std::int64_t>() + flat.numel()};
}

}  // namespace kgwalk
