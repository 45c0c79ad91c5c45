// A text as words and marks, each with its place: what mentions, relations and states of a text encoder are
// laid against. Torch-free.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace kgwalk::listening {

struct SaidWord {
  std::size_t begin = 0, end = 0;  // bytes of the text
  std::string folded;              // lower case, without accents; a mark as it stands
  bool is_word = false;            // letters or digits; else a mark
  bool content = false;            // a word that is none of a closed class
  bool capital = false;            // begins with a capital or a digit
};

struct SaidText {
  std::string text;
  std::vector<SaidWord> words;

  [[nodiscard]] bool says(std::string_view folded) const noexcept;
  // Whether one of the words, folded, stands directly before the word at this place.
  [[nodiscard]] bool is_behind(std::size_t at, std::initializer_list<std::string_view> words) const noexcept;
  // The words that bytes [begin, end) touch, as places [first, last).
  [[nodiscard]] std::pair<std::size_t, std::size_t> words_at(std::size_t begin,
                                                             std::size_t end) const noexcept;
};

// ConfigError when the text is not valid UTF-8. At most `most` words are taken.
[[nodiscard]] SaidText read_said(std::string_view text, std::size_t most = 200);

// Lower case, without accents.
[[nodiscard]] std::string folded(std::string_view text);
// Words of a name of a relation or type: camel case, underscores and blanks split it; folded.
[[nodiscard]] std::vector<std::string> words_of_label(std::string_view label);
// Closed classes: articles, prepositions, auxiliaries, question words.
[[nodiscard]] bool is_function_word(std::string_view folded);
[[nodiscard]] bool is_article(std::string_view folded);        // "this" and "that" too
[[nodiscard]] bool is_question_word(std::string_view folded);  // "who", "when"

}  // namespace kgwalk::listening
