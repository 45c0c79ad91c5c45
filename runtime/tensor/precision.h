// What the factors of a training's matrix products are rounded to: a scope of the thread, as LibTorch's
// autocast is one, which the trainer opens and differentiable functions read.
#pragma once

#include "kgwalk/choice.h"

namespace kgwalk {

enum class Precision {
  kFloat32,
  kBf16,  // factors rounded to bfloat16, products summed in float32; what is stored stays float32
};

// Whether this program and this processor can multiply bfloat16 (AVX512_BF16).
[[nodiscard]] bool bf16_available() noexcept;

constexpr auto choice_names(Precision) { return choices_in_order<Precision>("float32", "bf16"); }

// The precision asked for; ConfigError for kBf16 where it is not available.
[[nodiscard]] Precision available_precision(Precision wanted);

// Precision of the innermost scope of this thread; kFloat32 outside of all.
[[nodiscard]] Precision product_precision() noexcept;

// Opens a scope until it is destroyed, in this thread alone. A backward pass runs in the precision that its
// forward pass had, whatever the scope of its own thread.
class [[nodiscard]] PrecisionGuard {
 public:
  explicit PrecisionGuard(Precision precision) noexcept;
  ~PrecisionGuard();
  PrecisionGuard(const PrecisionGuard&) = delete;
  PrecisionGuard& operator=(const PrecisionGuard&) = delete;

 private:
  Precision before_;
};

}  // namespace kgwalk
