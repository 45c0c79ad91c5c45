#include "dialogue/response/faith_check.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <sstream>
#include <vector>

#include "dialogue/response/figures.h"
#include "runtime/text.h"

namespace kgwalk::dialogue {
namespace {

using WordSet = std::set<std::string, std::less<>>;

WordSet words_in(const char* list) {
  std::istringstream stream(list);
  return {std::istream_iterator<std::string>(stream), {}};
}

// What a sentence may begin with though it is none of the words given.
const WordSet& function_words() {
  static const WordSet words = words_in(
      "a about according actually after all also although among an and another any are as asked at because "
      "before both but by "
      "can certainly could did do does during each either even every for from had has have he her here his "
      "how however i if in "
      "indeed is it its just like many most much my no none not now of oh ok okay on only or other our out "
      "over right same she "
      "since so some sorry such sure than that the their them then there these they this those though to too "
      "unfortunately up "
      "very was we well were what when where whether which while who whom whose why will with without would "
      "yes you your "
      "interestingly speaking");
  return words;
}

const WordSet& denials() {
  static const WordSet words = words_in(
      "not no nor never none nobody nothing neither nowhere cannot without false untrue wrong incorrect "
      "hardly "
      "isn't wasn't aren't weren't don't doesn't didn't hasn't haven't hadn't can't couldn't won't wouldn't");
  return words;
}

struct SaidWord {
  std::string folded;  // without an owner's ending
  bool first = false;  // of its sentence
  bool marked =
      false;  // written large, or in a script without large and small, or with digits of another script
};

bool is_apostrophe(utf8proc_int32_t c) { return c == '\'' || c == 0x2019; }

bool of_word(utf8proc_int32_t c) {
  const auto category = utf8proc_category(c);
  return category <= UTF8PROC_CATEGORY_NO && category != UTF8PROC_CATEGORY_CN;  // letters, marks, numbers
}

bool marks(utf8proc_int32_t c) {
  const auto category = utf8proc_category(c);
  return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LT ||
         category == UTF8PROC_CATEGORY_LO || (category == UTF8PROC_CATEGORY_ND && c > 0x7F);
}

std::string folded_word(const std::string& word) {
  std::string folded = fold_name(word);
  for (const std::string_view curly : {"\u2019"})
    for (std::size_t at; (at = folded.find(curly)) != std::string::npos;)
      folded.replace(at, curly.size(), "'");
  if (folded.ends_with("'s")) folded.resize(folded.size() - 2);
  return folded;
}

// The text is UTF-8.
std::vector<SaidWord> words_said(std::string_view text) {
  std::vector<SaidWord> words;
  std::string word;
  bool marked = false, first = true;
  const auto end_word = [&] {
    while (word.ends_with('\'')) word.pop_back();
    if (!word.empty()) {
      words.push_back({folded_word(word), first, marked});
      first = false;
    }
    word.clear();
    marked = false;
  };
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    utf8proc_int32_t c = 0;
    const auto size = utf8proc_iterate(bytes + at, static_cast<utf8proc_ssize_t>(text.size() - at), &c);
    if (size <= 0) break;
    if (of_word(c) || (is_apostrophe(c) && !word.empty())) {
      word.append(text.substr(at, static_cast<std::size_t>(size)));
      marked = marked || marks(c);
    } else {
      end_word();
      first = first || c == '.' || c == '!' || c == '?';
    }
    at += static_cast<std::size_t>(size);
  }
  end_word();
  return words;
}

WordSet set_of(std::string_view text) {
  WordSet out;
  for (SaidWord& word : words_said(text)) out.insert(std::move(word.folded));
  return out;
}

// All that the message and the draft say, the user's words left out.
std::string known_text(const Message& message, std::string_view draft) {
  std::string text(draft);
  const auto add = [&](const std::string& part) { text.append(". ").append(part); };
  for (const std::string& name : names_of(message)) add(name);
  for (const Way& way : message.ways)
    for (const graph::NamedTriple& fact : way) add(fact.relation);
  for (const std::string& relation : message.instead) add(relation);
  add(message.asked);
  add(message.claim);
  return text;
}

std::string shape_fault(std::string_view sentence, std::string_view known, std::size_t longest) {
  if (sentence.empty()) return "it is empty";
  if (sentence.size() > longest) return "it is too long";
  if (invalid_utf8_at(sentence)) return "it is no UTF-8";
  for (const char c : sentence)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      return "it has control characters or several lines";
  for (const std::string_view mark :
       {"<", ">", "{", "}", "[", "]", "|", "`", "*", "#", "\\", "@", "_", "://", "www."})
    if (sentence.find(mark) != std::string_view::npos && known.find(mark) == std::string_view::npos)
      return fmt::format("it has markup or a link: {}", mark);
  return "";
}

std::string word_fault(std::string_view sentence, const WordSet& known) {
  for (const SaidWord& word : words_said(sentence)) {
    if (!word.marked || known.contains(word.folded)) continue;
    const bool pronoun = word.folded == "i" || word.folded.starts_with("i'");
    if (pronoun ||
        (word.first && (function_words().contains(word.folded) || denials().contains(word.folded))))
      continue;
    return fmt::format("'{}' is not among what was given", word.folded);
  }
  return "";
}

bool denies(std::string_view text, const WordSet& names) {
  for (const SaidWord& word : words_said(text))
    if (denials().contains(word.folded) && !names.contains(word.folded)) return true;
  return false;
}

std::string first_word(std::string_view text) {
  const auto words = words_said(text);
  return words.empty() ? "" : words.front().folded;
}

std::string denial_fault(std::string_view sentence, const Message& message, std::string_view draft) {
  WordSet names;
  for (const std::string& name : names_of(message)) names.merge(set_of(name));
  if (denies(sentence, names) != denies(draft, names)) return "it denies what is so, or says what is denied";
  const std::string said = first_word(sentence), ours = first_word(draft);
  if ((said == "yes" && ours == "no") || (said == "no" && ours == "yes"))
    return "it says yes for no, or no for yes";
  return "";
}

// The beginning of a word stands for its other forms: "directed", "director".
std::string stem(const std::string& word) {
  constexpr std::size_t kStem = 5;
  return word.substr(0, std::min(word.size(), kStem));
}

bool tells_facts(MessageKind kind) {
  return kind == MessageKind::kPath || kind == MessageKind::kOne || kind == MessageKind::kList;
}

std::string fact_fault(std::string_view sentence, const Message& message, std::string_view draft) {
  if (!tells_facts(message.kind)) return "";
  WordSet names, stems;
  for (const std::string& name : names_of(message)) names.merge(set_of(name));
  const auto add = [&](const WordSet& words) {
    for (const std::string& word : words)
      if (word.size() > 2 && !names.contains(word) && !function_words().contains(word))
        stems.insert(stem(word));
  };
  add(set_of(draft));
  for (const Way& way : message.ways)
    for (const graph::NamedTriple& fact : way) add(set_of(fact.relation));
  const WordSet said = set_of(sentence);
  const bool told = stems.empty() || std::any_of(said.begin(), said.end(), [&](const std::string& word) {
                      return stems.contains(stem(word));
                    });
  return told ? "" : "it has none of the words that tell the fact";
}

// What the message comes to, the answers.
std::vector<std::string> ends_of(const Message& message) {
  std::vector<std::string> ends;
  if (!message.claim.empty()) ends.push_back(message.claim);
  if (message.kind == MessageKind::kYes || message.kind == MessageKind::kNo) return ends;
  for (const Way& way : message.ways) ends.push_back(way.back().tail);
  return ends;
}

bool holds(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

std::string FaithChecker::fault(std::string_view sentence, const Message& given,
                                std::string_view draft) const {
  Message message = given;
  message.context.clear();
  const std::string known = known_text(message, draft);
  if (std::string shape = shape_fault(sentence, known, 3 * draft.size() + 200); !shape.empty()) return shape;
  const NameVerdict said = names_.check(sentence, message), ours = names_.check(draft, message);
  if (!said.wrong.empty()) return fmt::format("it names {}, which was not given", said.wrong.front());
  for (const std::string& end : ends_of(message))
    if (holds(ours.named, end) && !holds(said.named, end)) return fmt::format("it does not name {}", end);
  if (const std::string figure = figure_made_up(sentence, known, message.ways.size()); !figure.empty())
    return fmt::format("the number or date {} was not given", figure);
  if (std::string word = word_fault(sentence, set_of(known)); !word.empty()) return word;
  if (std::string denial = denial_fault(sentence, message, draft); !denial.empty()) return denial;
  return fact_fault(sentence, message, draft);
}

}  // namespace kgwalk::dialogue
