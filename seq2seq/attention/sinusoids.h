// Sinusoids of positions or of distances between them.
#pragma once

#include <cstdint>

#include "runtime/tensor/torch.h"

namespace kgwalk::seq2seq {

// PE(p, 2j) = sin(p / 10000^(2j/D)), PE(p, 2j+1) = cos of the same (Hiformer Eq. 3 and 4) for p = first,
// first + step, ...: [length, D] in float64. p may be negative.
[[nodiscard]] torch::Tensor sinusoids(std::int64_t first, std::int64_t length, std::int64_t width,
                                      std::int64_t step = 1);

}  // namespace kgwalk::seq2seq
