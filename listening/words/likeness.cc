#include "listening/words/likeness.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <utility>

namespace kgwalk::listening {
namespace {

// Words whose stem no rule finds.
const std::unordered_map<std::string_view, std::string_view>& irregular() {
  static const std::unordered_map<std::string_view, std::string_view> words = {
      {"wrote", "writ"},     {"written", "writ"},   {"writer", "writ"},    {"writers", "writ"},
      {"writes", "writ"},    {"write", "writ"},     {"writing", "writ"},   {"born", "birth"},
      {"died", "death"},     {"die", "death"},      {"dead", "death"},     {"dies", "death"},
      {"built", "build"},    {"children", "child"}, {"people", "person"},  {"persons", "person"},
      {"sung", "sing"},      {"sang", "sing"},      {"led", "lead"},       {"won", "win"},
      {"wives", "wife"},     {"buried", "burial"},  {"bury", "burial"},    {"married", "marri"},
      {"marriage", "marri"}, {"marry", "marri"},    {"made", "make"},      {"men", "man"},
      {"women", "woman"},    {"fought", "fight"},   {"taught", "teach"},   {"known", "know"},
      {"founded", "found"},  {"founder", "found"},  {"founders", "found"}, {"companies", "compani"}};
  return words;
}

constexpr std::pair<std::string_view, std::string_view> kPlurals[] = {
    {"ies", "y"}, {"sses", "ss"}, {"ches", "ch"}, {"shes", "sh"}, {"xes", "x"}};
constexpr std::string_view kEndings[] = {
    "ational", "ization", "isation", "ation", "ition", "ution", "ings", "ing", "ment", "ship", "ity",
    "est",     "ers",     "ors",     "er",    "or",    "ion",   "ive",  "ed",  "al",   "e",    "y"};
constexpr std::string_view kLongStem[] = {"er",  "or",  "al", "ion",
                                          "est", "ity", "y"};  // leave four letters and more

void drop_plural(std::string& word) {
  for (const auto& [ending, now] : kPlurals)
    if (word.ends_with(ending) && word.size() > ending.size() + 2) {
      word.replace(word.size() - ending.size(), ending.size(), now);
      return;
    }
  if (word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us") && word.size() > 3)
    word.pop_back();
}

void drop_ending(std::string& word) {
  for (const std::string_view ending : kEndings) {
    if (!word.ends_with(ending) || word.size() < ending.size() + 3) continue;
    const bool needs_long =
        std::find(std::begin(kLongStem), std::end(kLongStem), ending) != std::end(kLongStem);
    if (needs_long && word.size() < ending.size() + 4) continue;
    word.resize(word.size() - ending.size());
    return;
  }
}

// Letter trigrams of a word with its ends marked, each once, ascending. Longer words are known by their
// beginnings.
struct Trigrams {
  static constexpr std::ptrdiff_t kMost = 48;
  explicit Trigrams(std::string_view word) {
    std::uint32_t last = '^' << 8U;
    const auto take = [&](char c) {
      last = (last << 8U | static_cast<unsigned char>(c)) & 0xFFFFFFU;
      grams[size++] = last;
    };
    last |= static_cast<unsigned char>(word.front());
    for (std::size_t i = 1; i < word.size() && size + 1 < kMost; ++i) take(word[i]);
    take('$');
    std::sort(grams.begin(), grams.begin() + size);
    size = std::unique(grams.begin(), grams.begin() + size) - grams.begin();
  }
  std::array<std::uint32_t, kMost> grams;  // [size] are set
  std::ptrdiff_t size = 0;
};

// Share of the letter trigrams of both that they have in common. Neither is empty.
float common_trigrams(std::string_view a, std::string_view b) {
  const Trigrams left(a), right(b);
  std::ptrdiff_t i = 0, j = 0, common = 0;
  while (i < left.size && j < right.size) {
    const std::uint32_t x = left.grams[i], y = right.grams[j];
    common += x == y ? 1 : 0;
    i += x <= y ? 1 : 0;
    j += y <= x ? 1 : 0;
  }
  return static_cast<float>(common) / static_cast<float>(left.size + right.size - common);
}

}  // namespace

std::string stem(std::string_view given) {
  if (const auto found = irregular().find(given); found != irregular().end())
    return std::string(found->second);
  std::string word(given);
  drop_plural(word);
  drop_ending(word);
  const std::size_t n = word.size();
  if (n > 3 && word[n - 1] == word[n - 2] && word[n - 1] != 's' && word[n - 1] != 'l') word.pop_back();
  return word;
}

float likeness(std::string_view a, std::string_view b) {
  if (a == b) return 1;
  const std::string s = stem(a), t = stem(b);
  if (s == t) return 0.95F;
  const auto [end, unused] = std::mismatch(
      s.begin(), s.begin() + static_cast<std::ptrdiff_t>(std::min(s.size(), t.size())), t.begin());
  const auto common = static_cast<double>(end - s.begin());
  float best = 0;
  if (common >= 4 && common >= 0.7 * static_cast<double>(std::max(s.size(), t.size())))
    best = 0.8F;
  else if (common >= 5 && common >= 0.6 * static_cast<double>(std::min(s.size(), t.size())))
    best = 0.6F;
  if (a.size() < 4 || b.size() < 4) return best;
  const auto [shorter, longer] = std::minmax(a.size(), b.size());
  if (20 * shorter < 9 * longer) return best;  // a word has about as many trigrams as letters
  const float share = common_trigrams(a, b);
  return share > 0.45F ? std::max(best, 0.4F + 0.5F * share) : best;
}

}  // namespace kgwalk::listening
