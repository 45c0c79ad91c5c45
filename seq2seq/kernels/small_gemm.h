// C[m, n] (+)= alpha A[m, k] B[k, n] for small row-major matrices inside one thread. A may have any strides
// (so that its transpose is free), B and C have contiguous rows. Private to seq2seq/kernels.
#pragma once

#include <cstdint>

namespace kgwalk::seq2seq::detail {

// A register of the processor, and how many rows of sums two registers wide leave room for the factors: 32
// registers with AVX-512, 16 without. Vectors wider than a register would be kept in memory by the compiler.
#ifdef __AVX512F__
inline constexpr int kRegisterBytes = 64, kTileRows = 8;
#elif defined(__AVX__)
inline constexpr int kRegisterBytes = 32, kTileRows = 6;
#else
inline constexpr int kRegisterBytes = 16, kTileRows = 6;
#endif

template <class T>
struct Vec {
  static constexpr int kLanes = kRegisterBytes / sizeof(T);
  // Unaligned, and allowed to alias the elements.
  typedef T type __attribute__((vector_size(kRegisterBytes), aligned(sizeof(T)), may_alias));
};

template <class T>
struct SmallGemm {
  std::int64_t m, n, k;
  const T* a;
  std::int64_t a_row, a_col;
  const T* b;
  std::int64_t b_row;
  T* c;
  std::int64_t c_row;
  T alpha = 1;
  bool accumulate = false;
};

template <class T, int kRows, int kVecs>
inline __attribute__((always_inline)) void gemm_tile(const SmallGemm<T>& g, std::int64_t i, std::int64_t j) {
  using V = typename Vec<T>::type;
  constexpr int kLanes = Vec<T>::kLanes;
  V acc[kRows][kVecs] = {};
  const T* a = g.a + i * g.a_row;
  const T* b = g.b + j;
  for (std::int64_t p = 0; p < g.k; ++p, a += g.a_col, b += g.b_row) {
    V bv[kVecs];
    for (int v = 0; v < kVecs; ++v) bv[v] = *reinterpret_cast<const V*>(b + v * kLanes);
    for (int r = 0; r < kRows; ++r)
      for (int v = 0; v < kVecs; ++v) acc[r][v] += a[r * g.a_row] * bv[v];
  }
  for (int r = 0; r < kRows; ++r) {
    T* c = g.c + (i + r) * g.c_row + j;
    for (int v = 0; v < kVecs; ++v) {
      V* out = reinterpret_cast<V*>(c + v * kLanes);
      *out = g.accumulate ? *out + g.alpha * acc[r][v] : g.alpha * acc[r][v];
    }
  }
}

template <class T, int kVecs>
void gemm_columns(const SmallGemm<T>& g, std::int64_t j) {
  std::int64_t i = 0;
  for (; i + kTileRows <= g.m; i += kTileRows) gemm_tile<T, kTileRows, kVecs>(g, i, j);
  if (i + 4 <= g.m) gemm_tile<T, 4, kVecs>(g, i, j), i += 4;
  if (i + 2 <= g.m) gemm_tile<T, 2, kVecs>(g, i, j), i += 2;
  if (i < g.m) gemm_tile<T, 1, kVecs>(g, i, j);
}

// The columns past the last whole vector.
template <class T>
void gemm_tail(const SmallGemm<T>& g, std::int64_t from) {
  for (std::int64_t i = 0; i < g.m; ++i)
    for (std::int64_t j = from; j < g.n; ++j) {
      T sum = 0;
      for (std::int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.a_row + p * g.a_col] * g.b[p * g.b_row + j];
      T& c = g.c[i * g.c_row + j];
      c = g.accumulate ? c + g.alpha * sum : g.alpha * sum;
    }
}

template <class T>
void small_gemm(const SmallGemm<T>& g) {
  constexpr int kLanes = Vec<T>::kLanes;
  std::int64_t j = 0;
  if (g.m == 1)  // one row has no other sums to hide the latency of an addition behind
    for (; j + 4 * kLanes <= g.n; j += 4 * kLanes) gemm_tile<T, 1, 4>(g, 0, j);
  for (; j + 2 * kLanes <= g.n; j += 2 * kLanes) gemm_columns<T, 2>(g, j);
  if (j + kLanes <= g.n) gemm_columns<T, 1>(g, j), j += kLanes;
  if (j < g.n) gemm_tail(g, j);
}

}  // namespace kgwalk::seq2seq::detail
