#include "listening/questions/topic_words.h"

#include <algorithm>
#include <vector>

#include "listening/questions/english.h"

namespace kgwalk::listening {
namespace {

template <std::size_t n>
bool stands_in(std::string_view word, const std::string_view (&words)[n]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool is_subject(std::string_view before, std::string_view behind) {
  constexpr std::string_view kObjectBefore[] = {"of",   "by",    "in",    "to",   "for",  "with",    "at",
                                                "from", "about", "on",    "into", "than", "without", "near",
                                                "as",   "and",   "under", "or",   "both", "not",     "have"};
  constexpr std::string_view kObjectBehind[] = {"",      "as",     "and",   "but",     "or",
                                                "that",  "which",  "after", "in",      "from",
                                                "since", "before", "with",  "without", "who"};
  return !stands_in(before, kObjectBefore) && !stands_in(behind, kObjectBehind);
}

}  // namespace

std::string with_topic(std::string_view text, const TopicWords& words) {
  std::vector<std::string> parts = split_words(text);
  const std::vector<std::string> given = parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::string& part = parts[i];
    const std::size_t at = part.find_first_of("\x01\x02");
    if (at == std::string::npos) continue;
    const std::string behind = part.substr(at + 1);
    if (behind.starts_with("'s")) {
      part = part.substr(0, at) + words.owner + behind.substr(2);
      continue;
    }
    const std::string_view before = i == 0 ? std::string_view() : std::string_view(given[i - 1]);
    const std::string_view next =
        behind.empty() && i + 1 < given.size() ? std::string_view(given[i + 1]) : std::string_view();
    const bool subject = part[at] == kTopicSubject[0] || is_subject(before, next);
    part = part.substr(0, at) + (subject ? words.subject : words.object) + behind;
  }
  return join_words(parts);
}

}  // namespace kgwalk::listening
