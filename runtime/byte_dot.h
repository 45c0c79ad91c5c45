// The instruction that multiplies bytes, with the sums kept in place.
#pragma once

#ifdef __AVX512VNNI__
#include <immintrin.h>

namespace kgwalk {

/// Adds to each of the 16 sums four products of an unsigned byte of `a` and a signed byte of `b`. GCC 12
/// copies the sums of the intrinsic about in a loop, and some of them to memory; the instruction itself
/// updates in place.
inline void add_byte_products(__m512i& sums, __m512i a, __m512i b) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(a), "v"(b));
}

}  // namespace kgwalk
#endif
