#include "listening/words/said_text.h"

#include <utf8proc.h>

#include <algorithm>
#include <cctype>
#include <unordered_set>

#include "kgwalk/error.h"
#include "runtime/text.h"

namespace kgwalk::listening {
namespace {

constexpr std::string_view kFunctionWords =
    "a an the of in on at to for from by with and or but is are was were be been being do does did has have "
    "had having it "
    "its he she they him his her hers their them this that these those what which who whom whose when where "
    "why how name "
    "list give tell me show find all some any there can could would i you we us as also both common one ones "
    "many much "
    "number count total s please know into than then so not no t re ve get got";

// "whos" is "who", as it is typed in a hurry.
std::string as_written_out(std::string word) {
  constexpr std::string_view kHurried[] = {"whos", "whats", "wheres", "whens", "hows"};
  if (std::find(std::begin(kHurried), std::end(kHurried), word) != std::end(kHurried)) word.pop_back();
  return word;
}

struct Letter {
  utf8proc_int32_t code = 0;
  std::size_t begin = 0, end = 0;
};

std::vector<Letter> letters_of(std::string_view text) {
  if (const auto at = invalid_utf8_at(text))
    throw ConfigError("what was said is not valid UTF-8 at its byte " + std::to_string(*at + 1));
  std::vector<Letter> letters;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  for (std::size_t i = 0; i < text.size();) {
    Letter letter{0, i, i};
    i += static_cast<std::size_t>(
        utf8proc_iterate(bytes + i, static_cast<utf8proc_ssize_t>(text.size() - i), &letter.code));
    letter.end = i;
    letters.push_back(letter);
  }
  return letters;
}

bool is_in(utf8proc_int32_t code, utf8proc_category_t from, utf8proc_category_t to) {
  const utf8proc_category_t category = utf8proc_category(code);
  return category >= from && category <= to;
}

bool is_part_of_word(utf8proc_int32_t code) {
  return is_in(code, UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_ME) ||
         is_in(code, UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NO);
}

bool is_letter(utf8proc_int32_t code) { return is_in(code, UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LO); }

// Behind "U.S." and its like, letters apart by points; `i` where none begins there.
std::size_t end_of_abbreviation(std::span<const Letter> letters, std::size_t i) {
  const auto is_one = [&](std::size_t at) {
    return at < letters.size() && is_letter(letters[at].code) &&
           (at + 1 == letters.size() || !is_part_of_word(letters[at + 1].code));
  };
  const auto is_point = [&](std::size_t at) { return at < letters.size() && letters[at].code == '.'; };
  std::size_t end = i;
  if (i > 0 && is_part_of_word(letters[i - 1].code)) return i;
  while (is_one(end) && is_point(end + 1)) end += 2;
  if (is_one(end) && end > i) ++end;
  return end >= i + 3 ? end : i;
}

bool is_blank(utf8proc_int32_t code) {
  return is_in(code, UTF8PROC_CATEGORY_ZS, UTF8PROC_CATEGORY_ZP) ||
         is_in(code, UTF8PROC_CATEGORY_CC, UTF8PROC_CATEGORY_CF);
}

}  // namespace

bool SaidText::says(std::string_view word) const noexcept {
  return std::any_of(words.begin(), words.end(), [&](const SaidWord& said) { return said.folded == word; });
}

bool SaidText::is_behind(std::size_t at, std::initializer_list<std::string_view> before) const noexcept {
  return at > 0 && std::find(before.begin(), before.end(), words[at - 1].folded) != before.end();
}

std::pair<std::size_t, std::size_t> SaidText::words_at(std::size_t begin, std::size_t end) const noexcept {
  std::size_t first = 0;
  while (first < words.size() && words[first].end <= begin) ++first;
  std::size_t last = first;
  while (last < words.size() && words[last].begin < end) ++last;
  return {first, last};
}

SaidText read_said(std::string_view text, std::size_t most) {
  SaidText said{std::string(text), {}};
  const std::vector<Letter> letters = letters_of(text);
  for (std::size_t i = 0; i < letters.size() && said.words.size() < most;) {
    if (is_blank(letters[i].code)) {
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    const bool word = is_part_of_word(letters[i].code);
    while (word && end < letters.size() && is_part_of_word(letters[end].code)) ++end;
    end = std::max(end, end_of_abbreviation(letters, i));
    SaidWord next{letters[i].begin, letters[end - 1].end, {}, word, false, false};
    next.folded = as_written_out(folded(text.substr(next.begin, next.end - next.begin)));
    if (next.folded.size() > 1 && next.folded.ends_with('.')) next.folded.pop_back();
    next.content = word && !is_function_word(next.folded);
    next.capital = utf8proc_category(letters[i].code) == UTF8PROC_CATEGORY_LU ||
                   utf8proc_category(letters[i].code) == UTF8PROC_CATEGORY_ND;
    said.words.push_back(std::move(next));
    i = end;
  }
  // "Who does Mary know" asks for what "which films do you know" does not.
  bool of_others = false;
  for (std::size_t i = 0; i < said.words.size(); ++i) {
    SaidWord& word = said.words[i];
    if (said.is_behind(i, {"does", "did", "do"}))
      of_others = word.folded != "you" && word.folded != "i" && word.folded != "we";
    if (word.folded == "know") word.content = of_others;
  }
  return said;
}

std::string folded(std::string_view text) {
  utf8proc_uint8_t* out = nullptr;
  const auto options = static_cast<utf8proc_option_t>(
      UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_STRIPMARK | UTF8PROC_STABLE);
  const utf8proc_ssize_t size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                             static_cast<utf8proc_ssize_t>(text.size()), &out, options);
  if (size < 0) throw ConfigError("text is not valid UTF-8: " + std::string(utf8proc_errmsg(size)));
  std::string result(reinterpret_cast<const char*>(out), static_cast<std::size_t>(size));
  std::free(out);
  return result;
}

std::vector<std::string> words_of_label(std::string_view label) {
  if (const std::size_t at = label.find_last_of("/#");
      at != std::string_view::npos && label.find("://") != std::string_view::npos)
    label.remove_prefix(at + 1);
  std::string spaced;
  for (std::size_t i = 0; i < label.size(); ++i) {
    const auto c = static_cast<unsigned char>(label[i]);
    const auto before = i == 0 ? ' ' : static_cast<unsigned char>(label[i - 1]);
    if (std::isupper(c) != 0 && (std::islower(before) != 0 || std::isdigit(before) != 0)) spaced += ' ';
    spaced += label[i] == '_' || label[i] == '-' ? ' ' : label[i];
  }
  std::vector<std::string> words;
  for (const SaidWord& word : read_said(spaced).words)
    if (word.is_word) words.push_back(word.folded);
  return words;
}

bool is_article(std::string_view folded) {
  return folded == "the" || folded == "a" || folded == "an" || folded == "this" || folded == "that";
}

bool is_question_word(std::string_view folded) {
  constexpr std::string_view kAsking[] = {"who",   "whom", "whose", "what", "which",
                                          "where", "when", "how",   "why"};
  return std::find(std::begin(kAsking), std::end(kAsking), folded) != std::end(kAsking);
}

bool is_function_word(std::string_view word) {
  static const std::unordered_set<std::string_view> words = [] {
    std::unordered_set<std::string_view> set;
    for (std::size_t at = 0; at < kFunctionWords.size();) {
      const std::size_t end = std::min(kFunctionWords.find(' ', at), kFunctionWords.size());
      set.insert(kFunctionWords.substr(at, end - at));
      at = end + 1;
    }
    return set;
  }();
  return words.contains(word);
}

}  // namespace kgwalk::listening
