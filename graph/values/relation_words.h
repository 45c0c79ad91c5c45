// What the words of a relation say of its values.
#pragma once

#include <string_view>

namespace kgwalk::graph {

// "release year", "dateOfBirth", "founded": its whole numbers are likely years.
[[nodiscard]] bool says_time(std::string_view relation);
// "population", "height in cm", "number of pages": its tails are likely numbers.
[[nodiscard]] bool says_amount(std::string_view relation);

}  // namespace kgwalk::graph
