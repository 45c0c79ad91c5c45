// What is right is told by names, numbers and usual words, character for character as the script that the
// format comes from tells it (tests/planner/exam compares the two).
#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <regex>
#include <string>
#include <string_view>

#include "planner/exam/exam.h"
#include "seq2seq/text/unicode_text.h"
#include "seq2seq/text/utf8.h"

namespace kgwalk {
namespace {

template <class Use>
void for_each_char(std::string_view text, const Use& use) {
  while (!text.empty()) {
    const seq2seq::Utf8Char next = seq2seq::decode_utf8(text);
    use(next.code);
    text.remove_prefix(next.length);
  }
}

// Letters and numbers; marks are none, as in Python's \w.
bool is_word(char32_t code) {
  const utf8proc_category_t kind = utf8proc_category(static_cast<utf8proc_int32_t>(code));
  const bool mark =
      kind == UTF8PROC_CATEGORY_MN || kind == UTF8PROC_CATEGORY_MC || kind == UTF8PROC_CATEGORY_ME;
  return seq2seq::is_word_char(code) && !mark;
}

bool is_space(char32_t code) {
  return seq2seq::is_space_char(code) || code == 0x0B || code == 0x0C || (code >= 0x1C && code <= 0x1F) ||
         code == 0x85 || code == 0x2028 || code == 0x2029;
}

// Runs of blanks as one.
std::string collapsed(const std::string& text) {
  std::string out;
  bool blank = false;
  for_each_char(text, [&](char32_t code) {
    const bool space = is_space(code);
    if (space && !blank) out += ' ';
    if (!space) seq2seq::append_utf8(out, code);
    blank = space;
  });
  return out;
}

std::string trimmed_text(const std::string& text) {
  std::string out = collapsed(text);  // only its ends matter to those who call
  if (out.starts_with(' ')) out.erase(0, 1);
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

// Lower case; the dotted capital I is two characters then, as Python has it.
std::string lower(const std::string& text) {
  std::string dotted;
  for_each_char(text, [&](char32_t code) {
    if (code == 0x130)
      dotted += "i\xCC\x87";
    else
      seq2seq::append_utf8(dotted, code);
  });
  return seq2seq::lower_case(dotted);
}

std::string flat(const std::string& text) {
  std::string out;
  for (const char c : lower(text))
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) out += c;
  return out;
}

// One byte a character, so that expressions over bytes see words and lengths as those over characters do.
std::string in_bytes(const std::string& text) {
  std::string out;
  for_each_char(text, [&](char32_t code) {
    out += code < 0x80 ? static_cast<char>(code) : is_word(code) ? '_' : '\x01';
  });
  return out;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// An answer, ready to be looked through.
struct Answer {
  explicit Answer(const std::string& said)
      : line(fmt::format(" {} ", collapsed(lower(said)))), letters(flat(said)), bytes(in_bytes(line)) {}

  [[nodiscard]] bool has(const std::string& name) const {
    const std::string flattened = flat(name);
    return contains(line, lower(name)) || (flattened.size() > 4 && contains(letters, flattened));
  }
  [[nodiscard]] bool matches(const std::string& expression) const {
    return std::regex_search(bytes, std::regex(expression));
  }

  std::string line, letters, bytes;
};

bool tells_a_fact(const Answer& answer) {
  return answer.matches(
      "did you know|my graph says|as far as i know|here is what i found|i know this one|by the way|"
      "i can tell you that|do you mean");
}

bool refuses(const Answer& answer) {
  return answer.matches(
      "does(n't| not) (say|know)|no such|not know|know nothing|unknown|cannot find|can't find|no .{2,40} "
      "here|"
      "not in (my|the) graph");
}

bool says_number(const Answer& answer, std::int64_t number) {
  constexpr std::array<const char*, 13> kWords = {"-",     "one",   "two",  "three", "four",   "five",  "six",
                                                  "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  const bool has_word = number >= 1 && number < static_cast<std::int64_t>(kWords.size());
  const char* word = kWords[has_word ? static_cast<std::size_t>(number) : 0];
  return answer.matches("\\b(" + std::to_string(number) + "|" + word + ")\\b");
}

bool says_yes_or_no(const Answer& answer, bool wanted) {
  const bool yes = answer.matches("\\b(yes|right|indeed|correct|true)\\b");
  const bool no = answer.matches("\\bno\\b|\\bnot\\b|n't\\b|cannot|wrong|false");
  return wanted ? yes && !no : no;
}

// The names that a question lets one choose from: what stands between commas, "or" and question marks.
std::vector<std::string> choices_of(const std::string& say) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < say.size();) {
    std::size_t cut = 0;
    for (const std::string_view between : {", ", " or ", "?"})
      if (cut == 0 && say.compare(i, between.size(), between) == 0) cut = between.size();
    if (cut == 0)
      parts.back() += say[i++];
    else
      parts.emplace_back(), i += cut;
  }
  return parts;
}

bool leads_with(const Answer& answer, const ExamTurn& turn) {
  const std::size_t first = answer.line.find(lower(*turn.lead));
  if (first == std::string::npos) return false;
  const std::vector<std::string> choices = choices_of(turn.say);
  return std::all_of(choices.begin(), choices.end(), [&](const std::string& choice) {
    const std::string name = lower(trimmed_text(choice));
    return name.empty() || choice == *turn.lead || answer.line.find(name) >= first;
  });
}

// A name that must not be said, was not said by the user and is no part of what is right.
bool says_wrong_name(const Answer& answer, const ExamTurn& turn) {
  const std::string said = lower(turn.say);
  return std::any_of(turn.no.begin(), turn.no.end(), [&](const std::string& name) {
    const std::string small = lower(name);
    const auto within = [&](const std::string& right) { return contains(lower(right), small); };
    return answer.has(name) && !contains(said, small) &&
           std::none_of(turn.all.begin(), turn.all.end(), within) &&
           std::none_of(turn.any.begin(), turn.any.end(), within);
  });
}

}  // namespace

bool is_right(const ExamTurn& turn, const std::string& said, bool walked) {
  const Answer answer(said);
  if (turn.no_fact) return !walked && !tells_a_fact(answer);
  if (turn.refuse) return refuses(answer);
  if (turn.number) return says_number(answer, *turn.number);
  if (turn.yes) return says_yes_or_no(answer, *turn.yes);
  if (turn.lead) return leads_with(answer, turn);
  const auto has = [&](const std::string& name) { return answer.has(name); };
  if (!turn.all.empty()) {
    const auto count = std::count_if(turn.all.begin(), turn.all.end(), has);
    return static_cast<double>(count) >= 0.8 * static_cast<double>(turn.all.size()) &&
           !says_wrong_name(answer, turn);
  }
  return std::any_of(turn.any.begin(), turn.any.end(), has) && !says_wrong_name(answer, turn);
}

}  // namespace kgwalk
