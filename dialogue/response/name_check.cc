#include "dialogue/response/name_check.h"

#include <algorithm>
#include <utility>

namespace kgwalk::dialogue {
namespace {

using WordList = std::vector<std::string>;

// An owner's ending is a word of its own, so that "Nolan's" names Nolan and "Schindler's List" itself.
constexpr const char* kOwner = "'s";

bool is_letter_byte(std::string_view text, std::size_t at) {
  if (at >= text.size()) return false;
  const auto c = static_cast<unsigned char>(text[at]);
  return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Bytes of an owner's ending that stands at `at`; 0 where none does.
std::size_t owner_at(std::string_view text, std::size_t at) {
  for (const std::string_view ending : {"'s", "\u2019s", "'S"})
    if (at > 0 && text.substr(at).starts_with(ending) && is_letter_byte(text, at - 1) &&
        !is_letter_byte(text, at + ending.size()))
      return ending.size();
  return 0;
}

WordList checked_words(std::string_view text) {
  WordList words;
  const auto add = [&](std::string_view part) {
    for (std::string& word : words_of(part)) words.push_back(std::move(word));
  };
  std::size_t from = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t length = owner_at(text, at);
    if (length == 0) continue;
    add(text.substr(from, at - from));
    words.emplace_back(kOwner);
    from = at + length;
  }
  add(text.substr(from));
  return words;
}

bool stands_at(const WordList& text, std::size_t at, const WordList& words) {
  return !words.empty() && at + words.size() <= text.size() &&
         std::equal(words.begin(), words.end(), text.begin() + static_cast<std::ptrdiff_t>(at));
}

bool stands_in(const WordList& text, const WordList& words) {
  for (std::size_t at = 0; at < text.size(); ++at)
    if (stands_at(text, at, words)) return true;
  return false;
}

// "schindler 's list" as the index of names has it: "schindlers list".
std::string as_indexed(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words)
    text.append(text.empty() || word == kOwner ? "" : " ").append(word == kOwner ? "s" : word);
  return text;
}

}  // namespace

NameChecker::NameChecker(const graph::KnowledgeGraph& graph, OrdinaryNames ordinary)
    : graph_(graph), names_(graph), ordinary_(std::move(ordinary)) {}

// Words of the longest name that begins there and is not ordinary; 0 where none does.
std::size_t NameChecker::longest_entity(const Words& words, std::size_t at, std::string& name) const {
  for (std::size_t n = std::min(kMaxNameWords + 1, words.size() - at); n > 0; --n) {
    const std::string phrase = as_indexed(std::span(words).subspan(at, n));
    if (words[at] == kOwner || words[at + n - 1] == kOwner || ordinary_.contains(phrase)) continue;
    const std::span<const graph::EntityId> entities = names_.entities_named(names_.encode(phrase));
    if (entities.empty()) continue;
    name = graph_.entity_name(entities.front());
    return n;
  }
  return 0;
}

NameVerdict NameChecker::check(std::string_view sentence, const Message& message) const {
  NameVerdict verdict;
  const WordList words = checked_words(sentence);
  std::vector<WordList> known;
  const auto know = [&](const std::string& name) {
    const WordList whole = checked_words(name), plain = checked_words(plain_name(name));
    known.push_back(whole);
    known.push_back(plain);
    return stands_in(words, whole) || stands_in(words, plain);
  };
  for (const std::string& name : names_of(message))
    (know(name) ? verdict.named : verdict.missing).push_back(name);
  if (!message.goal.empty()) (void)know(message.goal);
  const std::vector<WordList> own = known;
  for (const graph::Chat& said : message.context) known.push_back(checked_words(said.text));
  for (std::size_t at = 0; at < words.size();) {
    std::size_t skip = 0;
    for (const WordList& name : own)
      if (stands_at(words, at, name)) skip = std::max(skip, name.size());
    std::string name;
    const std::size_t length = longest_entity(words, at, name);
    if (length > skip) {
      const WordList phrase(words.begin() + static_cast<std::ptrdiff_t>(at),
                            words.begin() + static_cast<std::ptrdiff_t>(at + length));
      const bool may = std::any_of(known.begin(), known.end(),
                                   [&](const WordList& where) { return stands_in(where, phrase); });
      if (!may && std::find(verdict.wrong.begin(), verdict.wrong.end(), name) == verdict.wrong.end())
        verdict.wrong.push_back(name);
      skip = length;
    }
    at += std::max<std::size_t>(skip, 1);
  }
  return verdict;
}

}  // namespace kgwalk::dialogue
