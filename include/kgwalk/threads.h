// The one owner of all thread pools: OpenMP's pool serves kgwalk's loops, OpenBLAS (openmp flavor) and
// LibTorch alike.
//
// Example:
//   kgwalk::set_num_threads(0);  // all processors that this process may use
//   std::cout << kgwalk::num_threads() << " threads\n";
//   const kgwalk::BlasInfo blas = kgwalk::probe_blas();
//   if (!blas.openmp) std::cerr << blas.name << " has threads of its own, which fight with ours\n";
//
// Work that is said to use "all threads" uses this many. What it computes does not depend on their number
// beyond rounding; on one thread the same seed gives the same bits.
#pragma once

#include <cstdint>
#include <string>

namespace kgwalk {

// Sets how many threads a loop, a matrix product and a LibTorch operation of this process may use.
//
// count: 1 or more; 0 means OMP_NUM_THREADS where it is set, else all processors of the affinity mask. Less
//        than 0 is a ConfigError.
//
// A training uses fewer while other programs hold processors, unless OMP_DYNAMIC=false is in the environment.
//
// Call it once, early in main, before other threads call into kgwalk. Without a call it is as after
// set_num_threads(0). The pools of LibTorch are set when a model is opened or trained.
void set_num_threads(int count);

// What is set now; 1 or more. Thread-safe.
[[nodiscard]] int num_threads();

// The BLAS that this process is linked with.
struct BlasInfo {
  std::string name;     // "OpenBLAS 0.3.21 (openmp)", or what is known of another library
  std::string kernels;  // the processor that its kernels are made for, "SkylakeX"; empty: it does not tell
  bool openmp = false;  // shares our pool; a pthread flavor fights with it
  double gflops_sgemm = 0;  // 10^9 operations a second, 768^3 product in single precision
};

// Measures for about 0.2 s. Thread-safe, but calls at the same time disturb each other's measure.
[[nodiscard]] BlasInfo probe_blas();

}  // namespace kgwalk
