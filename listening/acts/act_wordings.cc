#include <algorithm>
#include <functional>
#include <set>

#include "kgwalk/error.h"
#include "listening/acts/act_examples.h"
#include "listening/words/said_text.h"

namespace kgwalk::listening {

extern const std::string_view kActWordings;  // the file's text

namespace {

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

struct Section {
  Act act = Act::kQuestion;
  std::vector<ActContext> contexts;
};

// "[act] what may have come before"
Section read_section(std::string_view line, const std::string& name, std::size_t number) {
  const std::size_t close = line.find(']');
  if (close == std::string_view::npos) throw DataError(name, number, "a section has no ]");
  Choice<Act> act = Act::kQuestion;
  const std::string_view word = line.substr(1, close - 1);
  if (!act.assign(word))
    throw DataError(name, number,
                    "'" + std::string(word) + "' is no act; it " + Choice<Act>::advice(std::string(word)));
  Section section{act, {}};
  for (const std::string_view before : words_of(line.substr(close + 1))) {
    ActContext context;
    context.offered = before == "offered";
    context.cut = before == "cut";
    context.goal = before == "goal";
    context.answered = before == "answered" || context.cut;
    if (before != "start" && !context.offered && !context.answered && !context.goal)
      throw DataError(name, number,
                      "'" + std::string(before) +
                          "' is nothing that may come before; it is start, offered, answered, cut or goal");
    section.contexts.push_back(context);
  }
  if (section.contexts.empty())
    section.contexts = {{}, {.offered = true}, {.answered = true}, {.answered = true, .cut = true}};
  return section;
}

// Every ( has its ), none lies in another.
bool is_balanced(std::string_view text) {
  bool open = false;
  for (const char c : text) {
    if (c == '(' || c == ')') {
      if (open == (c == '(')) return false;
      open = c == '(';
    } else if (c == '|' && !open) {
      return false;
    }
  }
  return !open;
}

}  // namespace

std::vector<ActWording> read_act_wordings(std::string_view text, const std::string& name) {
  std::vector<ActWording> wordings;
  Section section;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with('[')) {
      section = read_section(line, name, number);
      continue;
    }
    if (section.contexts.empty()) throw DataError(name, number, "a wording stands below a section");
    if (!is_balanced(line)) throw DataError(name, number, "( | ) of a wording do not match");
    wordings.push_back({section.act, std::string(line), section.contexts});
  }
  return wordings;
}

std::span<const ActWording> act_wordings() {
  static const std::vector<ActWording> wordings = read_act_wordings(kActWordings, "data/words/acts.txt");
  return wordings;
}

bool is_word_of_acts(std::string_view folded) {
  static const std::set<std::string, std::less<>> words = [] {
    constexpr Act kNamingThings[] = {Act::kQuestion,   Act::kTellAbout, Act::kStatement,
                                     Act::kCorrection, Act::kOutside,   Act::kForeign};
    std::set<std::string, std::less<>> all;
    for (const ActWording& wording : act_wordings()) {
      if (std::find(std::begin(kNamingThings), std::end(kNamingThings), wording.act) !=
          std::end(kNamingThings))
        continue;
      for (const SaidWord& word : read_said(wording.text).words)
        if (word.is_word) all.insert(word.folded);
    }
    return all;
  }();
  return words.contains(folded);
}

}  // namespace kgwalk::listening
