// Words that no language has. Torch-free.
#pragma once

#include <string>

#include "runtime/random.h"

namespace kgwalk::listening {

// "brano", "kelt": letters that make no word.
[[nodiscard]] std::string made_up_word(Random& random);
// One or two of them, each with a capital.
[[nodiscard]] std::string made_up_name(Random& random);

}  // namespace kgwalk::listening
