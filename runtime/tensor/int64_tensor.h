// A vector of ids as a tensor.
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

}  // namespace kgwalk
