// Depthwise convolution over time on rows [B, T, D] without gaps: float and double, no torch. Parallel over
// sequences; results do not depend on the number of threads.
#pragma once

#include <cstdint>

namespace kgwalk::seq2seq {

struct DepthwiseShape {
  std::int64_t batch, length, width;  // B, T, D
  std::int64_t kernel;                // K
  std::int64_t left;                  // positions before the current one that the kernel sees, 0 .. K - 1
};

// out[b, t, d] = sum_k weight[k, d] x[b, t + k - left, d], zeros outside; weight [K, D].
template <class T>
void depthwise(DepthwiseShape shape, const T* x, const T* weight, T* out);

// Its gradients: grad_x [B, T, D] and grad_weight [K, D] are overwritten.
template <class T>
void depthwise_backward(DepthwiseShape shape, const T* x, const T* weight, const T* grad_out, T* grad_x,
                        T* grad_weight);

}  // namespace kgwalk::seq2seq
