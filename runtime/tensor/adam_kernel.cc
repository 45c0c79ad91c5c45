#include "runtime/tensor/adam_kernel.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "runtime/parallel.h"

namespace kgwalk {
namespace {

constexpr std::int64_t kBlock = 1 << 14;  // floats; four arrays of it fit into a core's second-level cache

double block_sum(const float* values, std::int64_t n) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i) sum += static_cast<double>(values[i]) * values[i];
  return sum;
}

void update_range(const AdamUpdate& u, float* __restrict p, const float* __restrict g, float* __restrict m,
                  float* __restrict v, std::int64_t n) {
  const float rest1 = 1 - u.beta1, rest2 = 1 - u.beta2;
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) {
    const float gradient = g[i] * u.gradient_scale + u.l2 * p[i];
    m[i] = u.beta1 * m[i] + rest1 * gradient;
    v[i] = u.beta2 * v[i] + rest2 * gradient * gradient;
    p[i] = p[i] * u.keep - u.step_size * m[i] / (std::sqrt(v[i]) * u.root_correction + u.eps);
  }
}

}  // namespace

double sum_of_squares(std::span<const float> values) {
  const auto n = static_cast<std::int64_t>(values.size());
  const std::int64_t blocks = (n + kBlock - 1) / kBlock;
  std::vector<double> sums(static_cast<std::size_t>(blocks));
  parallel_for(blocks, 4, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b)
      sums[static_cast<std::size_t>(b)] =
          block_sum(values.data() + b * kBlock, std::min(kBlock, n - b * kBlock));
  });
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

void adam_update(const AdamUpdate& update, std::span<float> parameters, std::span<const float> gradients,
                 std::span<float> m, std::span<float> v) {
  parallel_for(static_cast<std::int64_t>(parameters.size()), 4 * kBlock,
               [&](std::int64_t begin, std::int64_t end) {
                 update_range(update, parameters.data() + begin, gradients.data() + begin, m.data() + begin,
                              v.data() + begin, end - begin);
               });
}

}  // namespace kgwalk
