// Words that make some kinds of candidates worth making.
#include <algorithm>
#include <initializer_list>
#include <span>

#include "listening/candidates/candidate_sets.h"
#include "listening/words/families.h"
#include "listening/words/order_words.h"

namespace kgwalk::listening {
namespace {

bool says_any(const SaidText& said, std::initializer_list<std::string_view> words) {
  return std::any_of(said.words.begin(), said.words.end(), [&](const SaidWord& word) {
    return std::find(words.begin(), words.end(), word.folded) != words.end();
  });
}

bool ends_with_any(const SaidText& said, std::string_view ending, std::size_t least) {
  return std::any_of(said.words.begin(), said.words.end(), [&](const SaidWord& word) {
    return word.folded.size() >= least && word.folded.ends_with(ending);
  });
}

}  // namespace

bool is_negation(std::string_view word) {
  constexpr std::string_view kNegations[] = {"not",   "without", "except",    "but", "no",
                                             "never", "nor",     "excluding", "t",   "unless"};
  return std::find(std::begin(kNegations), std::end(kNegations), word) != std::end(kNegations);
}

// "The same but 2007" leaves nothing out.
bool has_negation(const SaidText& said) {
  for (std::size_t i = 0; i < said.words.size(); ++i) {
    if (!is_negation(said.words[i].folded)) continue;
    const bool same = said.words[i].folded == "but" && i > 0 &&
                      (said.words[i - 1].folded == "same" || said.words[i - 1].folded == "thing");
    if (!same) return true;
  }
  return false;
}

bool says_together(const SaidText& said) {
  constexpr std::string_view kTogether[] = {"with",         "together",      "alongside", "opposite",  "same",
                                            "collaborate",  "collaborated",  "costar",    "costarred", "both",
                                            "collaborator", "collaboration", "beside"};
  return std::any_of(std::begin(kTogether), std::end(kTogether),
                     [&](std::string_view word) { return said.says(word); });
}

bool has_superlative(const SaidText& said) {
  for (std::size_t i = 0; i < said.words.size(); ++i) {  // "at least five" is none
    const std::string& word = said.words[i].folded;
    if ((word == "most" || word == "least") && (i == 0 || said.words[i - 1].folded != "at")) return true;
  }
  return ends_with_any(said, "est", 5) ||
         says_any(said, {"first", "last", "best", "top", "maximum", "minimum", "final", "original"});
}

bool has_amount(const SaidText& said) {
  return says_any(
      said, {"most",   "least",   "fewest",  "few",     "fewer",   "many",  "more",  "less",    "number",
             "count",  "maximum", "minimum", "highest", "lowest",  "top",   "same",  "equal",   "as",
             "higher", "lower",   "greater", "larger",  "smaller", "often", "total", "frequent"});
}

bool has_comparison(const SaidText& said) {
  return ends_with_any(said, "er", 4) ||
         says_any(said, {"or", "more", "less", "fewer", "than", "before", "after", "same", "first", "equal",
                         "since", "until", "by", "difference", "compared"});
}

bool asks_for_sum(const SaidText& said) {
  return says_any(said, {"total", "totals", "totalled", "sum", "summed", "combined", "altogether", "overall",
                         "together", "cumulative", "aggregate", "add", "added", "adding"});
}

bool asks_for_average(const SaidText& said) {
  return says_any(said,
                  {"average", "averages", "averaged", "avg", "mean", "typically", "typical", "averagely"});
}

bool asks_for_difference(const SaidText& said) {
  if (says_any(said, {"difference", "differ", "differs", "gap", "apart", "exceed", "exceeds"})) return true;
  return said.says("how") && has_comparison(said) && says_any(said, {"much", "many", "far", "long"});
}

bool may_compare_counts(const SaidText& said) {
  const std::vector<const OrderWord*> orders = order_words(said);
  const auto says_of_what = [](const OrderWord* order) {
    const auto& of = order->relations;  // "a bigger cast" is one of more
    return order->compares && !of.empty() && std::find(of.begin(), of.end(), "size") == of.end();
  };
  return std::none_of(orders.begin(), orders.end(), says_of_what) ||
         says_any(said, {"number", "count", "many"});
}

namespace {

// "..., did she?", "..., right?", "..., is that so?": behind the last comma nothing else stands.
bool ends_as_check(const SaidText& said) {
  constexpr std::string_view kTags[] = {
      "is",   "isn",   "are",  "aren", "was",  "wasn",  "were", "weren",   "did",   "didn", "does",  "doesn",
      "do",   "don",   "has",  "hasn", "have", "haven", "t",    "not",     "he",    "she",  "they",  "it",
      "that", "right", "true", "so",   "yes",  "no",    "or",   "correct", "false", "isnt", "wasnt", "didnt"};
  constexpr std::string_view kAlone[] = {"right", "correct", "true"};  // without a comma
  const auto last =
      std::find_if(said.words.rbegin(), said.words.rend(), [](const SaidWord& word) { return word.is_word; });
  if (last != said.words.rend() &&
      std::find(std::begin(kAlone), std::end(kAlone), last->folded) != std::end(kAlone))
    return true;
  std::size_t words = 0;
  for (auto word = said.words.rbegin(); word != said.words.rend(); ++word) {
    if (word->folded == ",") return words > 0;
    if (!word->is_word) continue;
    if (++words > 4 || std::find(std::begin(kTags), std::end(kTags), word->folded) == std::end(kTags))
      return false;
  }
  return false;
}

}  // namespace

bool begins_as_check(const SaidText& said) {
  if (ends_as_check(said)) return true;
  constexpr std::string_view kBeginnings[] = {"is",  "are",  "was",  "were",  "did",   "does", "do",
                                              "has", "have", "had",  "can",   "could", "will", "would",
                                              "isn", "didn", "wasn", "wasnt", "isnt",  "aren"};
  constexpr std::string_view kLeading[] = {"and",  "but",  "so",  "ok",  "okay", "well", "wait",
                                           "also", "then", "now", "hey", "hmm",  "oh",   "or"};
  const auto is_one = [](const auto& words, const std::string& word) {
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
  };
  bool begins = true;  // the sentence, or a part of it behind a mark: "back to that film: is Ada in it?"
  for (std::size_t i = 0; i < said.words.size(); ++i) {
    const SaidWord& word = said.words[i];
    if (!word.is_word) {
      begins = true;
      continue;
    }
    if (is_question_word(word.folded)) return false;
    if (begins && is_one(kBeginnings, word.folded)) {
      // "Do you know the first film that X was in?" is polite, "do you know whether" asks for yes or no.
      const bool you = i + 1 < said.words.size() && said.words[i + 1].folded == "you";
      return !you || says_any(said, {"if", "whether"});
    }
    begins = begins && is_one(kLeading, word.folded);
  }
  return false;
}

bool asks_openly(const SaidText& said) {
  if (begins_as_check(said)) return false;
  constexpr std::size_t kLed = 3;  // words: "and so how does he live"
  for (std::size_t i = 0; i < std::min(kLed, said.words.size()); ++i) {
    const std::string& word = said.words[i].folded;
    if (!is_question_word(word)) continue;
    return i + 1 < said.words.size() && said.words[i + 1].folded != "about" &&
           said.words[i + 1].folded != "if" && said.words[i + 1].folded != "of";
  }
  return false;
}

namespace {

// "Is it true that X": "it" means nothing.
bool is_empty_it(const SaidText& said, std::size_t at) {
  constexpr std::string_view kTrue[] = {"true", "right", "correct", "possible", "fair", "so"};
  return said.words[at].folded == "it" && at + 1 < said.words.size() &&
         std::find(std::begin(kTrue), std::end(kTrue), said.words[at + 1].folded) != std::end(kTrue);
}

// "The film", "the author", and not "the army": a kind of things, or what a relation leads to.
bool may_mean_one(const Lexicon& lexicon, const HeardParts& parts, std::size_t word) {
  const std::size_t last = std::min(word + 2, parts.said.words.size());  // "the main actor"
  for (std::size_t i = word; i < last; ++i) {
    const std::string& noun = parts.said.words[i].folded;
    const bool is_type = std::any_of(parts.types.begin(), parts.types.end(),
                                     [&](const HeardType& type) { return type.word == i; });
    if (is_type || lexicon.names_relation({&noun, 1}) ||
        std::any_of(families().begin(), families().end(), [&](const Family& family) {
          return std::find(family.nouns.begin(), family.nouns.end(), noun) != family.nouns.end();
        }))
      return true;
  }
  return false;
}

}  // namespace

References references_said(const Lexicon& lexicon, const HeardParts& parts) {
  constexpr std::string_view kPronouns[][4] = {{"he", "him", "his", ""},
                                               {"she", "her", "hers", ""},
                                               {"it", "its", "", ""},
                                               {"they", "them", "their", "theirs"}};
  constexpr std::string_view kOthers[] = {"this", "that", "there", "here", "one",  "ones",    "other",
                                          "too",  "also", "else",  "then", "same", "another", "well"};
  constexpr std::string_view kSeveral[] = {"they",  "them",  "their", "theirs",
                                           "these", "those", "both",  "either"};
  std::vector<bool> named(parts.said.words.size(), false);
  for (const std::uint32_t m : parts.named)
    for (std::size_t i = parts.mentions[m].first; i < parts.mentions[m].last; ++i) named[i] = true;
  const auto count = [&](std::span<const std::string_view> words) {
    std::size_t said = 0;
    for (std::size_t i = 0; i < named.size(); ++i) {
      const SaidWord& word = parts.said.words[i];
      said += !named[i] && word.is_word && !is_empty_it(parts.said, i) &&
                      std::find(words.begin(), words.end(), word.folded) != words.end()
                  ? 1
                  : 0;
    }
    return said;
  };
  References references;
  for (const auto& pronouns : kPronouns) {
    const std::size_t said = count(pronouns);
    references.least += said > 0 ? 1 : 0;
    references.most += said;
  }
  references.most += count(kOthers) + 2 * count(kSeveral);
  for (std::size_t i = 0; i + 1 < named.size(); ++i)
    if (!named[i] && parts.said.words[i].folded == "the" && may_mean_one(lexicon, parts, i + 1))
      ++references.most;
  return references;
}

}  // namespace kgwalk::listening
