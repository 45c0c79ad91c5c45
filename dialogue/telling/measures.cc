#include "dialogue/telling/measures.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace kgwalk::dialogue {

extern const std::string_view kMeasures;  // the file's text

namespace {

std::vector<std::string_view> cut_at(std::string_view text, std::string_view mark) {
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

std::vector<std::string>* words_under(std::string_view key, MeasureWords& words) {
  if (key == "n") return &words.nouns;
  if (key == "least") return &words.least;
  if (key == "most") return &words.most;
  if (key == "less") return &words.less;
  if (key == "more") return &words.more;
  return key == "ask" ? &words.asks : &words.counted;
}

MeasureWords parse_measure(std::string_view line) {
  MeasureWords words;
  const std::vector<std::string_view> parts = cut_at(line, " | ");
  for (const std::string_view name : cut_at(parts[0], ",")) {
    std::vector<std::string> split;
    for (const std::string_view word : cut_at(name, " ")) split.emplace_back(word);
    words.names.push_back(std::move(split));
  }
  words.time = parts[1] == "d";
  for (std::size_t i = 2; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    const std::string_view key = parts[i].substr(0, equals);
    for (const std::string_view text : cut_at(parts[i].substr(equals + 1), ",")) {
      const std::size_t bar = text.find('|');
      if (key == "v")
        words.happened.emplace_back(text.substr(0, bar), text.substr(bar + 1));
      else
        words_under(key, words)->emplace_back(text);
    }
  }
  return words;
}

bool ends_with_words(std::span<const std::string> name, std::span<const std::string> end) {
  return name.size() >= end.size() &&
         std::equal(end.begin(), end.end(), name.end() - static_cast<long>(end.size()));
}

struct NamedMeasure {
  const std::vector<std::string>* name;
  const MeasureWords* measure;
};

// Names by their last word, in the order of the table.
const std::unordered_map<std::string_view, std::vector<NamedMeasure>>& by_last_word() {
  static const auto all = [] {
    std::unordered_map<std::string_view, std::vector<NamedMeasure>> names;
    for (const MeasureWords& measure : measure_table())
      for (const auto& name : measure.names) names[name.back()].push_back({&name, &measure});
    return names;
  }();
  return all;
}

// "Running time min": the unit behind a name is none of its words.
bool is_unit(const std::string& word) {
  constexpr std::string_view kUnits[] = {"min", "mins",    "minutes", "sec",   "seconds", "s",   "ms",
                                         "h",   "hours",   "days",    "mm",    "cm",      "m",   "km",
                                         "ft",  "mi",      "g",       "kg",    "lb",      "lbs", "t",
                                         "usd", "eur",     "dollars", "euros", "percent", "pct", "m2",
                                         "km2", "celsius", "c",       "k",     "mph",     "kmh"};
  return std::find(std::begin(kUnits), std::end(kUnits), word) != std::end(kUnits);
}

const MeasureWords* measure_named(std::span<const std::string> words, bool time) {
  const auto ends = by_last_word().find(words.back());
  if (ends == by_last_word().end()) return nullptr;
  const MeasureWords* found = nullptr;
  std::size_t longest = 0;
  for (const auto& [name, measure] : ends->second) {
    if (measure->time != time || name->size() <= longest || !ends_with_words(words, *name)) continue;
    found = measure;
    longest = name->size();
  }
  return found;
}

}  // namespace

std::span<const MeasureWords> measure_table() {
  static const std::vector<MeasureWords> all = [] {
    std::vector<MeasureWords> read;
    for (const std::string_view line : cut_at(kMeasures, "\n"))
      if (!line.empty() && !line.starts_with('#')) read.push_back(parse_measure(line));
    return read;
  }();
  return all;
}

const MeasureWords* measure_of(std::span<const std::string> words, bool time) {
  while (!words.empty()) {
    if (const MeasureWords* found = measure_named(words, time)) return found;
    if (time || !is_unit(words.back())) break;
    words = words.first(words.size() - 1);
    if (words.size() > 1 && words.back() == "in") words = words.first(words.size() - 1);  // "weight in lbs"
  }
  return nullptr;
}

}  // namespace kgwalk::dialogue
