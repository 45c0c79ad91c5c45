// Words that no language has. Torch-free.
#pragma once

#include <string>

#include "runtime/random.h"

namespace kgwalk::listening {

// "brano", "kelt": letters that make no word.
[[nodiscard]] std::string made_up_word(Random& random);

}  // namespace kgwalk::listening
