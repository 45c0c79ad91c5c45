#include "runtime/tensor/torch_threads.h"

#include <torch/cuda.h>

#include <cstdlib>

#include "kgwalk/error.h"
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

torch::Device parse_device(std::string_view name) {
  const std::string text(name);
  if (text == "cpu") return torch::kCPU;
  const bool is_cuda = text == "cuda" || (text.starts_with("cuda:") && text.size() > 5 &&
                                          text.find_first_not_of("0123456789", 5) == std::string::npos);
  if (!is_cuda) throw ConfigError("device '" + text + "': must be cpu, cuda or cuda:N");
  if (!torch::cuda::is_available())
    throw ConfigError("device '" + text + "': this LibTorch or this machine has no CUDA",
                      Remedy{Remedy::kComputeOn, "cpu"});
  const torch::Device device(text);
  if (device.has_index() && device.index() >= static_cast<int>(torch::cuda::device_count()))
    throw ConfigError("device '" + text + "': there are " + std::to_string(torch::cuda::device_count()) +
                      " devices");
  return device;
}

void seed_torch(std::uint64_t seed) { torch::manual_seed(seed); }

}  // namespace kgwalk
