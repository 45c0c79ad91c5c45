#include "listening/words/families.h"

#include <algorithm>
#include <map>

#include "listening/words/said_text.h"

namespace kgwalk::listening {

extern const std::string_view kFamilies;  // the file's text

namespace {

using Words = std::vector<std::string>;
using Pairs = std::vector<std::pair<std::string, std::string>>;

std::vector<std::string_view> split(std::string_view text, std::string_view mark) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(mark);
    std::string_view part = text.substr(0, at);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    parts.push_back(part);
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + mark.size());
  }
}

// "base|past", or "participle~past" where the past may be left out.
std::pair<std::string, std::string> two_of(std::string_view text, char mark) {
  const std::size_t at = text.find(mark);
  return at == std::string_view::npos
             ? std::pair(std::string(text), std::string(text))
             : std::pair(std::string(text.substr(0, at)), std::string(text.substr(at + 1)));
}

void add_words(std::string_view part, Family& family) {
  const std::size_t equals = part.find('=');
  const std::string_view key = part.substr(0, equals);
  for (const std::string_view text : split(part.substr(equals + 1), ",")) {
    if (key == "n")
      family.nouns.emplace_back(text);
    else if (key == "by")
      family.done.push_back(two_of(text, '~'));
    else if (key == "w")
      family.loose.emplace_back(text);
    else if (key == "of")
      family.head_nouns.emplace_back(text);
    else
      (key == "hv" ? family.does : family.acts).push_back(two_of(text, '|'));
  }
}

// Words that say too little to ask for a relation by.
bool is_vague(std::string_view word) {
  constexpr std::string_view kVague[] = {"up",   "about", "near", "out",  "use",  "used", "go",
                                         "went", "come",  "came", "take", "took", "hold", "held",
                                         "over", "under", "off",  "away", "thing"};
  return is_function_word(word) || std::find(std::begin(kVague), std::end(kVague), word) != std::end(kVague);
}

void gather_said(Family& family) {
  const auto add = [&](const std::string& text) {
    for (const SaidWord& word : read_said(text).words)
      if (word.is_word && !is_vague(word.folded)) family.said.insert(word.folded);
  };
  for (const std::string& noun : family.nouns) add(noun);
  for (const Pairs* verbs : {&family.done, &family.does, &family.acts})
    for (const auto& [base, past] : *verbs) {
      add(base);
      add(past);
    }
}

Family parse(std::string_view line) {
  Family family;
  const std::vector<std::string_view> parts = split(line, " | ");
  for (const std::string_view name : split(parts[0], ",")) {
    Words words;
    for (const std::string_view word : split(name, " ")) words.emplace_back(word);
    family.names.push_back(std::move(words));
  }
  if (parts.size() > 1) {
    family.tail = end_kind_named(parts[1]);
    if (const std::size_t at = parts[1].rfind(' '); at != std::string_view::npos)
      family.head = end_kind_named(parts[1].substr(at + 1));
  }
  for (std::size_t i = 2; i < parts.size(); ++i) add_words(parts[i], family);
  gather_said(family);
  return family;
}

std::vector<Family> read_families() {
  std::vector<Family> all;
  for (const std::string_view line : split(kFamilies, "\n"))
    if (!line.empty() && !line.starts_with('#')) all.push_back(parse(line));
  return all;
}

const std::map<Words, const Family*>& by_name() {
  static const std::map<Words, const Family*> names = [] {
    std::map<Words, const Family*> map;
    for (const Family& family : families())
      for (const Words& name : family.names) map.try_emplace(name, &family);
    return map;
  }();
  return names;
}

bool is_dropped(const std::string& word) {
  constexpr std::string_view kDropped[] = {"former",  "current", "past", "name",
                                           "notable", "main",    "has",  "is"};
  return std::find(std::begin(kDropped), std::end(kDropped), word) != std::end(kDropped);
}

}  // namespace

std::optional<EndKind> kind_called(std::string_view noun) {
  struct Noun {
    std::string_view word;
    EndKind kind;
  };
  constexpr Noun kNouns[] = {{"person", EndKind::kPerson},
                             {"persons", EndKind::kPerson},
                             {"people", EndKind::kPerson},
                             {"man", EndKind::kPerson},
                             {"men", EndKind::kPerson},
                             {"woman", EndKind::kPerson},
                             {"women", EndKind::kPerson},
                             {"guy", EndKind::kPerson},
                             {"somebody", EndKind::kPerson},
                             {"someone", EndKind::kPerson},
                             {"place", EndKind::kPlace},
                             {"places", EndKind::kPlace},
                             {"location", EndKind::kPlace},
                             {"locations", EndKind::kPlace},
                             {"organization", EndKind::kOrganization},
                             {"work", EndKind::kWork},
                             {"works", EndKind::kWork},
                             {"organizations", EndKind::kOrganization},
                             {"thing", EndKind::kThing},
                             {"things", EndKind::kThing},
                             {"item", EndKind::kThing},
                             {"items", EndKind::kThing},
                             {"entries", EndKind::kThing}};
  const auto* const found =
      std::find_if(std::begin(kNouns), std::end(kNouns), [&](const Noun& each) { return each.word == noun; });
  return found == std::end(kNouns) ? std::nullopt : std::optional(found->kind);
}

EndKind end_kind_named(std::string_view letter) {
  constexpr std::string_view kLetters = "plowtdc";
  constexpr EndKind kKinds[] = {EndKind::kPerson, EndKind::kPlace, EndKind::kOrganization, EndKind::kWork,
                                EndKind::kThing,  EndKind::kDate,  EndKind::kNumber};
  const std::size_t at = letter.empty() ? std::string_view::npos : kLetters.find(letter.front());
  return at == std::string_view::npos ? EndKind::kUnknown : kKinds[at];
}

std::span<const Family> families() {
  static const std::vector<Family> all = read_families();
  return all;
}

const Family* family_of(std::span<const std::string> words) {
  if (words.empty()) return nullptr;
  const Words whole(words.begin(), words.end());
  Words singular = whole, bare;
  while (singular.back().size() > 1 && singular.back().ends_with('s')) singular.back().pop_back();
  std::copy_if(whole.begin(), whole.end(), std::back_inserter(bare),
               [](const std::string& w) { return !is_dropped(w); });
  for (const Words& name : {whole, singular, bare})
    if (const auto found = by_name().find(name); found != by_name().end()) return found->second;
  return nullptr;
}

}  // namespace kgwalk::listening
