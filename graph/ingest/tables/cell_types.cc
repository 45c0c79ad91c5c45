#include "graph/ingest/tables/cell_types.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "graph/values/calendar.h"

namespace kgwalk::graph {
namespace {

constexpr std::string_view kXsdInteger = "http://www.w3.org/2001/XMLSchema#integer",
                           kXsdDecimal = "http://www.w3.org/2001/XMLSchema#decimal",
                           kXsdDate = "http://www.w3.org/2001/XMLSchema#date",
                           kXsdDateTime = "http://www.w3.org/2001/XMLSchema#dateTime",
                           kXsdBoolean = "http://www.w3.org/2001/XMLSchema#boolean";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

std::string_view without_sign(std::string_view text) {
  return text.starts_with('-') || text.starts_with('+') ? text.substr(1) : text;
}

// Digits with a leading zero are a code, as of a post office.
bool is_integer(std::string_view text) {
  text = without_sign(text);
  return all_digits(text) && text.size() <= 18 && (text.size() == 1 || text[0] != '0');
}

bool is_number_with(std::string_view text, char mark) {
  if (is_integer(text)) return true;
  text = without_sign(text);
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return false;
  const std::string_view whole = text.substr(0, at);
  std::string_view rest = text.substr(at + 1);
  if (const std::size_t e = rest.find_first_of("eE"); e != std::string_view::npos) {
    if (!all_digits(without_sign(rest.substr(e + 1)))) return false;
    rest = rest.substr(0, e);
  }
  return (whole.empty() || whole == "0" || is_integer(whole)) && all_digits(rest);
}

bool is_day(std::string_view year, std::string_view month, std::string_view day) {
  if (year.size() != 4 || !all_digits(year) || !all_digits(month) || !all_digits(day)) return false;
  const int m = std::stoi(std::string(month)), d = std::stoi(std::string(day));
  return m >= 1 && m <= 12 && d >= 1 && d <= days_in_month(std::stoi(std::string(year)), m);
}

// hh:mm, with seconds, parts of them and a zone or without.
bool is_time_of_day(std::string_view text) {
  if (text.size() < 5 || text[2] != ':' || !all_digits(text.substr(0, 2)) || !all_digits(text.substr(3, 2)))
    return false;
  return text.substr(5).find_first_not_of("0123456789:.+-Z") == std::string_view::npos;
}

// Years before Christ have a sign.
bool is_iso_date(std::string_view t) {
  if (t.starts_with('-')) t.remove_prefix(1);
  if (t.size() < 10 || t[4] != '-' || t[7] != '-') return false;
  if (!is_day(t.substr(0, 4), t.substr(5, 2), t.substr(8, 2))) return false;
  return t.size() == 10 || ((t[10] == 'T' || t[10] == ' ') && is_time_of_day(t.substr(11)));
}

bool is_point_date(std::string_view t) {
  return t.size() == 10 && t[2] == '.' && t[5] == '.' && is_day(t.substr(6), t.substr(3, 2), t.substr(0, 2));
}

bool is_thousands(std::string_view text) {
  const std::size_t at = without_sign(text).find(',');
  return at != std::string_view::npos && without_sign(text).size() - at == 4;
}

std::string_view truth_of(std::string_view text) {
  if (text.size() > 5) return {};
  std::string low(text);
  for (char& c : low) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  if (low == "true" || low == "yes") return "true";
  if (low == "false" || low == "no") return "false";
  return {};
}

}  // namespace

bool is_empty_cell(std::string_view cell) noexcept {
  return cell == "\\N" || cell.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

bool may_be_missing(std::string_view cell) noexcept {
  constexpr std::string_view kMarkers[] = {"NA",   "N/A",  "n/a",  "#N/A", "NaN", "nan",
                                           "NULL", "null", "<NA>", "-",    "--",  "?"};
  return std::find(std::begin(kMarkers), std::end(kMarkers), cell) != std::end(kMarkers);
}

void TypeTally::add(std::string_view cell) {
  ++cells_;
  note_misfit(ValueType::kNumber, is_number_with(cell, '.'), cell);
  note_misfit(ValueType::kCommaNumber, is_number_with(cell, ','), cell);
  note_misfit(ValueType::kDate, is_iso_date(cell), cell);
  note_misfit(ValueType::kPointDate, is_point_date(cell), cell);
  integers_ += is_integer(cell);
  numbers_ += is_number_with(cell, '.');
  comma_numbers_ += is_number_with(cell, ',');
  with_comma_ += cell.find(',') != std::string_view::npos;
  thousands_ += is_thousands(cell);
  dates_ += is_iso_date(cell);
  point_dates_ += is_point_date(cell);
  booleans_ += !truth_of(cell).empty();
}

// "1,500" in all cells may be a number with a comma or thousands: text then, which a plan may change.
ValueType TypeTally::type() const noexcept {
  if (cells_ == 0) return ValueType::kText;
  if (integers_ == cells_) return ValueType::kInteger;
  if (numbers_ == cells_) return ValueType::kNumber;
  if (comma_numbers_ == cells_ && thousands_ < with_comma_) return ValueType::kCommaNumber;
  if (dates_ == cells_) return ValueType::kDate;
  if (point_dates_ == cells_) return ValueType::kPointDate;
  if (booleans_ == cells_) return ValueType::kBoolean;
  return ValueType::kText;
}

void TypeTally::note_misfit(ValueType type, bool fits, std::string_view cell) {
  std::string& misfit = misfits_[static_cast<std::size_t>(type)];
  if (!fits && misfit.empty()) misfit = cell;
}

// "text, since '2001-02-31' is no date, as 99 of 100 are"
std::string TypeTally::doubt() const {
  if (type() != ValueType::kText) return {};
  const std::pair<ValueType, std::size_t> counts[] = {{ValueType::kNumber, numbers_},
                                                      {ValueType::kCommaNumber, comma_numbers_},
                                                      {ValueType::kDate, dates_},
                                                      {ValueType::kPointDate, point_dates_}};
  const auto most = std::max_element(std::begin(counts), std::end(counts),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  if (2 * most->second < cells_) return {};
  std::string misfit = misfits_[static_cast<std::size_t>(most->first)];
  if (misfit.empty()) return {};  // numbers with a comma, or thousands
  if (misfit.size() > 40) misfit = misfit.substr(0, 37) + "...";
  return "text, since '" + misfit + "' is no " + std::string(Choice<ValueType>(most->first).name()) +
         ", as " + std::to_string(most->second) + " of " + std::to_string(cells_) + " cells are";
}

TypedCell typed_cell(std::string_view cell, ValueType type) {
  const std::string text(cell);
  switch (type) {
    case ValueType::kText:
      return {text};
    case ValueType::kInteger:
      if (is_integer(cell)) return {text, kXsdInteger};
      break;
    case ValueType::kNumber:
      if (is_number_with(cell, '.')) return {text, kXsdDecimal};
      break;
    case ValueType::kCommaNumber:
      if (is_number_with(cell, ',')) {
        TypedCell number{text, kXsdDecimal};
        std::replace(number.text.begin(), number.text.end(), ',', '.');
        return number;
      }
      break;
    case ValueType::kDate:
      if (is_iso_date(cell)) {
        const std::size_t day = cell.starts_with('-') ? 11 : 10;
        TypedCell date{text, cell.size() == day ? kXsdDate : kXsdDateTime};
        if (cell.size() > day) date.text[day] = 'T';
        return date;
      }
      break;
    case ValueType::kPointDate:
      if (is_point_date(cell))
        return {text.substr(6) + "-" + text.substr(3, 2) + "-" + text.substr(0, 2), kXsdDate};
      break;
    case ValueType::kBoolean:
      if (const std::string_view truth = truth_of(cell); !truth.empty())
        return {std::string(truth), kXsdBoolean};
      break;
  }
  return {.text = text, .fits = false};
}

}  // namespace kgwalk::graph
