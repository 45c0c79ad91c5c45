#include "seq2seq/metrics/porter.h"

#include <array>
#include <functional>
#include <initializer_list>
#include <utility>

namespace kgwalk::seq2seq {
namespace {

bool is_consonant(std::string_view word, std::size_t i) {
  switch (word[i]) {
    case 'a':
    case 'e':
    case 'i':
    case 'o':
    case 'u':
      return false;
    case 'y':
      return i == 0 || !is_consonant(word, i - 1);
    default:
      return true;
  }
}

// m of [C](VC)^m[V].
int measure(std::string_view stem) {
  int m = 0;
  for (std::size_t i = 1; i < stem.size(); ++i) m += !is_consonant(stem, i - 1) && is_consonant(stem, i);
  return m;
}

bool has_vowel(std::string_view stem) {
  for (std::size_t i = 0; i < stem.size(); ++i)
    if (!is_consonant(stem, i)) return true;
  return false;
}

bool ends_double_consonant(std::string_view word) {
  const std::size_t n = word.size();
  return n >= 2 && word[n - 1] == word[n - 2] && is_consonant(word, n - 1);
}

// *o, and of two letters vowel and consonant.
bool ends_cvc(std::string_view word) {
  const std::size_t n = word.size();
  if (n == 2) return !is_consonant(word, 0) && is_consonant(word, 1);
  return n >= 3 && is_consonant(word, n - 3) && !is_consonant(word, n - 2) && is_consonant(word, n - 1) &&
         word[n - 1] != 'w' && word[n - 1] != 'x' && word[n - 1] != 'y';
}

using Condition = std::function<bool(std::string_view stem)>;
struct Rule {
  std::string_view suffix, replacement;
  Condition condition{};  // empty = always
};

// The first rule whose suffix fits decides.
std::string apply(std::string word, std::initializer_list<Rule> rules) {
  for (const Rule& rule : rules) {
    if (!word.ends_with(rule.suffix)) continue;
    const std::string_view stem = std::string_view(word).substr(0, word.size() - rule.suffix.size());
    if (rule.condition && !rule.condition(stem)) return word;
    return std::string(stem) + std::string(rule.replacement);
  }
  return word;
}

bool positive(std::string_view stem) { return measure(stem) > 0; }
bool above_one(std::string_view stem) { return measure(stem) > 1; }

std::string step1a(const std::string& word) {
  if (word.size() == 4 && word.ends_with("ies")) return word.substr(0, 3);
  return apply(word, {{"sses", "ss"}, {"ies", "i"}, {"ss", "ss"}, {"s", ""}});
}

std::string step1b(const std::string& word) {
  const auto without = [&](std::size_t n) { return word.substr(0, word.size() - n); };
  if (word.ends_with("ied")) return without(word.size() == 4 ? 1 : 2);
  if (word.ends_with("eed")) return positive(without(3)) ? without(1) : word;
  std::string stem;
  if (word.ends_with("ed") && has_vowel(without(2)))
    stem = without(2);
  else if (word.ends_with("ing") && has_vowel(without(3)))
    stem = without(3);
  else
    return word;
  for (const char* suffix : {"at", "bl", "iz"})
    if (stem.ends_with(suffix)) return stem + "e";
  if (ends_double_consonant(stem)) {
    const char last = stem.back();
    return last == 'l' || last == 's' || last == 'z' ? stem : stem.substr(0, stem.size() - 1);
  }
  return measure(stem) == 1 && ends_cvc(stem) ? stem + "e" : stem;
}

std::string step1c(const std::string& word) {
  return apply(word, {{"y", "i", [](std::string_view stem) {
                         return stem.size() > 1 && is_consonant(stem, stem.size() - 1);
                       }}});
}

std::string step2(const std::string& word) {
  if (word.ends_with("alli") && positive(std::string_view(word).substr(0, word.size() - 4)))
    return step2(word.substr(0, word.size() - 2));
  const Condition m = positive;
  return apply(word, {{"ational", "ate", m},
                      {"tional", "tion", m},
                      {"enci", "ence", m},
                      {"anci", "ance", m},
                      {"izer", "ize", m},
                      {"bli", "ble", m},
                      {"alli", "al", m},
                      {"entli", "ent", m},
                      {"eli", "e", m},
                      {"ousli", "ous", m},
                      {"ization", "ize", m},
                      {"ation", "ate", m},
                      {"ator", "ate", m},
                      {"alism", "al", m},
                      {"iveness", "ive", m},
                      {"fulness", "ful", m},
                      {"ousness", "ous", m},
                      {"aliti", "al", m},
                      {"iviti", "ive", m},
                      {"biliti", "ble", m},
                      {"fulli", "ful", m},
                      {"logi", "log", [&](std::string_view) {
                         return positive(std::string_view(word).substr(0, word.size() - 3));
                       }}});
}

std::string step3(const std::string& word) {
  const Condition m = positive;
  return apply(word, {{"icate", "ic", m},
                      {"ative", "", m},
                      {"alize", "al", m},
                      {"iciti", "ic", m},
                      {"ical", "ic", m},
                      {"ful", "", m},
                      {"ness", "", m}});
}

std::string step4(const std::string& word) {
  const Condition m = above_one;
  const Condition after_s_or_t = [](std::string_view stem) {
    return above_one(stem) && (stem.back() == 's' || stem.back() == 't');
  };
  return apply(word, {{"al", "", m},
                      {"ance", "", m},
                      {"ence", "", m},
                      {"er", "", m},
                      {"ic", "", m},
                      {"able", "", m},
                      {"ible", "", m},
                      {"ant", "", m},
                      {"ement", "", m},
                      {"ment", "", m},
                      {"ent", "", m},
                      {"ion", "", after_s_or_t},
                      {"ou", "", m},
                      {"ism", "", m},
                      {"ate", "", m},
                      {"iti", "", m},
                      {"ous", "", m},
                      {"ive", "", m},
                      {"ize", "", m}});
}

std::string step5(std::string word) {
  if (word.ends_with('e')) {
    const std::string stem = word.substr(0, word.size() - 1);
    const int m = measure(stem);
    if (m > 1 || (m == 1 && !ends_cvc(stem))) word = stem;
  }
  if (word.ends_with("ll") && above_one(std::string_view(word).substr(0, word.size() - 1))) word.pop_back();
  return word;
}

// Words whose stems the rules would miss.
constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kIrregular{{{"sky", "sky"},
                                                                                    {"skies", "sky"},
                                                                                    {"dying", "die"},
                                                                                    {"lying", "lie"},
                                                                                    {"tying", "tie"},
                                                                                    {"news", "news"},
                                                                                    {"innings", "inning"},
                                                                                    {"inning", "inning"},
                                                                                    {"outings", "outing"},
                                                                                    {"outing", "outing"},
                                                                                    {"cannings", "canning"},
                                                                                    {"canning", "canning"},
                                                                                    {"howe", "howe"},
                                                                                    {"proceed", "proceed"},
                                                                                    {"exceed", "exceed"}}};

}  // namespace

std::string porter_stem(std::string_view word) {
  for (const auto& [form, stem] : kIrregular)
    if (word == form) return std::string(stem);
  if (word == "succeed" || word.size() <= 2) return std::string(word);
  return step5(step4(step3(step2(step1c(step1b(step1a(std::string(word))))))));
}

}  // namespace kgwalk::seq2seq
