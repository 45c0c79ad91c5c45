// Many normal numbers at once; in random.cc.
#pragma once

#include <span>

#include "runtime/random.h"

namespace kgwalk {

// What as many calls of random.normal() give, and the state that they leave, faster.
void fill_normal(Random& random, std::span<double> values) noexcept;

}  // namespace kgwalk
