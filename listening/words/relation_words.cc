#include "listening/words/relation_words.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <utility>

#include "dialogue/linking/name_index.h"
#include "kgwalk/typed_values.h"
#include "listening/words/meanings.h"
#include "listening/words/said_text.h"

namespace kgwalk::listening {
namespace {

constexpr std::size_t kShortestCut = 7, kLongestCut = 40, kShortestPart = 3, kMostParts = 3;

bool is_known(std::string_view word) {
  return word.size() >= kShortestPart && (is_function_word(word) || !meaning_of(word).empty());
}

// The shortest words that stand inside names of relations and behind them.
bool is_short_preposition(std::string_view word) {
  constexpr std::string_view kShort[] = {"of", "by", "to", "in", "at", "on"};
  return std::find(std::begin(kShort), std::end(kShort), word) != std::end(kShort);
}

// What people write short in columns and say whole; none is a word by itself.
std::string_view said_whole(std::string_view word) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 48> kShort{
      {{"num", "number"},        {"nr", "number"},        {"qty", "quantity"},     {"lang", "language"},
       {"addr", "address"},      {"tel", "telephone"},    {"dob", "birthday"},     {"yr", "year"},
       {"pct", "percent"},       {"lat", "latitude"},     {"lng", "longitude"},    {"lon", "longitude"},
       {"dept", "department"},   {"mgr", "manager"},      {"emp", "employee"},     {"dest", "destination"},
       {"src", "source"},        {"avg", "average"},      {"desc", "description"}, {"acct", "account"},
       {"amt", "amount"},        {"cntry", "country"},    {"wt", "weight"},        {"wgt", "weight"},
       {"ht", "height"},         {"elev", "elevation"},   {"pop", "population"},   {"cyl", "cylinders"},
       {"disp", "displacement"}, {"temp", "temperature"}, {"attr", "attribute"},   {"org", "organization"},
       {"freq", "frequency"},    {"vol", "volume"},       {"univ", "university"},  {"gov", "government"},
       {"lvl", "level"},         {"pos", "position"},     {"mfr", "manufacturer"}, {"loc", "location"},
       {"pts", "points"},        {"hgt", "height"},       {"len", "length"},       {"dia", "diameter"},
       {"dmg", "damage"},        {"spd", "speed"},        {"atk", "attack"},       {"alt", "altitude"}}};
  const auto found =
      std::find_if(kShort.begin(), kShort.end(), [&](const auto& each) { return each.first == word; });
  return found == kShort.end() ? std::string_view() : found->second;
}

// "bodywt": a short word that is always meant whole ends it.
bool ends_shortened(std::string_view word, std::string_view& begin) {
  for (const std::string_view end : {"wt", "wgt"})
    if (word.size() > end.size() + 2 && word.ends_with(end)) {
      begin = word.substr(0, word.size() - end.size());
      return is_known(begin);
    }
  return false;
}

std::size_t shortest_of(const std::vector<std::string>& parts) {
  std::size_t least = parts.front().size();
  for (const std::string& part : parts) least = std::min(least, part.size());
  return least;
}

// The fewest parts; of as many, those whose shortest is longest. Empty where it cannot be cut so.
std::vector<std::string> cut(std::string_view word, std::size_t most, bool first) {
  if (is_known(word) || (!first && is_short_preposition(word))) return {std::string(word)};
  std::vector<std::string> best;
  if (most < 2) return best;
  for (std::size_t end = word.size() - 2; end >= 2; --end) {
    const std::string_view part = word.substr(0, end);
    if (!is_known(part) && (first || !is_short_preposition(part))) continue;
    std::vector<std::string> parts = cut(word.substr(end), most - 1, false);
    if (parts.empty()) continue;
    parts.insert(parts.begin(), std::string(part));
    if (best.empty() || parts.size() < best.size() ||
        (parts.size() == best.size() && shortest_of(parts) > shortest_of(best)))
      best = std::move(parts);
  }
  return best;
}

}  // namespace

RelationLabel relation_label(std::string_view relation) {
  RelationLabel out;
  for (std::string& word : words_of_label(dialogue::plain_name(relation))) {
    const bool letters = std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    std::vector<std::string> parts;
    if (letters && word.size() >= kShortestCut && word.size() <= kLongestCut && !graph::find_unit(word))
      parts = cut(word, kMostParts, true);
    if (const std::string_view whole = said_whole(word); !whole.empty()) parts = {std::string(whole)};
    if (std::string_view begin; letters && parts.size() < 2 && ends_shortened(word, begin))
      parts = {std::string(begin), "weight"};
    if (!parts.empty() && parts.front() != word) out.uncut.push_back(word);
    if (parts.empty()) parts = {std::move(word)};
    std::move(parts.begin(), parts.end(), std::back_inserter(out.words));
  }
  return out;
}

std::vector<std::string> relation_words(std::string_view relation) { return relation_label(relation).words; }

}  // namespace kgwalk::listening
