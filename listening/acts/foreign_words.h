// Signs that a text is not English: function words of other languages (data/words/foreign.txt, compiled in)
// and other scripts. Torch-free.
#pragma once

#include <string_view>

namespace kgwalk::listening {

// The folded word stands in a table of languages, and is no word of English.
[[nodiscard]] bool is_foreign_word(std::string_view folded);
// Its first letter is of no Latin script.
[[nodiscard]] bool is_other_script(std::string_view folded);

}  // namespace kgwalk::listening
