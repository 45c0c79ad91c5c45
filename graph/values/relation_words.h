// What the words of a relation say of its values.
#pragma once

#include <string_view>

namespace kgwalk::graph {

// "release year", "dateOfBirth", "founded": its whole numbers are likely years.
[[nodiscard]] bool says_time(std::string_view relation);
// "population", "height in cm", "number of pages": its tails are likely numbers.
[[nodiscard]] bool says_amount(std::string_view relation);

// Four digits.
[[nodiscard]] bool is_year(std::string_view text) noexcept;
// What a relation is of whose values stand year by year: "pop" of "1952 pop"; the name itself of any other.
[[nodiscard]] std::string_view without_year(std::string_view relation) noexcept;

}  // namespace kgwalk::graph
