// LibTorch's part of the thread policy (kgwalk/threads.h) and the compute device.
#pragma once

#include <string_view>

#include "runtime/tensor/torch.h"

namespace kgwalk {

// Sets OpenMP, OpenBLAS and LibTorch to `count` threads (0 = all) and asks LibTorch for its AVX-512 kernels
// where the processor has them. Call before the first tensor operation.
void set_torch_threads(int count);

// "cpu", "cuda" or "cuda:N"; ConfigError when LibTorch has no such device here.
[[nodiscard]] torch::Device parse_device(std::string_view name);

// Seeds LibTorch's default CPU generator.
void seed_torch(std::uint64_t seed);

}  // namespace kgwalk
