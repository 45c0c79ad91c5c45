// Which levels of x86-64 this processor has, as compilers and the C library name them.
#pragma once

#include <cstdlib>
#include <string_view>
#include <vector>

namespace kgwalk::cli {

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

}  // namespace kgwalk::cli
