#include "runtime/english.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace kgwalk {
namespace {

constexpr std::pair<std::string_view, std::string_view> kIrregular[] = {
    {"person", "people"},
    {"child", "children"},
    {"man", "men"},
    {"woman", "women"},
    {"wife", "wives"},
    {"half", "halves"},
    {"life", "lives"},
    {"knife", "knives"},
    {"leaf", "leaves"},
    {"wolf", "wolves"},
    {"shelf", "shelves"},
    {"thief", "thieves"},
    {"foot", "feet"},
    {"tooth", "teeth"},
    {"goose", "geese"},
    {"mouse", "mice"},
    {"ox", "oxen"},
    {"alumnus", "alumni"},
    {"genus", "genera"},
    {"fungus", "fungi"},
    {"nucleus", "nuclei"},
    {"cactus", "cacti"},
    {"phylum", "phyla"},
    {"criterion", "criteria"},
    {"phenomenon", "phenomena"},
    {"vertex", "vertices"},
    {"matrix", "matrices"},
    {"hero", "heroes"},
    {"potato", "potatoes"},
    {"tomato", "tomatoes"},
    {"basis", "bases"},
    {"crisis", "crises"},
    {"analysis", "analyses"},
    {"thesis", "theses"},
    {"movie", "movies"},
    {"zombie", "zombies"},
    {"cookie", "cookies"},
    {"spokesman", "spokesmen"},
    {"chairman", "chairmen"},
    {"sibling-in-law", "siblings-in-law"}};

constexpr std::string_view kNoPlural[] = {
    "people",     "cast",  "music",    "money",     "cinematography", "staff",    "crew",    "series",
    "species",    "faith", "software", "equipment", "headquarters",   "starring", "lyrics",  "information",
    "everything", "news",  "gender",   "education", "athletics",      "artwork",  "fiction", "water"};

// End in s in the singular.
constexpr std::string_view kSingular[] = {
    "series", "species", "headquarters", "news", "lyrics", "politics", "physics", "mathematics", "athletics",
    "works",  "always",  "his",          "its",  "alias",  "gas",      "texas",   "basis",       "jus"};

bool is_vowel(char c) { return std::string_view("aeiou").find(c) != std::string_view::npos; }

template <std::size_t n>
bool is_one_of(std::string_view word, const std::string_view (&words)[n]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool ends_with_any(std::string_view word, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view e) { return word.ends_with(e); });
}

}  // namespace

std::string plural_word(std::string_view word) {
  for (const auto& [one, many] : kIrregular)
    if (word == one) return std::string(many);
  if (is_one_of(word, kNoPlural) || word.empty()) return std::string(word);
  if (ends_with_any(word, {"ss", "us", "x", "ch", "sh", "z"})) return std::string(word) + "es";
  if (word.ends_with('s')) return std::string(word);
  if (word.ends_with('y') && word.size() > 1 && !is_vowel(word[word.size() - 2]))
    return std::string(word.substr(0, word.size() - 1)) + "ies";
  return std::string(word) + "s";
}

std::string singular_word(std::string_view word) {
  const auto without = [&](std::size_t letters) {
    return std::string(word.substr(0, word.size() - letters));
  };
  for (const auto& [one, many] : kIrregular)
    if (word == many) return std::string(one);
  if (is_one_of(word, kSingular) || word.size() < 3 || !word.ends_with('s') ||
      ends_with_any(word, {"ss", "us", "is", "series", "species", "news"}))
    return std::string(word);
  if (word.ends_with("ies") && word.size() > 4) return without(3) + "y";
  if (word.size() > 4 &&
      (ends_with_any(word, {"sses", "xes", "ches", "shes"}) ||
       (word.ends_with("oes") && !ends_with_any(word, {"shoes", "canoes", "oboes", "throes"}))))
    return without(2);
  return without(1);
}

}  // namespace kgwalk
