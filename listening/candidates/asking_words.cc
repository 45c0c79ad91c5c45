// Words that make some kinds of candidates worth making.
#include <algorithm>
#include <initializer_list>

#include "listening/candidates/candidate_sets.h"

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

bool has_negation(const SaidText& said) {
  return says_any(said, {"not", "without", "except", "but", "no", "never", "nor", "excluding", "t"});
}

bool has_superlative(const SaidText& said) {
  return ends_with_any(said, "est", 5) || says_any(said, {"most", "least", "first", "last", "best", "top",
                                                          "maximum", "minimum", "final", "original"});
}

bool has_comparison(const SaidText& said) {
  return ends_with_any(said, "er", 4) ||
         says_any(said, {"or", "more", "less", "fewer", "than", "before", "after", "same", "first", "equal",
                         "since", "until", "by", "difference", "compared"});
}

bool begins_as_check(const SaidText& said) {
  for (const SaidWord& word : said.words) {
    if (!word.is_word) continue;
    constexpr std::string_view kBeginnings[] = {"is",  "are",  "was",  "were",  "did",   "does", "do",
                                                "has", "have", "had",  "can",   "could", "will", "would",
                                                "isn", "didn", "wasn", "wasnt", "isnt",  "aren"};
    return std::find(std::begin(kBeginnings), std::end(kBeginnings), word.folded) != std::end(kBeginnings);
  }
  return false;
}

}  // namespace kgwalk::listening
