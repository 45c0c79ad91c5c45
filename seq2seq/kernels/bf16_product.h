// Matrix products of float32 whose factors are rounded to bfloat16 on their way to the registers: twice as
// many multiplications an instruction as float32 has. No torch.
#pragma once

#include <cstdint>

namespace kgwalk::seq2seq {

// A factor in memory, with any strides (in floats), so that a transposed one costs no copy.
struct Bf16Factor {
  const float* data;
  std::int64_t row_stride, column_stride;
};

// C[m, n] (+)= A[m, k] B[k, n] + bias[n]. Factors are rounded to the nearest bfloat16 (ties to even) and
// summed in float32. The rows of C are contiguous and overlap neither factor; k = 0 leaves bias or zeros.
struct Bf16Product {
  std::int64_t m, n, k;
  Bf16Factor a, b;
  float* c;
  std::int64_t c_stride;
  const float* bias = nullptr;
  bool accumulate = false;
};

// Runs on the OpenMP pool; every element is summed in the same order whatever the number of threads. Each
// thread keeps 450 KiB. Call from one thread or from several at once, where bf16_available()
// (runtime/tensor/precision.h); ConfigError in a program that was not compiled for AVX512_BF16.
void multiply(const Bf16Product& product);

}  // namespace kgwalk::seq2seq
