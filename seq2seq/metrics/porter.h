// The Porter stemmer (An algorithm for suffix stripping, Program 14:3, 1980) with the extensions of NLTK,
// which rouge_score uses. Torch-free.
#pragma once

#include <string>
#include <string_view>

namespace kgwalk::seq2seq {

// Stem of a lower-case word of ASCII letters and digits.
[[nodiscard]] std::string porter_stem(std::string_view word);

}  // namespace kgwalk::seq2seq
