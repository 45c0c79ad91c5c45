#include "graph/values/value_tally.h"

#include <algorithm>
#include <cmath>

namespace kgwalk::graph {
namespace {

// "Nearly all": a slip in one of ten leaves a relation what it is.
bool nearly_all(std::uint64_t part, std::uint64_t of) { return of > 0 && part * 10 >= of * 9; }

// Without a word that says so, as many distinct tails must read as values: two films may be called "21" and
// "300".
constexpr std::uint32_t kTelling = 3;
// Of numbers in twenty one that is written as a code tells that all are codes: the number 004 of a country.
constexpr std::uint32_t kOfCodes = 20;

bool is_whole(const ReadValue& value) {
  return value.kind == ValueKind::kNumber && value.unit == 0 && std::trunc(value.from) == value.from;
}

}  // namespace

bool is_plausible_year(const ReadValue& value) noexcept {
  return is_whole(value) && value.from >= -3000 && value.from <= 2200;
}

void ValueTally::add(const ReadValue& tail) noexcept {
  ++total_;
  if (tail.is_typed) {
    whole_ += is_whole(tail) ? 1 : 0;
    whole_years_ += is_plausible_year(tail) ? 1 : 0;
    typed_numbers_ += tail.kind == ValueKind::kNumber ? 1 : 0;
    typed_times_ += is_time(tail.kind) ? 1 : 0;
    return;
  }
  untyped_numbers_ += tail.kind == ValueKind::kNumber ? 1 : 0;
  untyped_times_ += is_time(tail.kind) ? 1 : 0;
  untyped_clocks_ += tail.kind == ValueKind::kTime ? 1 : 0;
  untyped_years_ += is_plausible_year(tail) ? 1 : 0;
  untyped_codes_ += tail.is_code ? 1 : 0;
}

Reading ValueTally::reading(bool says_time, bool says_amount) const noexcept {
  Reading reading;
  const std::uint32_t times = untyped_times_ + untyped_years_;
  const bool are_times = nearly_all(times, total_) && (says_time || untyped_times_ > 0);
  const bool are_numbers = nearly_all(untyped_numbers_, total_),
             are_clocks = nearly_all(untyped_clocks_, total_);
  const std::uint32_t read = std::max({untyped_times_ + untyped_numbers_, untyped_clocks_});
  const bool are_codes = untyped_codes_ > 1 &&
                         kOfCodes * untyped_codes_ >= untyped_numbers_ + untyped_years_ && !says_time &&
                         !says_amount;
  reading.texts = (are_times || are_numbers || are_clocks) && !are_codes &&
                  (read >= kTelling || says_time || says_amount);
  const bool typed_years = says_time && nearly_all(whole_years_, whole_);
  const std::uint32_t typed = typed_numbers_ + typed_times_;
  const bool among_times = whole_years_ == typed_numbers_ && nearly_all(typed_times_, typed);
  reading.years = (reading.texts && are_times) || typed_years || among_times;
  reading.numbers = !reading.years && nearly_all(typed_numbers_, typed);
  return reading;
}

}  // namespace kgwalk::graph
