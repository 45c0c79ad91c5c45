// Which levels of x86-64 this processor has, as compilers and the C library name them, and what follows for
// libraries that choose their kernels when they are loaded.
#pragma once

#include <cstdlib>
#include <string_view>
#include <vector>

namespace kgwalk {

// The best first: "x86-64-v4" (AVX-512), "x86-64-v3" (AVX2). Empty where it has none, and elsewhere than on
// x86-64. KGWALK_LEVEL in the environment is the highest that is told, to compare levels on one machine.
[[nodiscard]] inline std::vector<const char*> processor_levels() {
  std::vector<const char*> levels;
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
  if (__builtin_cpu_supports("x86-64-v4") != 0) levels.push_back("x86-64-v4");
  if (__builtin_cpu_supports("x86-64-v3") != 0) levels.push_back("x86-64-v3");
#endif
  if (const char* highest = std::getenv("KGWALK_LEVEL"))
    std::erase_if(levels, [&](const char* level) { return std::string_view(level) > highest; });
  return levels;
}

// The kernels of OpenBLAS that fit; empty where it has none for this processor.
[[nodiscard]] inline const char* blas_kernels() {
  const std::vector<const char*> levels = processor_levels();
  if (levels.empty()) return "";
  return std::string_view(levels.front()) == "x86-64-v4" ? "SKYLAKEX" : "HASWELL";
}

// OpenBLAS takes a processor that is newer than itself for one of 2004, whose kernels compute a third as
// fast: Debian 12's knows no Emerald Rapids. It reads what this sets when it is loaded. What the user chose
// stays.
inline void choose_blas_kernels() {
  if (const char* kernels = blas_kernels(); *kernels != '\0')
    ::setenv("OPENBLAS_CORETYPE", kernels, /*overwrite=*/0);
}

}  // namespace kgwalk
