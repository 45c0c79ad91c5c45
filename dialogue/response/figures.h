// Numbers and dates of a text, by which what is said is held against what is known. Torch-free.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kgwalk::dialogue {

// As far as it is told: "July 16, 2010", "16 July", "2010-07-16". A year alone is a number.
struct DateTold {
  std::optional<int> year = {}, month = {}, day = {};
};

struct Figures {
  std::vector<DateTold> dates = {};
  std::vector<std::string> numbers = {};  // outside of dates: "1234" for "1,234"; "2nd" as it stands
  std::vector<std::string> words = {};    // "seven", "third", "dozen", "twice"; "one" is none
};

// The text is UTF-8; English names of months and numbers are known.
[[nodiscard]] Figures figures_of(std::string_view text);

// The first number or date of `said` that `known` does not hold, as it was read; empty where there is none. A
// year may be told of a date, a number as a word, and how many things there are (`counted`) either way.
[[nodiscard]] std::string figure_made_up(std::string_view said, std::string_view known, std::size_t counted);

}  // namespace kgwalk::dialogue
