#include "dialogue/linking/text_words.h"

#include <utf8proc.h>

#include <algorithm>

#include "dialogue/linking/name_index.h"
#include "kgwalk/error.h"
#include "runtime/text.h"

namespace kgwalk::dialogue {
namespace {

struct Letter {
  utf8proc_int32_t code = 0;
  std::size_t begin = 0, end = 0;
};

std::vector<Letter> letters_of(std::string_view text) {
  if (const auto at = invalid_utf8_at(text))
    throw ConfigError("text is not valid UTF-8 at its byte " + std::to_string(*at + 1));
  std::vector<Letter> letters;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  for (std::size_t i = 0; i < text.size();) {
    Letter letter{0, i, i};
    const auto step =
        utf8proc_iterate(bytes + i, static_cast<utf8proc_ssize_t>(text.size() - i), &letter.code);
    i += static_cast<std::size_t>(std::max<utf8proc_ssize_t>(step, 1));
    letter.end = i;
    letters.push_back(letter);
  }
  return letters;
}

bool is_unspaced(utf8proc_int32_t c) {
  return (c >= 0x3040 && c <= 0x30ff) || (c >= 0x3400 && c <= 0x9fff) || (c >= 0xac00 && c <= 0xd7a3) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0x0e00 && c <= 0x0eff) || (c >= 0x1000 && c <= 0x109f) ||
         (c >= 0x1780 && c <= 0x17ff) || (c >= 0x20000 && c <= 0x2fa1f);
}

bool is_apostrophe(utf8proc_int32_t c) { return c == '\'' || c == 0x2019 || c == 0x02bc; }

bool is_part_of_word(utf8proc_int32_t c) {
  const utf8proc_category_t category = utf8proc_category(c);
  return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO) ||
         (category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME) ||
         (category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO);
}

bool is_mark_of_name(utf8proc_int32_t c) { return c == '+' || c == '#'; }

bool ends_sentence(utf8proc_int32_t c) {
  return c == '.' || c == '!' || c == '?' || c == 0x3002 || c == 0xff01 || c == 0xff1f;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text), letters_(letters_of(text)) {}

  std::vector<TextWord> words() {
    std::vector<TextWord> words;
    for (std::size_t i = 0; i < letters_.size();) {
      if (!is_part_of_word(letters_[i].code)) {
        first_ = first_ || ends_sentence(letters_[i].code);
        ++i;
        continue;
      }
      const std::size_t end = end_of_word(i);
      add(i, end, words);
      i = end;
    }
    return words;
  }

 private:
  // Apostrophes inside belong to it, and the marks of "C++" and "C#" behind it.
  [[nodiscard]] std::size_t end_of_word(std::size_t i) const {
    const auto goes_on = [&](std::size_t at) {
      return at < letters_.size() && is_part_of_word(letters_[at].code);
    };
    while (i < letters_.size() &&
           (is_part_of_word(letters_[i].code) || (is_apostrophe(letters_[i].code) && goes_on(i + 1))))
      ++i;
    std::size_t marks = i;
    while (marks < letters_.size() && is_mark_of_name(letters_[marks].code)) ++marks;
    return goes_on(marks) ? i : marks;
  }

  void add(std::size_t from, std::size_t to, std::vector<TextWord>& words) {
    const std::size_t begin = letters_[from].begin, end = letters_[to - 1].end;
    const std::vector<std::string> parts = words_of(text_.substr(begin, end - begin));
    for (const std::string& part : parts) {
      TextWord word{begin, end, part, {}, end, false, first_, false};
      word.capital = utf8proc_category(letters_[from].code) == UTF8PROC_CATEGORY_LU;
      word.unspaced = std::any_of(letters_.begin() + static_cast<std::ptrdiff_t>(from),
                                  letters_.begin() + static_cast<std::ptrdiff_t>(to),
                                  [](const Letter& letter) { return is_unspaced(letter.code); });
      words.push_back(std::move(word));
    }
    if (!parts.empty()) {
      find_owner(from, to, words.back());
      first_ = false;
    }
  }

  void find_owner(std::size_t from, std::size_t to, TextWord& word) const {
    if (to - from < 3 || (letters_[to - 1].code != 's' && letters_[to - 1].code != 'S') ||
        !is_apostrophe(letters_[to - 2].code))
      return;
    word.owner_end = letters_[to - 2].begin;
    const std::vector<std::string> parts = words_of(text_.substr(word.begin, word.owner_end - word.begin));
    if (!parts.empty()) word.owner = parts.back();
  }

  std::string_view text_;
  std::vector<Letter> letters_;
  bool first_ = true;
};

}  // namespace

std::vector<TextWord> words_in(std::string_view text) { return Reader(text).words(); }

std::string in_one(std::span<const std::string> words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : between).append(word);
  return text;
}

bool has_unspaced_script(std::string_view text) {
  const bool ascii =
      std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (ascii) return false;
  const std::vector<Letter> letters = letters_of(text);
  return std::any_of(letters.begin(), letters.end(),
                     [](const Letter& letter) { return is_unspaced(letter.code); });
}

}  // namespace kgwalk::dialogue
