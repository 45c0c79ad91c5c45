// Words of a text with the places where they stand, for what is looked up in texts. Torch-free.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kgwalk::dialogue {

// A word as NameIndex compares it: compatibility-decomposed, without accents and apostrophes, case-folded.
struct TextWord {
  std::size_t begin = 0, end = 0;  // bytes of the text
  std::string word;
  std::string owner;          // without 's where it has one ("nolan" of "Nolan's"), else empty
  std::size_t owner_end = 0;  // byte behind that
  bool capital = false;       // begins with one
  bool first = false;         // of a sentence
  bool unspaced = false;  // of a script that writes words without blanks (Chinese, Japanese, Korean, Thai)
};

// ConfigError when the text is not valid UTF-8.
[[nodiscard]] std::vector<TextWord> words_in(std::string_view text);

// One text of several words.
[[nodiscard]] std::string in_one(std::span<const std::string> words, std::string_view between);

// Whether a letter of such a script stands in the text, which is valid UTF-8.
[[nodiscard]] bool has_unspaced_script(std::string_view text);

}  // namespace kgwalk::dialogue
