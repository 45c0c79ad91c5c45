// LibTorch's part of the thread policy (kgwalk/threads.h), and its seed.
#pragma once

#include <cstdint>

#include "runtime/tensor/torch.h"

namespace kgwalk {

// Sets OpenMP, OpenBLAS and LibTorch to `count` threads (0 = all) and asks LibTorch for its AVX-512 kernels
// where the processor has them. Call before the first tensor operation.
void set_torch_threads(int count);

// Seeds LibTorch's default generators, those of accelerators too.
void seed_torch(std::uint64_t seed);

}  // namespace kgwalk
