#include "dialogue/questions/asked.h"

#include <algorithm>
#include <array>

namespace kgwalk::dialogue {
namespace {

// Words that stand in wordings of all kinds and tell no relation.
constexpr auto kPlainWords = std::to_array<std::string_view>(
    {"a",    "about", "all",  "am",     "an",   "and",   "any",   "are",  "as",    "at",    "be",   "by",
     "can",  "could", "did",  "do",     "does", "for",   "from",  "give", "had",   "has",   "have", "he",
     "her",  "him",   "his",  "how",    "i",    "in",    "is",    "it",   "its",   "know",  "kind", "like",
     "list", "me",    "much", "name",   "of",   "on",    "one",   "or",   "out",   "part",  "she",  "so",
     "tell", "that",  "the",  "their",  "them", "there", "these", "they", "thing", "this",  "to",   "type",
     "was",  "were",  "what", "what's", "when", "where", "which", "who",  "who's", "whose", "with", "you"});

constexpr auto kQuestionWords = std::to_array<std::string_view>(
    {"who", "what", "which", "where", "when", "whose", "whom", "who's", "what's", "how", "tell", "name",
     "list", "give", "did", "does", "is", "was", "are"});

template <class List>
bool among(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool in_word(char c) {
  const auto u = static_cast<unsigned char>(c);
  return u >= 0x80 || c == '\'' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// In lower case; a place of a name is an empty word.
std::vector<std::string> lower_words(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '{') {
      words.emplace_back();
      at = std::min(text.find('}', at), text.size() - 1) + 1;
      continue;
    }
    if (!in_word(text[at])) {
      ++at;
      continue;
    }
    std::string word;
    for (; at < text.size() && in_word(text[at]); ++at)
      word += text[at] >= 'A' && text[at] <= 'Z' ? static_cast<char>(text[at] - 'A' + 'a') : text[at];
    words.push_back(std::move(word));
  }
  return words;
}

// Sentences that ask: those with a question mark, and those that begin as questions do.
std::vector<std::vector<std::string>> asking(std::string_view text) {
  std::vector<std::vector<std::string>> sentences;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(".!?"), text.size());
    std::vector<std::string> words = lower_words(text.substr(0, end));
    const bool mark = end < text.size() && text[end] == '?';
    if (!words.empty() && (mark || among(kQuestionWords, words.front())))
      sentences.push_back(std::move(words));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return sentences;
}

// Whether the runs stand in the sentence one behind the other.
bool stand_in(const std::vector<std::vector<std::string>>& runs, const std::vector<std::string>& sentence) {
  auto at = sentence.begin();
  for (const std::vector<std::string>& run : runs) {
    at = std::search(at, sentence.end(), run.begin(), run.end());
    if (at == sentence.end()) return false;
    at += static_cast<std::ptrdiff_t>(run.size());
  }
  return true;
}

}  // namespace

QuestionReader::QuestionReader(const Topics& topics) {
  for (const Topic& topic : topics.all())
    for (const std::vector<const Wording*>& list : topic.wordings)
      for (const Wording* wording : list) add(topic, wording->text);
}

void QuestionReader::add(const Topic& topic, const std::string& wording) {
  Pattern pattern{&topic, {}, 0};
  std::string telling;
  bool gap = true;
  for (std::string& word : lower_words(wording)) {
    if (word.empty()) {
      gap = true;
      continue;
    }
    const bool plain = among(kPlainWords, word);
    if (!plain && word.size() > telling.size()) telling = word;
    pattern.weight += plain ? 1 : 10;
    if (gap) pattern.runs.emplace_back();
    pattern.runs.back().push_back(std::move(word));
    gap = false;
  }
  if (telling.empty()) return;
  by_word_[telling].push_back(patterns_.size());
  patterns_.push_back(std::move(pattern));
}

const QuestionReader::Pattern* QuestionReader::best(const Words& sentence) const {
  const Pattern* best = nullptr;
  for (const std::string& word : sentence) {
    const auto found = by_word_.find(word);
    if (found == by_word_.end()) continue;
    for (const std::size_t place : found->second) {
      const Pattern& pattern = patterns_[place];
      if (best != nullptr &&
          (pattern.weight < best->weight || (pattern.weight == best->weight && &pattern > best)))
        continue;
      if (stand_in(pattern.runs, sentence)) best = &pattern;
    }
  }
  return best;
}

const Topic* QuestionReader::read(std::string_view text) const {
  const Pattern* found = nullptr;
  for (const Words& sentence : asking(text))
    if (const Pattern* pattern = best(sentence); pattern && (!found || pattern->weight > found->weight))
      found = pattern;
  return found == nullptr ? nullptr : found->topic;
}

}  // namespace kgwalk::dialogue
