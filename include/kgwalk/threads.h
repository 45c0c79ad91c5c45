// The one owner of all thread pools. OpenMP's pool serves our loops, OpenBLAS (openmp flavor)
// and LibTorch alike.
#pragma once

#include <cstdint>
#include <string>

namespace kgwalk {

// Sets the OpenMP and OpenBLAS thread count for this process; `count` 0 means all hardware threads
// (respecting OMP_NUM_THREADS and the affinity mask). Call once early; LibTorch's own pool is set by
// kgwalk::set_torch_threads (runtime/tensor/torch_threads.h), which calls this.
void set_num_threads(int count);
[[nodiscard]] int num_threads();

struct BlasInfo {
  std::string name;         // "OpenBLAS 0.3.21 (openmp)" or what is known of another library
  bool openmp = false;      // shares our pool; a pthread flavor fights with it
  double gflops_sgemm = 0;  // measured on a 768^3 single precision product with the threads set now
};
// Measures for about 0.2 s. Thread-safe, not cheap.
[[nodiscard]] BlasInfo probe_blas();

}  // namespace kgwalk
