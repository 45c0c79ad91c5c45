#include "listening/words/word_lists.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "listening/words/said_text.h"

namespace kgwalk::listening {

extern const std::string_view kAttributes, kAsides, kUnsaid, kAsked, kDemonyms;  // the files' texts

namespace {

using Sections = std::map<std::string, std::vector<std::string>, std::less<>>;

// Lines under headings in brackets.
Sections read_sections(std::string_view text) {
  Sections sections;
  std::vector<std::string>* section = nullptr;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with('[') && line.ends_with(']'))
      section = &sections[std::string(line.substr(1, line.size() - 2))];
    else if (section != nullptr)
      section->emplace_back(line);
  }
  return sections;
}

std::vector<std::string> apart_by_commas(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (part.starts_with(' ')) part.remove_prefix(1);
    parts.emplace_back(part);
  }
  return parts;
}

}  // namespace

const std::vector<std::string>& places_called(std::string_view folded) {
  static const std::map<std::string, std::vector<std::string>, std::less<>> places = [] {
    std::map<std::string, std::vector<std::string>, std::less<>> map;
    std::string_view text = kDemonyms;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      const std::size_t colon = line.find(':');
      if (line.starts_with('#') || colon == std::string_view::npos) continue;
      const std::vector<std::string> names = apart_by_commas(line.substr(0, colon));
      for (const std::string& word : apart_by_commas(line.substr(colon + 1))) map[word] = names;
      if (names.size() > 1)
        for (const std::string& name : names) map.try_emplace(listening::folded(name), names);
    }
    return map;
  }();
  static const std::vector<std::string> none;
  const auto found = places.find(folded);
  return found == places.end() ? none : found->second;
}

const Attributes& rare_attributes() {
  static const Attributes all = [] {
    Sections read = read_sections(kAttributes);
    return Attributes{read["noun"], read["count"], read["verb"]};
  }();
  return all;
}

const Asides& asides() {
  static const Asides all = [] {
    Sections read = read_sections(kAsides);
    return Asides{read["front"], read["behind"], read["inside"]};
  }();
  return all;
}

const std::vector<UnsaidWording>& unsaid_wordings() {
  static const std::vector<UnsaidWording> all = [] {
    std::vector<UnsaidWording> wordings;
    for (const auto& [kind, lines] : read_sections(kUnsaid))
      for (const std::string& line : lines) wordings.push_back({end_kind_named(kind), line});
    return wordings;
  }();
  return all;
}

const dialogue::Bank& asked_wordings() {
  static const dialogue::Bank bank = dialogue::parse_bank(kAsked, "data/words/asked.txt");
  return bank;
}

}  // namespace kgwalk::listening
