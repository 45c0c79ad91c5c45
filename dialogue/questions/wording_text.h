// The text of wordings: their places {x}, words in them, nouns in the plural. Torch-free.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kgwalk::dialogue {

// A relation's name as it is compared with those of the bank: in lower case, words apart by one space, so
// that "directed by" of an IRI is "directed_by". A leading ~ stays.
[[nodiscard]] std::string relation_key(std::string_view name);

void replace_all(std::string& text, std::string_view what, std::string_view with);

// "film | movie" to its members.
[[nodiscard]] std::vector<std::string> members_of(std::string_view line);

// Where `words` stand in `text` as whole words; npos where they do not.
[[nodiscard]] std::size_t word_at(std::string_view text, std::string_view words);

// "a film directed by {x}" to "films directed by {x}", "{x's} director" to "{x's} directors"; nothing where
// the phrase begins with neither an article nor the owner, or names one thing by its nature.
[[nodiscard]] std::optional<std::string> plural_phrase(const std::string& phrase);

// What is left of a wording without the places of names, articles and the prepositions at its ends: "who
// directed" of "who directed {x}", "filmmaker behind" of "the filmmaker behind {x}". Empty where nothing is
// left.
[[nodiscard]] std::string bare_words(const std::string& wording);

}  // namespace kgwalk::dialogue
