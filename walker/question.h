// What somebody does by saying something, as far as a walk is concerned. Torch-free.
#pragma once

#include <cstdint>

namespace kgwalk::walker {

// kNothing: no fact is asked for ("I liked it a lot"). kOne, kList: who or what, one or all of them. kVerify:
// whether something is so.
enum class Act : std::uint8_t { kNothing, kOne, kList, kVerify };
inline constexpr int kNumActs = 4;

}  // namespace kgwalk::walker
