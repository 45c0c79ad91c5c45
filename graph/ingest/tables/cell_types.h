// What the cells of a column are.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/table_plan.h"

namespace kgwalk::graph {

// Whether a cell says nothing: empty, or \N as databases write it.
[[nodiscard]] bool is_empty_cell(std::string_view cell) noexcept;

// Whether a cell may say that there is no value, as programs write it: "NA", "N/A", "NaN", "null", "-". It
// may be a word too: the code of Namibia.
[[nodiscard]] bool may_be_missing(std::string_view cell) noexcept;

// Whether it is one of those that say nothing in its table.
[[nodiscard]] inline bool says_nothing(std::string_view cell, const std::vector<std::string>& missing) {
  return std::find(missing.begin(), missing.end(), cell) != missing.end();
}

// Counts what cells may be, to tell what their column is.
class TypeTally {
 public:
  void add(std::string_view cell);
  // The type that all cells have; text where there is none, or none is given.
  [[nodiscard]] ValueType type() const noexcept;
  // Why they are text though half of them or more are numbers or dates; empty where there is nothing to say.
  [[nodiscard]] std::string doubt() const;

 private:
  void note_misfit(ValueType type, bool fits, std::string_view cell);
  std::array<std::string, 7> misfits_;  // by ValueType: the first cell that is none
  std::size_t cells_ = 0, integers_ = 0, numbers_ = 0, comma_numbers_ = 0, with_comma_ = 0, dates_ = 0,
              point_dates_ = 0, booleans_ = 0, thousands_ = 0;
};

// A value as a literal: its text and the IRI of its type. A cell that is not of the type stays text.
struct TypedCell {
  std::string text;
  std::string_view datatype = {};
  bool fits = true;
};
[[nodiscard]] TypedCell typed_cell(std::string_view cell, ValueType type);

}  // namespace kgwalk::graph
