#include "dialogue/questions/wording_text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace kgwalk::dialogue {
namespace {

std::string plural_of(std::string noun) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kOdd{{{"person", "people"},
                                                                                      {"child", "children"},
                                                                                      {"man", "men"},
                                                                                      {"woman", "women"},
                                                                                      {"wife", "wives"},
                                                                                      {"series", "series"}}};
  for (const auto& [one, many] : kOdd)
    if (noun == one) return std::string(many);
  const auto ends = [&](std::string_view end) { return noun.ends_with(end); };
  const char before = noun.size() > 1 ? noun[noun.size() - 2] : 'a';
  if (ends("y") && std::string_view("aeou").find(before) == std::string_view::npos)
    return noun.substr(0, noun.size() - 1) + "ies";
  if (ends("s") && !ends("ss")) return noun;
  if (ends("s") || ends("x") || ends("ch") || ends("sh")) return noun + "es";
  return noun + "s";
}

}  // namespace

std::string relation_key(std::string_view name) {
  std::string key;
  for (const char c : name) {
    const bool apart = c == ' ' || c == '_' || c == '-';
    if (apart && (key.empty() || key.back() == ' ')) continue;
    key += apart ? ' ' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return key;
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
}

std::vector<std::string> members_of(std::string_view line) {
  std::vector<std::string> members;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find('|'), line.size());
    const std::string_view member = line.substr(0, end);
    const std::size_t first = member.find_first_not_of(' '), last = member.find_last_not_of(' ');
    if (first != member.npos) members.emplace_back(member.substr(first, last - first + 1));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return members;
}

std::string bare_words(const std::string& wording) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < wording.size();) {
    const std::size_t end = std::min(wording.find(' ', at), wording.size());
    std::string word = wording.substr(at, end - at);
    at = end + 1;
    const bool article = word == "the" || word == "a" || word == "an";
    if (word.empty() || article || word.find('{') != word.npos) continue;
    words.push_back(std::move(word));
  }
  if (!words.empty() && words.back() == "of") words.pop_back();
  std::string bare;
  for (const std::string& word : words) bare.append(bare.empty() ? "" : " ").append(word);
  return bare;
}

std::size_t word_at(std::string_view text, std::string_view words) {
  for (std::size_t at = 0; (at = text.find(words, at)) != text.npos; ++at) {
    const std::size_t end = at + words.size();
    if ((at == 0 || text[at - 1] == ' ') && (end == text.size() || text[end] == ' ')) return at;
  }
  return std::string::npos;
}

std::optional<std::string> plural_phrase(const std::string& phrase) {
  static constexpr std::array<std::string_view, 22> kAfterNoun{
      "of",    "in",   "by",       "that",    "who",  "which",  "where", "with",    "from",     "on",  "at",
      "about", "born", "directed", "written", "made", "played", "under", "created", "produced", "for", "to"};
  std::vector<std::string> words;
  for (std::size_t at = 0; at < phrase.size();) {
    const std::size_t end = std::min(phrase.find(' ', at), phrase.size());
    words.push_back(phrase.substr(at, end - at));
    at = end + 1;
  }
  const bool owned = !words.empty() && words.front() == "{x's}";
  if (words.size() < 2 || !(owned || words.front() == "a" || words.front() == "an" || words.front() == "the"))
    return std::nullopt;
  std::size_t noun = 1;
  const auto goes_on = [&](const std::string& word) {
    return std::find(kAfterNoun.begin(), kAfterNoun.end(), word) == kAfterNoun.end() &&
           !word.starts_with('{') && !word.ends_with("ed");
  };
  while (noun + 1 < words.size() && goes_on(words[noun + 1])) ++noun;
  words[noun] = plural_of(words[noun]);
  std::string plural;
  for (std::size_t i = owned ? 0 : 1; i < words.size(); ++i)
    plural.append(plural.empty() ? "" : " ").append(words[i]);
  return plural;
}

}  // namespace kgwalk::dialogue
