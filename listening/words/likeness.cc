#include "listening/words/likeness.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <utility>

namespace kgwalk::listening {
namespace {

// Words whose stem no rule finds; a party is no part, a county no count, a treaty no treat.
const std::unordered_map<std::string_view, std::string_view>& irregular() {
  static const std::unordered_map<std::string_view, std::string_view> words = {
      {"wrote", "writ"},     {"written", "writ"},    {"writer", "writ"},    {"writers", "writ"},
      {"writes", "writ"},    {"write", "writ"},      {"writing", "writ"},   {"born", "birth"},
      {"died", "death"},     {"die", "death"},       {"dead", "death"},     {"dies", "death"},
      {"built", "build"},    {"children", "child"},  {"people", "person"},  {"persons", "person"},
      {"sung", "sing"},      {"sang", "sing"},       {"led", "lead"},       {"won", "win"},
      {"wives", "wife"},     {"buried", "burial"},   {"bury", "burial"},    {"married", "marri"},
      {"marriage", "marri"}, {"marry", "marri"},     {"made", "make"},      {"men", "man"},
      {"women", "woman"},    {"fought", "fight"},    {"taught", "teach"},   {"known", "know"},
      {"founded", "found"},  {"founder", "found"},   {"founders", "found"}, {"companies", "compani"},
      {"party", "party"},    {"parties", "party"},   {"county", "county"},  {"counties", "county"},
      {"treaty", "treaty"},  {"treaties", "treaty"}, {"fairy", "fairy"},    {"every", "every"}};
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

constexpr std::size_t kLeastForTrigrams = 4;
constexpr float kLeastShare = 0.45F;  // of trigrams in common

// Letter trigrams of a word with its ends marked.
std::vector<std::uint32_t> trigrams_of(std::string_view word) {
  std::vector<std::uint32_t> grams;
  std::uint32_t last = static_cast<std::uint32_t>('^') << 8U | static_cast<unsigned char>(word.front());
  const auto take = [&](char c) {
    last = (last << 8U | static_cast<unsigned char>(c)) & 0xFFFFFFU;
    grams.push_back(last);
  };
  for (const char c : word.substr(1)) take(c);
  take('$');
  std::sort(grams.begin(), grams.end());
  grams.erase(std::unique(grams.begin(), grams.end()), grams.end());
  return grams;
}

// Share of the letter trigrams of both that they have in common. Neither is empty.
float common_trigrams(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::size_t i = 0, j = 0, common = 0;
  while (i < a.size() && j < b.size()) {
    const std::uint32_t x = a[i], y = b[j];
    common += x == y ? 1 : 0;
    i += x <= y ? 1 : 0;
    j += y <= x ? 1 : 0;
  }
  return static_cast<float>(common) / static_cast<float>(a.size() + b.size() - common);
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

ComparedWord::ComparedWord(std::string_view word)
    : word_(word), stem_(stem(word)), meaning_(meaning_of(word)) {
  if (word.size() < kLeastForTrigrams) return;
  trigrams_ = trigrams_of(word);
  for (const std::uint32_t trigram : trigrams_) marks_ |= 1ULL << (trigram * 0x9E3779B1U >> 26U);
  shared_marks_ = static_cast<int>(trigrams_.size()) - std::popcount(marks_);
}

float likeness(const ComparedWord& a, const ComparedWord& b) {
  if (a.word_ == b.word_) return 1;
  const std::string &s = a.stem_, &t = b.stem_;
  if (s == t) return 0.95F;
  const auto [end, unused] = std::mismatch(
      s.begin(), s.begin() + static_cast<std::ptrdiff_t>(std::min(s.size(), t.size())), t.begin());
  const auto common = static_cast<double>(end - s.begin());
  float best = 0;
  if (common >= 4 && common >= 0.7 * static_cast<double>(std::max(s.size(), t.size())))
    best = 0.8F;
  else if (common >= 5 && common >= 0.6 * static_cast<double>(std::min(s.size(), t.size())))
    best = 0.6F;
  if (a.trigrams_.empty() || b.trigrams_.empty()) return best;
  const auto [shorter, longer] = std::minmax(a.word_.size(), b.word_.size());
  if (20 * shorter < 9 * longer) return best;  // a word has about as many trigrams as letters
  // As many as they can have in common at most: most pairs have too few.
  const auto most = static_cast<float>(std::popcount(a.marks_ & b.marks_) + a.shared_marks_);
  const auto both = static_cast<float>(a.trigrams_.size() + b.trigrams_.size());
  if (most <= kLeastShare * (both - most)) return best;
  const float share = common_trigrams(a.trigrams_, b.trigrams_);
  return share > kLeastShare ? std::max(best, 0.4F + 0.5F * share) : best;
}

float likeness(std::string_view a, std::string_view b) {
  return a == b ? 1.0F : likeness(ComparedWord(a), ComparedWord(b));
}

bool is_one_abstract(std::string_view a, std::string_view b) {
  const auto is_abstract = [](std::string_view word) {
    if (word.ends_with('s')) word.remove_suffix(1);
    return word.size() > 6 && (word.ends_with("ion") || word.ends_with("ment") || word.ends_with("ship"));
  };
  return is_abstract(a) != is_abstract(b);
}

}  // namespace kgwalk::listening
