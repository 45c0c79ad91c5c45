// How many an English noun means: what names of columns and types, questions and mentions are compared by.
#pragma once

#include <string>
#include <string_view>

namespace kgwalk {

// Of one word in lower case: "city" to "cities", "genus" to "genera"; what has no plural of its own stays
// ("cast", "species").
[[nodiscard]] std::string plural_word(std::string_view word);
// "cities" to "city"; what only looks like a plural stays ("series", "Texas").
[[nodiscard]] std::string singular_word(std::string_view word);

}  // namespace kgwalk
