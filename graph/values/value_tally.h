// What the distinct tails of one relation are, counted, and what follows for how it reads them.
#pragma once

#include <array>
#include <cstdint>

#include "graph/values/value_group.h"

namespace kgwalk::graph {

// What a name or literal can be, before any relation says how to read it.
struct ReadValue {
  ValueKind kind = ValueKind::kThing;  // as its text or datatype reads
  UnitId unit = 0;
  bool is_typed = false;    // its datatype says so; else it counts where relations read texts as values
  bool is_literal = false;  // else a name
  bool is_tail = false;     // of a relation that reads it as a value
  bool in_numbers = false;  // of one that reads whole numbers as numbers
  double from = 0, to = 0;
  bool is_code = false;  // not typed, and written as no amount is: "004", "+49"

  [[nodiscard]] TypedValue value() const { return {.kind = kind, .unit = unit, .from = from, .to = to}; }
};

// Between these, a whole number may be meant as a year.
[[nodiscard]] bool is_plausible_year(const ReadValue& value) noexcept;

// How a relation reads its tails.
struct Reading {
  bool texts = false;    // what is not typed too
  bool years = false;    // whole numbers as years
  bool numbers = false;  // years as whole numbers: one literal may be a year here and a number there
};

class ValueTally {
 public:
  void add(const ReadValue& tail) noexcept;
  // `says_time`, `says_amount`: of the relation's words.
  [[nodiscard]] Reading reading(bool says_time, bool says_amount) const noexcept;

 private:
  std::uint32_t total_ = 0;
  std::uint32_t untyped_numbers_ = 0, untyped_times_ = 0, untyped_clocks_ = 0;
  std::uint32_t untyped_years_ = 0, untyped_codes_ = 0;  // of the numbers
  std::uint32_t whole_ = 0,
                whole_years_ = 0;  // typed whole numbers without unit, and those plausible as years
  std::uint32_t typed_numbers_ = 0, typed_times_ = 0;
};

}  // namespace kgwalk::graph
