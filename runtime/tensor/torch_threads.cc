#include "runtime/tensor/torch_threads.h"

#include <cstdlib>

#include "kgwalk/threads.h"
#include "runtime/tensor/torch.h"

namespace kgwalk {

void set_torch_threads(int count) {
#if defined(__x86_64__)
  // LibTorch 1.13 picks AVX2 by itself even where AVX-512 is there; the choice is read at the
  // first kernel call.
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
    ::setenv("ATEN_CPU_CAPABILITY", "avx512", /*overwrite=*/0);
#endif
  set_num_threads(count);
  at::set_num_threads(num_threads());
}

void seed_torch(std::uint64_t seed) { torch::manual_seed(seed); }

}  // namespace kgwalk
