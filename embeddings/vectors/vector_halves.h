// Sixteen lanes as two registers of eight, for processors whose registers hold no more: GCC 12 keeps a vector
// that is wider than a register in memory and moves it about by 8 bytes. For simd.h only.
#pragma once

#include <type_traits>

namespace kgwalk::embeddings::simd {

template <class V>
struct Halves {
  using Element = std::remove_cvref_t<decltype(V{}[0])>;
  V low, high;
  [[nodiscard]] Element operator[](std::size_t lane) const { return lane < 8 ? low[lane] : high[lane - 8]; }
  Halves& operator+=(Halves b) {
    low += b.low;
    high += b.high;
    return *this;
  }
  friend Halves operator-(Halves a) { return {-a.low, -a.high}; }
};
template <class V>
Halves(V, V) -> Halves<V>;

#define KGWALK_LANEWISE(op)                                                                                 \
  template <class V>                                                                                        \
  [[nodiscard]] inline auto operator op(Halves<V> a, Halves<V> b) {                                         \
    return Halves{a.low op b.low, a.high op b.high};                                                        \
  }                                                                                                         \
  template <class V>                                                                                        \
  [[nodiscard]] inline auto operator op(Halves<V> a, std::type_identity_t<typename Halves<V>::Element> b) { \
    return Halves{a.low op b, a.high op b};                                                                 \
  }                                                                                                         \
  template <class V>                                                                                        \
  [[nodiscard]] inline auto operator op(std::type_identity_t<typename Halves<V>::Element> a, Halves<V> b) { \
    return Halves{a op b.low, a op b.high};                                                                 \
  }
KGWALK_LANEWISE(+)
KGWALK_LANEWISE(-)
KGWALK_LANEWISE(*)
KGWALK_LANEWISE(/)
KGWALK_LANEWISE(&)
KGWALK_LANEWISE(^)
KGWALK_LANEWISE(<<)
KGWALK_LANEWISE(<)
KGWALK_LANEWISE(<=)
KGWALK_LANEWISE(>)
KGWALK_LANEWISE(==)
#undef KGWALK_LANEWISE

}  // namespace kgwalk::embeddings::simd
