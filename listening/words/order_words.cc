#include "listening/words/order_words.h"

#include <algorithm>
#include <deque>
#include <string>
#include <unordered_map>

#include "dialogue/telling/measures.h"
#include "listening/words/likeness.h"

namespace kgwalk::listening {
namespace {

constexpr std::string_view kBegun[] = {"birth",   "born",     "release",   "date",  "year",
                                       "founded", "founding", "inception", "opened"};
constexpr std::string_view kOut[] = {"release",   "date",    "year",     "publication",
                                     "published", "founded", "inception"};
constexpr std::string_view kHeight[] = {"height", "elevation", "altitude"};
constexpr std::string_view kLength[] = {"length", "duration", "runtime", "pages"};
constexpr std::string_view kSize[] = {"area", "size", "population", "employees", "capacity", "length"};
constexpr std::string_view kPeople[] = {"population", "inhabitants"};
constexpr std::string_view kWeight[] = {"weight", "mass"};
constexpr std::string_view kDepth[] = {"depth"};
constexpr std::string_view kSpeed[] = {"speed"};
constexpr std::string_view kPrice[] = {"price", "cost", "budget"};
constexpr std::string_view kMoney[] = {"gdp", "income", "revenue", "worth", "budget", "price", "cost"};
constexpr std::string_view kGrade[] = {"rating", "score", "rank"};

constexpr EndKind kDate = EndKind::kDate, kNumber = EndKind::kNumber, kAny = EndKind::kUnknown;

const OrderWord kWords[] = {{"oldest", false, false, kDate, kBegun},
                            {"earliest", false, false, kDate, kOut},
                            {"first", false, false, kDate, kOut},
                            {"original", false, false, kDate, kOut},
                            {"newest", true, false, kDate, kOut},
                            {"latest", true, false, kDate, kOut},
                            {"last", true, false, kDate, kOut},
                            {"recent", true, false, kDate, kOut},
                            {"final", true, false, kDate, kOut},
                            {"youngest", true, false, kDate, kBegun},
                            {"longest", true, false, kNumber, kLength},
                            {"shortest", false, false, kNumber, kLength},
                            {"tallest", true, false, kNumber, kHeight},
                            {"highest", true, false, kNumber, kHeight},
                            {"lowest", false, false, kNumber, kHeight},
                            {"largest", true, false, kNumber, kSize},
                            {"biggest", true, false, kNumber, kSize},
                            {"greatest", true, false, kNumber, kSize},
                            {"smallest", false, false, kNumber, kSize},
                            {"populous", true, false, kNumber, kPeople},
                            {"heaviest", true, false, kNumber, kWeight},
                            {"lightest", false, false, kNumber, kWeight},
                            {"deepest", true, false, kNumber, kDepth},
                            {"fastest", true, false, kNumber, kSpeed},
                            {"slowest", false, false, kNumber, kSpeed},
                            {"richest", true, false, kNumber, kMoney},
                            {"poorest", false, false, kNumber, kMoney},
                            {"cheapest", false, false, kNumber, kPrice},
                            {"best", true, false, kNumber, kGrade},
                            {"top", true, false, kNumber, kGrade},
                            {"worst", false, false, kNumber, kGrade},
                            {"most", true, false, kAny, {}},
                            {"maximum", true, false, kNumber, {}},
                            {"least", false, false, kAny, {}},
                            {"fewest", false, false, kAny, {}},
                            {"minimum", false, false, kNumber, {}},
                            {"older", false, true, kDate, kBegun},
                            {"earlier", false, true, kDate, kOut},
                            {"before", false, true, kDate, kOut},
                            {"until", false, true, kDate, kOut},
                            {"sooner", false, true, kDate, kOut},
                            {"predate", false, true, kDate, kOut},
                            {"predates", false, true, kDate, kOut},
                            {"pre", false, true, kDate, kOut},
                            {"newer", true, true, kDate, kOut},
                            {"later", true, true, kDate, kOut},
                            {"after", true, true, kDate, kOut},
                            {"since", true, true, kDate, kOut},
                            {"younger", true, true, kDate, kBegun},
                            {"longer", true, true, kNumber, kLength},
                            {"shorter", false, true, kNumber, kLength},
                            {"taller", true, true, kNumber, kHeight},
                            {"higher", true, true, kNumber, kHeight},
                            {"lower", false, true, kNumber, kHeight},
                            {"larger", true, true, kNumber, kSize},
                            {"bigger", true, true, kNumber, kSize},
                            {"greater", true, true, kNumber, kSize},
                            {"smaller", false, true, kNumber, kSize},
                            {"heavier", true, true, kNumber, kWeight},
                            {"lighter", false, true, kNumber, kWeight},
                            {"deeper", true, true, kNumber, kDepth},
                            {"faster", true, true, kNumber, kSpeed},
                            {"slower", false, true, kNumber, kSpeed},
                            {"richer", true, true, kNumber, kMoney},
                            {"poorer", false, true, kNumber, kMoney},
                            {"cheaper", false, true, kNumber, kPrice},
                            {"more", true, true, kAny, {}},
                            {"above", true, true, kAny, {}},
                            {"over", true, true, kNumber, {}},
                            {"exceeding", true, true, kNumber, {}},
                            {"less", false, true, kAny, {}},
                            {"fewer", false, true, kAny, {}},
                            {"below", false, true, kAny, {}},
                            {"under", false, true, kNumber, {}}};

// "Densest": of whatever it is made of the most.
constexpr OrderWord kOtherMost = {"most", true, false, kNumber, {}};

bool is_other_superlative(std::string_view word) {
  constexpr std::string_view kOthers[] = {"forest",  "interest", "request", "harvest",   "honest",  "modest",
                                          "protest", "conquest", "priest",  "southwest", "contest", "earnest",
                                          "invest",  "manifest", "tempest", "northwest", "midwest", "arrest"};
  return word.size() >= 6 && word.ends_with("est") &&
         std::find(std::begin(kOthers), std::end(kOthers), word) == std::end(kOthers);
}

// Those of the measures, with the nouns of their values: "hotter" goes by a temperature. Of two measures that
// have a word the first counts; which way it orders is told by the measure at hand.
struct MeasuredWords {
  std::deque<OrderWord> words, phrases;  // "hotter", "most expensive"
  std::deque<std::vector<std::string_view>> nouns;

  void add(const dialogue::MeasureWords& measure, std::span<const std::string> said, bool more,
           bool compares) {
    for (const std::string& word : said)
      if (word.find('-') == std::string::npos && word != "leading")
        (word.find(' ') == std::string::npos ? words : phrases)
            .push_back({word, more, compares, measure.time ? kDate : kNumber, nouns.back()});
  }
};

const MeasuredWords& measured_words() {
  static const MeasuredWords all = [] {
    MeasuredWords read;
    for (const dialogue::MeasureWords& measure : dialogue::measure_table()) {
      read.nouns.emplace_back(measure.nouns.begin(), measure.nouns.end());
      read.add(measure, measure.least, false, false);
      read.add(measure, measure.most, true, false);
      read.add(measure, measure.less, false, true);
      read.add(measure, measure.more, true, true);
    }
    return read;
  }();
  return all;
}

}  // namespace

bool goes_by(const OrderWord& order, std::span<const std::string> words) {
  constexpr float kAlike = 0.8F;
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::any_of(order.relations.begin(), order.relations.end(),
                       [&](std::string_view hint) { return likeness(hint, word) >= kAlike; });
  });
}

const OrderWord* order_word(std::string_view folded) {
  static const std::unordered_map<std::string_view, const OrderWord*> words = [] {
    std::unordered_map<std::string_view, const OrderWord*> map;
    for (const OrderWord& word : kWords) map.emplace(word.word, &word);
    for (const OrderWord& word : measured_words().words) map.emplace(word.word, &word);
    return map;
  }();
  if (const auto found = words.find(folded); found != words.end()) return found->second;
  return is_other_superlative(folded) ? &kOtherMost : nullptr;
}

// "Most expensive", of the two words that it begins with; nullptr where they say no order together.
static const OrderWord* order_phrase(const std::string& word, const std::string& next) {
  static const std::unordered_map<std::string_view, const OrderWord*> phrases = [] {
    std::unordered_map<std::string_view, const OrderWord*> map;
    for (const OrderWord& phrase : measured_words().phrases) map.emplace(phrase.word, &phrase);
    return map;
  }();
  if (word != "most" && word != "least" && word != "more" && word != "less") return nullptr;
  const auto found = phrases.find(word + ' ' + next);
  return found == phrases.end() ? nullptr : found->second;
}

std::vector<const OrderWord*> order_words(const SaidText& said) {
  static constexpr OrderWord kAtLeast = {"at least", true, true, kAny, {}},
                             kAtMost = {"at most", false, true, kAny, {}};
  std::vector<const OrderWord*> found;
  for (std::size_t i = 0; i < said.words.size(); ++i) {
    const std::string& word = said.words[i].folded;
    const bool at = i > 0 && said.words[i - 1].folded == "at";
    const OrderWord* phrase =
        i + 1 < said.words.size() ? order_phrase(word, said.words[i + 1].folded) : nullptr;
    const OrderWord* order = at && word == "least"  ? &kAtLeast
                             : at && word == "most" ? &kAtMost
                             : phrase != nullptr    ? phrase
                                                    : order_word(word);
    if (order != nullptr) found.push_back(order);
  }
  return found;
}

}  // namespace kgwalk::listening
