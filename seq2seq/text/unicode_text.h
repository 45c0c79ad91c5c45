// Unicode helpers of the tokenizers, over utf8proc.
#pragma once

#include <string>
#include <string_view>

namespace kgwalk::seq2seq {

enum class Decomposition { kCanonical, kCompatible };  // NFD, NFKD

// Decomposes and drops nonspacing marks (category Mn): accents go, letters stay. Bytes that are no
// UTF-8 become U+FFFD.
[[nodiscard]] std::string strip_marks(std::string_view text, Decomposition form);

// Each character to its simple lower case (no language rules, no change of length in characters).
[[nodiscard]] std::string lower_case(std::string_view text);

[[nodiscard]] bool is_space_char(char32_t code);        // tab, newline, carriage return, category Zs
[[nodiscard]] bool is_control_char(char32_t code);      // category C but the above three
[[nodiscard]] bool is_punctuation_char(char32_t code);  // category P, and every ASCII symbol
[[nodiscard]] bool is_word_char(char32_t code);         // letters, digits and marks: categories L, M, N
[[nodiscard]] bool is_cjk_char(char32_t code);          // CJK ideographs, as BERT counts them

}  // namespace kgwalk::seq2seq
