#include "seq2seq/kernels/bf16_product.h"

#include "kgwalk/error.h"

#ifdef __AVX512BF16__
#include <immintrin.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>

namespace kgwalk::seq2seq {
namespace {

constexpr std::int64_t kLanes = 16;     // rows of A or columns of B in a panel
constexpr int kRows = 8, kVectors = 3;  // 24 registers of sums, 3 of B, 1 of A
constexpr std::int64_t kDepth = 256;    // of k at once: a panel of 8 KiB
constexpr std::int64_t kBlockRows = 128;
constexpr std::int64_t kBlockColumns = 768;  // of B: 384 KiB, which the second cache keeps
constexpr std::int64_t kSerial = 1 << 20;    // multiplications up to which threads do not pay

// Adds to each of the 16 sums two products of neighbors. GCC 12 copies the sums of the intrinsic about in a
// loop; the instruction itself updates in place.
inline void add_pair_products(__m512& sums, __m512i a, __m512i b) {
  asm("vdpbf16ps %2, %1, %0" : "+v"(sums) : "v"(a), "v"(b));
}

__mmask16 first(std::int64_t lanes) {
  return static_cast<__mmask16>(lanes >= kLanes ? 0xFFFF : lanes <= 0 ? 0 : (1 << lanes) - 1);
}

// 16 floats at a stride; zero where the mask is not set.
template <bool unit>
__m512 load(const float* from, __m512i places, __mmask16 mask) {
  if constexpr (unit) return _mm512_maskz_loadu_ps(mask, from);
  return _mm512_mask_i32gather_ps(_mm512_setzero_ps(), mask, places, from, 4);
}

// A factor seen by the packing: `lane` runs along m or n, `depth` along k.
struct Side {
  const float* data;
  std::int64_t lane_stride, depth_stride;
};

// One panel from a side whose lanes are contiguous (or whose strides are both long): two steps of k become
// the pairs of the lanes.
template <bool unit>
void pack_across(const Side& from, std::int64_t lanes, std::int64_t depth, std::uint32_t* to) {
  const __m512i places =
      _mm512_mullo_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                         _mm512_set1_epi32(static_cast<int>(from.lane_stride)));
  alignas(64) std::uint16_t order[32];
  for (std::uint16_t i = 0; i < kLanes; ++i) order[2 * i] = i, order[2 * i + 1] = kLanes + i;
  const __m512i pairs = _mm512_load_si512(order);
  const __mmask16 mask = first(lanes);
  for (std::int64_t k = 0; k < depth; k += 2, to += kLanes) {
    const float* row = from.data + k * from.depth_stride;
    const __m512 even = load<unit>(row, places, mask),
                 odd = load<unit>(row + from.depth_stride, places, k + 1 < depth ? mask : 0);
    const auto both = reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(odd, even));
    _mm512_store_si512(to, _mm512_permutexvar_epi16(pairs, both));
  }
}

// 16 x 16 transposed in place. The masks are full: GCC 12 takes the forms without one for uninitialized.
void transpose(__m512i (&x)[16]) {
  __m512i y[16];
#pragma GCC unroll 16
  for (int i = 0; i < 16; i += 2) {
    y[i] = _mm512_maskz_unpacklo_epi32(0xFFFF, x[i], x[i + 1]);
    y[i + 1] = _mm512_maskz_unpackhi_epi32(0xFFFF, x[i], x[i + 1]);
  }
#pragma GCC unroll 16
  for (int i = 0; i < 16; i += 4)
#pragma GCC unroll 2
    for (int j = 0; j < 2; ++j) {
      x[i + 2 * j] = _mm512_maskz_unpacklo_epi64(0xFF, y[i + j], y[i + j + 2]);
      x[i + 2 * j + 1] = _mm512_maskz_unpackhi_epi64(0xFF, y[i + j], y[i + j + 2]);
    }
#pragma GCC unroll 16
  for (int i = 0; i < 4; ++i) {  // the even and the odd quarters of four rows, twice
#pragma GCC unroll 2
    for (int j = 0; j < 2; ++j) {
      y[i + 8 * j] = _mm512_maskz_shuffle_i32x4(0xFFFF, x[i + 8 * j], x[i + 8 * j + 4], 0x88);
      y[i + 8 * j + 4] = _mm512_maskz_shuffle_i32x4(0xFFFF, x[i + 8 * j], x[i + 8 * j + 4], 0xDD);
    }
#pragma GCC unroll 2
    for (int j = 0; j < 2; ++j) {
      x[i + 4 * j] = _mm512_maskz_shuffle_i32x4(0xFFFF, y[i + 4 * j], y[i + 4 * j + 8], 0x88);
      x[i + 4 * j + 8] = _mm512_maskz_shuffle_i32x4(0xFFFF, y[i + 4 * j], y[i + 4 * j + 8], 0xDD);
    }
  }
}

// One panel from a side whose k is contiguous.
void pack_along(const Side& from, std::int64_t lanes, std::int64_t depth, std::uint32_t* to) {
  // The next panel is fetched meanwhile (3 to 6 %) unless every row of it is on a page of its own (-5 %).
  const bool close = from.lane_stride <= 2 * kDepth;
  for (std::int64_t k = 0; k < depth; k += 2 * kLanes, to += kLanes * kLanes) {
    const __mmask16 low = first(depth - k), high = first(depth - k - kLanes);
    __m512i rows[16];
#pragma GCC unroll 16
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
      const float* row = from.data + std::min(lane, lanes - 1) * from.lane_stride + k;
      if (close) {
        __builtin_prefetch(row + kLanes * from.lane_stride);
        __builtin_prefetch(row + kLanes * from.lane_stride + kLanes);
      }
      rows[lane] = reinterpret_cast<__m512i>(
          _mm512_cvtne2ps_pbh(_mm512_maskz_loadu_ps(high, row + kLanes), _mm512_maskz_loadu_ps(low, row)));
    }
    transpose(rows);
    const std::int64_t pairs = std::min(kLanes, (depth - k + 1) / 2);
    if (pairs == kLanes) {
#pragma GCC unroll 16
      for (int i = 0; i < 16; ++i) _mm512_store_si512(to + i * 16, rows[i]);
    } else {
      alignas(64) std::uint32_t part[kLanes * kLanes];
      for (int i = 0; i < 16; ++i) _mm512_store_si512(part + i * 16, rows[i]);
      std::copy_n(part, pairs * kLanes, to);
    }
  }
}

// Panels [lanes / 16, pairs of k, 16] of pairs of bfloat16, zeros past the end of k.
void pack(const Side& from, std::int64_t lanes, std::int64_t depth, std::uint32_t* to) {
  const std::int64_t panel = (depth + 1) / 2 * kLanes;
  for (std::int64_t lane = 0; lane < lanes; lane += kLanes, to += panel) {
    const Side part{from.data + lane * from.lane_stride, from.lane_stride, from.depth_stride};
    const std::int64_t count = std::min(kLanes, lanes - lane);
    if (from.depth_stride == 1)
      pack_along(part, count, depth, to);
    else if (from.lane_stride == 1)
      pack_across<true>(part, count, depth, to);
    else
      pack_across<false>(part, count, depth, to);
  }
}

struct Tile {
  const std::uint32_t *a, *b;  // a at its first row within the panel
  std::int64_t pairs;
  float* c;
  std::int64_t c_stride;
  __mmask16 last;     // columns of the last vector
  const float* bias;  // of the first column, or nullptr
  bool accumulate;
};

template <int rows, int vectors>
void tile_product(const Tile& t) {
  // Every loop over registers is unrolled: an index that is not a constant would put the sums into memory. C
  // is fetched while they are made: a tenth of the time where it is not in the cache.
  __m512 sums[rows][vectors];
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) sums[r][v] = _mm512_setzero_ps();
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) __builtin_prefetch(t.c + r * t.c_stride + v * kLanes, 1);
  const std::uint32_t *a = t.a, *b = t.b;
  const std::int64_t panel = t.pairs * kLanes;
  for (std::int64_t p = 0; p < t.pairs; ++p, a += kLanes, b += kLanes) {
    __m512i column[vectors];
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) column[v] = _mm512_load_si512(b + v * panel);
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      const __m512i all = _mm512_set1_epi32(static_cast<int>(a[r]));
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) add_pair_products(sums[r][v], all, column[v]);
    }
  }
#pragma GCC unroll 8
  for (int v = 0; v < vectors; ++v) {
    const __mmask16 mask = v + 1 == vectors ? t.last : 0xFFFF;
    const __m512 bias = t.bias ? _mm512_maskz_loadu_ps(mask, t.bias + v * kLanes) : _mm512_setzero_ps();
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      float* out = t.c + r * t.c_stride + v * kLanes;
      const __m512 before = t.accumulate ? _mm512_add_ps(bias, _mm512_maskz_loadu_ps(mask, out)) : bias;
      _mm512_mask_storeu_ps(out, mask, _mm512_add_ps(before, sums[r][v]));
    }
  }
}

using TileFunction = void(const Tile&);

template <int vectors>
constexpr auto tiles_of_rows() {
  return []<int... r>(std::integer_sequence<int, r...>) {
    return std::array<TileFunction*, kRows>{&tile_product<r + 1, vectors>...};
  }
  (std::make_integer_sequence<int, kRows>());
}
constexpr std::array<std::array<TileFunction*, kRows>, kVectors> kTiles{
    tiles_of_rows<1>(), tiles_of_rows<2>(), tiles_of_rows<3>()};

// Packed blocks of both factors, kept by every thread that has multiplied.
struct Scratch {
  struct Free {
    void operator()(std::uint32_t* p) const noexcept { std::free(p); }
  };
  using Block = std::unique_ptr<std::uint32_t[], Free>;
  static Block allocate(std::int64_t count) {
    Block block(static_cast<std::uint32_t*>(std::aligned_alloc(64, static_cast<std::size_t>(count) * 4)));
    if (!block) throw std::bad_alloc();
    return block;
  }
  Block a = allocate(kBlockRows * kDepth / 2), b = allocate(kBlockColumns * kDepth / 2);
};

// One packed block of A times one of B.
void block_product(const Scratch& scratch, std::int64_t rows, std::int64_t columns, std::int64_t depth,
                   Tile tile) {
  tile.pairs = (depth + 1) / 2;
  const std::int64_t panel = tile.pairs * kLanes, vectors = (columns + kLanes - 1) / kLanes;
  const std::int64_t stacks = (vectors + kVectors - 1) / kVectors;
  float* const c = tile.c;
  const float* const bias = tile.bias;
  for (std::int64_t lane = 0; lane < rows; lane += kLanes)
    for (std::int64_t s = 0; s < stacks; ++s) {
      const std::int64_t v = vectors * s / stacks, wide = vectors * (s + 1) / stacks - v;
      tile.b = scratch.b.get() + v * panel;
      tile.bias = bias ? bias + v * kLanes : nullptr;
      tile.last = first(columns - (v + wide - 1) * kLanes);
      for (std::int64_t half = lane; half < std::min(rows, lane + kLanes); half += kRows) {
        tile.a = scratch.a.get() + lane / kLanes * panel + half % kLanes;
        tile.c = c + half * tile.c_stride + v * kLanes;
        const std::int64_t high = std::min<std::int64_t>(kRows, rows - half);
        kTiles[static_cast<std::size_t>(wide - 1)][static_cast<std::size_t>(high - 1)](tile);
      }
    }
}

// All of the product in this thread.
void multiply_serially(const Bf16Product& p) {
  if (p.m == 0 || p.n == 0) return;
  thread_local const Scratch scratch;
  for (std::int64_t n = 0; n < p.n; n += kBlockColumns)
    for (std::int64_t k = 0; k == 0 || k < p.k; k += kDepth) {
      const std::int64_t columns = std::min(kBlockColumns, p.n - n), depth = std::min(kDepth, p.k - k);
      pack({p.b.data + k * p.b.row_stride + n * p.b.column_stride, p.b.column_stride, p.b.row_stride},
           columns, depth, scratch.b.get());
      for (std::int64_t m = 0; m < p.m; m += kBlockRows) {
        const std::int64_t rows = std::min(kBlockRows, p.m - m);
        pack({p.a.data + m * p.a.row_stride + k * p.a.column_stride, p.a.row_stride, p.a.column_stride}, rows,
             depth, scratch.a.get());
        Tile tile{};
        tile.c = p.c + m * p.c_stride + n;
        tile.c_stride = p.c_stride;
        tile.bias = k == 0 && p.bias ? p.bias + n : nullptr;
        tile.accumulate = p.accumulate || k > 0;
        block_product(scratch, rows, columns, depth, tile);
      }
    }
}

// The share of one of `threads`: whole panels of the longer side of C.
Bf16Product share(Bf16Product p, std::int64_t thread, std::int64_t threads) {
  const bool by_rows = p.m >= p.n;
  std::int64_t& size = by_rows ? p.m : p.n;
  const std::int64_t panels = (size + kLanes - 1) / kLanes;
  const std::int64_t begin = panels * thread / threads * kLanes,
                     end = std::min(size, panels * (thread + 1) / threads * kLanes);
  size = std::max<std::int64_t>(0, end - begin);
  if (by_rows) {
    p.a.data += begin * p.a.row_stride;
    p.c += begin * p.c_stride;
  } else {
    p.b.data += begin * p.b.column_stride;
    p.c += begin;
    if (p.bias) p.bias += begin;
  }
  return p;
}

}  // namespace

void multiply(const Bf16Product& product) {
#pragma omp parallel if (product.m * product.n * product.k > kSerial)
  multiply_serially(share(product, omp_get_thread_num(), omp_get_num_threads()));
}

}  // namespace kgwalk::seq2seq
#else
namespace kgwalk::seq2seq {

void multiply(const Bf16Product&) {
  throw ConfigError("a product in bfloat16 needs a program compiled for AVX512_BF16");
}

}  // namespace kgwalk::seq2seq
#endif
