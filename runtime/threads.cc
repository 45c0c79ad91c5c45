#include "runtime/parallel.h"

#include <dlfcn.h>
#include <omp.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "kgwalk/error.h"

// The Fortran interface is the one that every BLAS has.
extern "C" void sgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n,
                       const int* k, const float* alpha, const float* a, const int* lda, const float* b,
                       const int* ldb, const float* beta, float* c, const int* ldc);

namespace kgwalk {
namespace {

std::atomic<int> g_threads{0};
// What set_num_threads() was given last, and how many loops share with other programs.
std::mutex g_sharing;
int g_given = 0, g_sharers = 0;

// A function of the BLAS that is loaded, or nullptr: only OpenBLAS has its control functions.
template <class Fn>
Fn* loaded(const char* name) {
  return reinterpret_cast<Fn*>(::dlsym(RTLD_DEFAULT, name));
}

// In the pools of the thread that calls.
void use_threads(int threads) {
  g_threads = threads;
  omp_set_num_threads(threads);
  if (auto* set = loaded<void(int)>("openblas_set_num_threads")) set(threads);
}

int default_threads() {
  const int processors = omp_get_num_procs();
  const char* text = std::getenv("OMP_NUM_THREADS");
  const int wanted = text != nullptr ? std::atoi(text) : 0;
  return wanted > 0 ? wanted : processors;
}

std::string file_of_blas() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<void*>(&sgemm_), &info) == 0 || info.dli_fname == nullptr)
    return "unknown file";
  return info.dli_fname;
}

void describe(BlasInfo& info) {
  if (auto* config = loaded<char*()>("openblas_get_config")) {
    const std::string text = config();  // "OpenBLAS 0.3.21 DYNAMIC_ARCH ..."
    const std::size_t space = text.find(' ', text.find(' ') + 1);
    auto* parallel = loaded<int()>("openblas_get_parallel");
    const int kind = parallel != nullptr ? parallel() : 0;
    info.openmp = kind == 2;
    if (auto* core = loaded<char*()>("openblas_get_corename")) info.kernels = core();
    info.name = text.substr(0, space) + (kind == 2 ? " (openmp)" : kind == 1 ? " (pthread)" : " (serial)");
  } else if (loaded<void>("MKL_Get_Version_String") != nullptr) {
    info.name = "Intel MKL";
    info.openmp = loaded<void>("GOMP_parallel") != nullptr;
  } else if (loaded<void>("bli_info_get_version_str") != nullptr) {
    info.name = "BLIS";
  } else {
    info.name = "reference or unknown BLAS (" + file_of_blas() + ")";
  }
}

}  // namespace

void set_num_threads(int count) {
  if (count < 0) throw ConfigError("threads: is " + std::to_string(count) + "; must be 0 (all) or more");
  const int threads = count == 0 ? default_threads() : count;
  const std::lock_guard lock(g_sharing);
  g_given = threads;
  use_threads(threads);
}

int num_threads() {
  const int set = g_threads;
  return set > 0 ? set : default_threads();
}

namespace threads_detail {

void run_on_pool(int n, const std::function<void(int)>& body) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(num_threads())
  for (int i = 0; i < n; ++i) body(i);
}

int begin_sharing() {
  const std::lock_guard lock(g_sharing);
  ++g_sharers;
  if (g_given == 0) g_given = num_threads();
  return g_given;
}

void share_threads(const std::function<int(int)>& choose) {
  const std::lock_guard lock(g_sharing);
  if (const int threads = choose(g_given); threads != g_threads) use_threads(threads);
}

void end_sharing() {
  const std::lock_guard lock(g_sharing);
  if (--g_sharers == 0 && g_threads != g_given && g_threads != 0) use_threads(g_given);
}

}  // namespace threads_detail

BlasInfo probe_blas() {
  BlasInfo info;
  describe(info);
  constexpr int kSize = 768;
  constexpr double kOperations = 2.0 * kSize * kSize * kSize;
  const std::vector<float> a(kSize * kSize, 0.5f), b(kSize * kSize, 0.25f);
  std::vector<float> c(kSize * kSize);
  const float one = 1, zero = 0;
  const auto now = [] { return std::chrono::steady_clock::now(); };
  const auto begin = now();
  double best = 0;
  // The first product wakes threads and caches; the fastest of the following ones counts.
  for (int i = 0; i < 2 || now() - begin < std::chrono::milliseconds(200); ++i) {
    const auto start = now();
    sgemm_("N", "N", &kSize, &kSize, &kSize, &one, a.data(), &kSize, b.data(), &kSize, &zero, c.data(),
           &kSize);
    best = std::max(best, kOperations / std::chrono::duration<double>(now() - start).count());
  }
  info.gflops_sgemm = best * 1e-9;
  return info;
}

}  // namespace kgwalk
