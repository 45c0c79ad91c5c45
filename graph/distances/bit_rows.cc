#include "graph/distances/bit_rows.h"

#include <algorithm>
#include <cstring>
#include <new>

#include <sys/mman.h>

namespace kgwalk::graph {
namespace {

// Swaps the off-diagonal blocks of Width x Width bits between rows i and i + Width.
template <std::size_t Width>
void swap_blocks(std::span<Lanes, 64> rows, std::uint64_t low_mask) noexcept {
  for (std::size_t base = 0; base < 64; base += 2 * Width)
    for (std::size_t i = base; i < base + Width; ++i) {
      LaneVector& upper = vec(rows[i]);
      LaneVector& lower = vec(rows[i + Width]);
      const LaneVector moved = ((upper >> Width) ^ lower) & low_mask;
      lower ^= moved;
      upper ^= moved << Width;
    }
}

#if !defined(__AVX512BW__)
// Eight bytes 0 or 1 from the eight bits of a byte.
constexpr std::array<std::uint64_t, 256> spread_table() {
  std::array<std::uint64_t, 256> table{};
  for (std::uint64_t byte = 0; byte < 256; ++byte)
    for (std::uint64_t bit = 0; bit < 8; ++bit) table[byte] |= (byte >> bit & 1) << (8 * bit);
  return table;
}
constexpr std::array<std::uint64_t, 256> kSpread = spread_table();
#endif

}  // namespace

LaneArray::LaneArray(std::size_t count) {
  constexpr std::size_t kLargePage = 2 << 20;
  const std::size_t bytes = count * sizeof(Lanes);
  const std::size_t alignment = bytes >= kLargePage ? kLargePage : alignof(Lanes);
  const std::size_t rounded = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  data_.reset(static_cast<Lanes*>(std::aligned_alloc(alignment, rounded)));
  if (!data_) throw std::bad_alloc();
  // Only a wish: without large pages everything works as well, slower.
  if (bytes >= kLargePage) ::madvise(data_.get(), rounded, MADV_HUGEPAGE);
}

void transpose_blocks(std::span<Lanes, 64> rows) noexcept {
  swap_blocks<32>(rows, 0x00000000ffffffffu);
  swap_blocks<16>(rows, 0x0000ffff0000ffffu);
  swap_blocks<8>(rows, 0x00ff00ff00ff00ffu);
  swap_blocks<4>(rows, 0x0f0f0f0f0f0f0f0fu);
  swap_blocks<2>(rows, 0x3333333333333333u);
  swap_blocks<1>(rows, 0x5555555555555555u);
}

void bits_to_bytes(std::span<const std::uint64_t> planes, std::uint64_t absent, std::size_t count,
                   std::uint8_t* out) noexcept {
#if defined(__AVX512BW__)
  __m512i bytes = _mm512_movm_epi8(absent);
  for (std::size_t b = 0; b < planes.size(); ++b)
    bytes = _mm512_mask_add_epi8(bytes, planes[b], bytes, _mm512_set1_epi8(static_cast<char>(1u << b)));
  if (count == 64) {
    _mm512_storeu_si512(out, bytes);
  } else {
    _mm512_mask_storeu_epi8(out, (std::uint64_t{1} << count) - 1, bytes);
  }
#else
  for (std::size_t i = 0; i < count; i += 8) {
    std::uint64_t bytes = kSpread[absent >> i & 0xff] * 0xff;
    for (std::size_t b = 0; b < planes.size(); ++b) bytes |= kSpread[planes[b] >> i & 0xff] << b;
    std::memcpy(out + i, &bytes, std::min<std::size_t>(8, count - i));
  }
#endif
}

}  // namespace kgwalk::graph
