#include "runtime/tensor/precision.h"

#include <string>
#include <utility>

#include "kgwalk/error.h"

namespace kgwalk {
namespace {

thread_local Precision current = Precision::kFloat32;

}  // namespace

bool bf16_available() noexcept {
#ifdef __AVX512BF16__
  return __builtin_cpu_supports("avx512bf16");
#else
  return false;
#endif
}

Precision available_precision(Precision wanted) {
  if (wanted == Precision::kBf16 && !bf16_available())
    throw ConfigError(
        "precision bf16 needs the instructions AVX512_BF16, which this processor lacks or this program was "
        "not compiled for; use float32");
  return wanted;
}

Precision product_precision() noexcept { return current; }

PrecisionGuard::PrecisionGuard(Precision precision) noexcept : before_(std::exchange(current, precision)) {}

PrecisionGuard::~PrecisionGuard() { current = before_; }

}  // namespace kgwalk
