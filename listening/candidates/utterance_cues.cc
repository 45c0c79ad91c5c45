#include "listening/candidates/utterance_cues.h"

#include <algorithm>
#include <initializer_list>

#include "listening/candidates/candidate_sets.h"

namespace kgwalk::listening {
namespace {

using List = std::initializer_list<std::string_view>;

bool says_one(const SaidText& said, List words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return said.says(word); });
}

std::string_view first_word(const SaidText& said) {
  for (const SaidWord& word : said.words)
    if (word.is_word) return word.folded;
  return {};
}

bool begins_with(const SaidText& said, List words) {
  const std::string_view first = first_word(said);
  return std::find(words.begin(), words.end(), first) != words.end();
}

Asks asks_of(const SaidText& said) {
  if (says_one(said, {"who", "whom"})) return Asks::kWho;
  if (said.says("where")) return Asks::kWhere;
  if (said.says("when") || said.says("date") || (said.says("what") && said.says("year")) ||
      (said.says("which") && said.says("year")))
    return Asks::kWhen;
  return said.says("how") ? Asks::kHow : Asks::kWhat;
}

bool says_plural(const SaidText& said) {
  return says_one(said, {"all", "some"}) ||
         std::any_of(said.words.begin(), said.words.end(), [](const SaidWord& word) {
           return word.content && word.folded.size() > 2 && word.folded.ends_with('s') &&
                  !word.folded.ends_with("ss");
         });
}

// "the third one", "number 2", "the last of them".
std::size_t place_said(const SaidText& said) {
  constexpr std::string_view kPlaces[] = {"first", "second", "third", "fourth", "fifth", "sixth"};
  for (std::size_t i = 0; i < said.words.size(); ++i) {
    const std::string& word = said.words[i].folded;
    const auto* const found = std::find(std::begin(kPlaces), std::end(kPlaces), word);
    if (found != std::end(kPlaces)) return static_cast<std::size_t>(found - std::begin(kPlaces)) + 1;
    if (word == "last") return kLastPlace;
    const bool digit = word.size() == 1 && word.front() >= '1' && word.front() <= '9';
    if (digit && i > 0 && said.words[i - 1].folded == "number")
      return static_cast<std::size_t>(word.front() - '0');
  }
  return 0;
}

// "The other one": one of two, not what else there is.
bool says_other_of_two(const SaidText& said) {
  for (std::size_t i = 1; i < said.words.size(); ++i) {
    if (said.words[i].folded != "other" || said.words[i - 1].folded != "the") continue;
    if (i + 1 == said.words.size() || !said.words[i + 1].is_word || said.words[i + 1].folded == "one")
      return true;
  }
  return false;
}

// The word in front of any value heard.
bool stands_before_value(const HeardParts& parts, List words) {
  return std::any_of(parts.values.begin(), parts.values.end(), [&](const HeardValue& value) {
    return value.first > 0 &&
           std::find(words.begin(), words.end(), parts.said.words[value.first - 1].folded) != words.end();
  });
}

std::size_t head_of(const HeardParts& parts) {
  constexpr std::string_view kLeading[] = {"list",    "name",    "give",      "tell",  "show",   "find",
                                           "count",   "know",    "many",      "much",  "some",   "all",
                                           "please",  "every",   "different", "total", "number", "also",
                                           "mention", "collect", "return"};
  const std::vector<SaidWord>& words = parts.said.words;
  for (std::size_t t = 0; t < words.size(); ++t) {
    const SaidWord& word = words[t];
    if (!word.content || order_word(word.folded) != nullptr ||
        std::find(std::begin(kLeading), std::end(kLeading), word.folded) != std::end(kLeading))
      continue;
    const bool named = std::any_of(parts.named.begin(), parts.named.end(), [&](std::uint32_t m) {
      return parts.mentions[m].first <= t && t < parts.mentions[m].last;
    });
    if (!named) return t;
  }
  return words.size();
}

}  // namespace

UtteranceCues::UtteranceCues(const HeardParts& heard) : parts(heard) {
  const SaidText& said = parts.said;
  asks = asks_of(said);
  begins_as_check = listening::begins_as_check(said);
  how_many = said.says("how") && said.says("many");
  plural = says_plural(said);
  negated = has_negation(said);
  says_or = said.says("or");
  says_and = says_one(said, {"and", "also", "both"});
  common = says_one(said, {"common", "both", "shared", "together"});
  whose = said.says("whose");
  other = says_one(said, {"other", "else", "one"});
  person_pronoun = says_one(said, {"he", "she", "his", "her", "him", "hers", "they", "their", "them"});
  those = says_one(said, {"those", "these", "them", "they", "their", "ones", "others"});
  other_one = said.says("other");
  rest = !says_other_of_two(said) &&
         says_one(said, {"else", "other", "others", "another", "more", "besides", "beside", "further",
                         "apart", "aside", "addition", "except", "remaining", "rest"});
  place = place_said(said);
  thing_pronoun = says_one(said, {"it", "its", "this", "that"});
  times_of = static_cast<int>(std::count_if(said.words.begin(), said.words.end(),
                                            [](const SaidWord& word) { return word.folded == "of"; }));
  orders = order_words(said);
  head = head_of(parts);
}

std::vector<float> UtteranceCues::values() const {
  const SaidText& said = parts.said;
  std::vector<float> out(kNumCues, 0);
  const auto set = [&](Cue cue, bool is) { out[static_cast<std::size_t>(cue)] = is ? 1.0F : 0.0F; };
  set(Cue::kHowMany, how_many);
  set(Cue::kCountWord, said.says("count"));
  set(Cue::kNumberWord, said.says("number"));
  set(Cue::kTotalWord, said.says("total"));
  set(Cue::kAuxiliary, begins_as_check);
  set(Cue::kQuestionWord, begins_with(said, {"who", "what", "which", "where", "whose", "when", "in", "whom",
                                             "for", "on", "how"}));
  set(Cue::kImperative, begins_with(said, {"name", "list", "give", "tell", "show", "count"}));
  set(Cue::kOrWord, says_or);
  set(Cue::kNotWord, negated);
  for (const OrderWord* order : orders)
    set(order->compares ? (order->more ? Cue::kCompareMore : Cue::kCompareLess)
                        : (order->more ? Cue::kSuperlativeMore : Cue::kSuperlativeLess),
        true);
  set(Cue::kHasValue, !parts.values.empty());
  set(Cue::kHasRange, std::any_of(parts.values.begin(), parts.values.end(),
                                  [](const HeardValue& v) { return v.upper.has_value(); }));
  set(Cue::kSameWord, says_one(said, {"same", "equal", "equally", "as"}));
  set(Cue::kThanWord, said.says("than"));
  set(Cue::kInValue, stands_before_value(parts, {"in", "of", "from", "on", "the", "year"}));
  set(Cue::kAfterValue, stands_before_value(parts, {"after", "since", "than", "above", "over"}));
  set(Cue::kBeforeValue, stands_before_value(parts, {"before", "until", "by", "below", "under"}));
  set(Cue::kTwoNames, parts.named.size() >= 2);
  set(Cue::kAverageWord, asks_for_average(said));
  set(Cue::kSumWord, asks_for_sum(said));
  set(Cue::kDifferenceWord, asks_for_difference(said));
  set(Cue::kAllWord, says_one(said, {"all", "every", "each"}));
  set(Cue::kPlural, plural);
  set(Cue::kShortText, said.words.size() < 6);
  set(Cue::kThoseWord, those);
  set(Cue::kBeforeCounted, parts.before.counted);
  set(Cue::kBeforeChecked, parts.before.checked);
  set(Cue::kBeforeSeveral, !parts.before.answers.empty() && parts.before.answers_ago == 0);
  return out;
}

}  // namespace kgwalk::listening
