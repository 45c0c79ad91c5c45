// The update of Adam and the gradient norm over flat float32 arrays: one pass each, vectorized, on
// the thread pool.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace kgwalk {

// One update, all factors resolved; see FlatAdam.
struct AdamUpdate {
  float gradient_scale = 1;  // clipping
  float l2 = 0;              // gradient += l2 * parameter
  float keep = 1;            // parameter *= keep, the decoupled decay
  float beta1 = 0.9f;
  float beta2 = 0.999f;
  float step_size = 0;        // lr / (1 - beta1^t)
  float root_correction = 1;  // 1 / sqrt(1 - beta2^t)
  float eps = 1e-8f;
};

// Sum of squares, added in fixed blocks: the result does not depend on the number of threads.
[[nodiscard]] double sum_of_squares(std::span<const float> values);

// All spans have the same length. Kingma and Ba, ICLR 2015, algorithm 1; decay as in Loshchilov and
// Hutter, ICLR 2019.
void adam_update(const AdamUpdate& update, std::span<float> parameters, std::span<const float> gradients,
                 std::span<float> m, std::span<float> v);

}  // namespace kgwalk
