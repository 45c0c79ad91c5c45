// Small rules of English that questions are made by: plurals, articles, slips of the typing hand. Torch-free.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/random.h"

namespace kgwalk::listening {

// "city" to "cities", "place of birth" to "places of birth"; what has no plural of its own stays ("cast").
[[nodiscard]] std::string plural_of(std::string_view noun);
// "starred actors" to "starred actor"; what only looks like a plural stays ("series").
[[nodiscard]] std::string singular_of(std::string_view noun);
// "an actor".
[[nodiscard]] std::string with_article(std::string_view noun);
[[nodiscard]] std::string owner_of(std::string_view name);  // "Nolan's"
[[nodiscard]] std::string capitalized(std::string_view text);

[[nodiscard]] std::vector<std::string> split_words(std::string_view text);
[[nodiscard]] std::string join_words(std::span<const std::string> words);

// "six" for "6", of small numbers; nullopt of others.
[[nodiscard]] std::optional<std::string> number_in_words(std::string_view digits);

[[nodiscard]] std::string ordinal_of(std::int64_t number);  // "16th"

// One letter left out, doubled, swapped with the next or replaced; never the first one, nor one beyond ASCII.
[[nodiscard]] std::string with_typo(std::string_view text, Random& random);

[[nodiscard]] inline bool happens(Random& random, double share) noexcept { return random.uniform() < share; }
template <class T>
[[nodiscard]] const T& pick(std::span<const T> items, Random& random) {
  return items[random.below(items.size())];
}
template <class T>
[[nodiscard]] const T& pick(const std::vector<T>& items, Random& random) {
  return items[random.below(items.size())];
}
[[nodiscard]] inline std::string_view pick(std::initializer_list<std::string_view> items, Random& random) {
  return items.begin()[random.below(items.size())];
}

// Of several: "was born" to "were born".
[[nodiscard]] std::string were(const std::string& past);

}  // namespace kgwalk::listening
