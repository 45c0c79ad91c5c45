#include "seq2seq/kernels/depthwise.h"

#include <algorithm>

namespace kgwalk::seq2seq {
namespace {

// to[t] += weight from[t + shift] for one sequence and one row of the kernel.
template <class T>
void add_shifted(const DepthwiseShape& s, std::int64_t shift, const T* weight, const T* from, T* to) {
  const std::int64_t begin = std::max<std::int64_t>(0, -shift), end = std::min(s.length, s.length - shift);
  for (std::int64_t t = begin; t < end; ++t) {
    const T* source = from + (t + shift) * s.width;
    T* target = to + t * s.width;
    for (std::int64_t d = 0; d < s.width; ++d) target[d] += weight[d] * source[d];
  }
}

}  // namespace

template <class T>
void depthwise(DepthwiseShape s, const T* x, const T* weight, T* out) {
  const std::int64_t size = s.length * s.width;
#pragma omp parallel for schedule(static) if (s.batch > 1)
  for (std::int64_t b = 0; b < s.batch; ++b) {
    std::fill_n(out + b * size, size, T(0));
    for (std::int64_t k = 0; k < s.kernel; ++k)
      add_shifted(s, k - s.left, weight + k * s.width, x + b * size, out + b * size);
  }
}

template <class T>
void depthwise_backward(DepthwiseShape s, const T* x, const T* weight, const T* grad_out, T* grad_x,
                        T* grad_weight) {
  const std::int64_t size = s.length * s.width;
#pragma omp parallel for schedule(static) if (s.batch > 1)
  for (std::int64_t b = 0; b < s.batch; ++b) {
    std::fill_n(grad_x + b * size, size, T(0));
    for (std::int64_t k = 0; k < s.kernel; ++k)
      add_shifted(s, s.left - k, weight + k * s.width, grad_out + b * size, grad_x + b * size);
  }
#pragma omp parallel for schedule(static)
  for (std::int64_t k = 0; k < s.kernel; ++k) {
    T* sum = grad_weight + k * s.width;
    std::fill_n(sum, s.width, T(0));
    const std::int64_t shift = k - s.left;
    for (std::int64_t b = 0; b < s.batch; ++b)
      for (std::int64_t t = std::max<std::int64_t>(0, -shift); t < std::min(s.length, s.length - shift);
           ++t) {
        const T *g = grad_out + b * size + t * s.width, *source = x + b * size + (t + shift) * s.width;
        for (std::int64_t d = 0; d < s.width; ++d) sum[d] += g[d] * source[d];
      }
  }
}

#define KGWALK_DEPTHWISE(T)                                           \
  template void depthwise<T>(DepthwiseShape, const T*, const T*, T*); \
  template void depthwise_backward<T>(DepthwiseShape, const T*, const T*, const T*, T*, T*);
KGWALK_DEPTHWISE(float)
KGWALK_DEPTHWISE(double)
#undef KGWALK_DEPTHWISE

}  // namespace kgwalk::seq2seq
