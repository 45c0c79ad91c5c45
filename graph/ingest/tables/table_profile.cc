#include "graph/ingest/tables/table_profile.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "graph/ingest/tables/table_guess.h"
#include "graph/ingest/tables/table_names.h"
#include "graph/ingest/vocabulary.h"
#include "kgwalk/error.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kSampleRows = 5000, kSampleCells = 1'000'000, kSampleValues = 1000;
constexpr std::size_t kLongPart = 40;
using Rows = std::vector<std::vector<std::string>>;

constexpr std::array<char, 3> kListSeparators = {';', '|', ','};

// How often a separator cuts the cells of a column, equal ones once, and into what.
struct ListTally {
  std::size_t cut = 0, parts = 0, long_parts = 0;
  std::unordered_set<std::string> different = {};
};

void tally_lists(std::string_view cell, std::array<ListTally, 3>& tallies) {
  for (std::size_t i = 0; i < kListSeparators.size(); ++i) {
    if (cell.find(kListSeparators[i]) == std::string_view::npos) continue;
    ListTally& tally = tallies[i];
    ++tally.cut;
    for_each_cell_part(cell, {&kListSeparators[i], 1}, [&](std::string_view part) {
      ++tally.parts;
      tally.long_parts += part.size() > kLongPart ? 1 : 0;
      if (tally.different.size() < kSampleValues) tally.different.emplace(part);
    });
  }
}

// A semicolon or bar in every tenth cell separates a list of short parts; a comma does where parts come
// again, since "Lang, Fritz" has one, too.
std::string guessed_separator(const std::array<ListTally, 3>& tallies, std::size_t cells) {
  for (std::size_t i = 0; i < kListSeparators.size(); ++i) {
    const ListTally& tally = tallies[i];
    const bool often = tally.cut > 0 && 10 * tally.cut >= cells;
    const bool is_short = 20 * tally.long_parts <= tally.parts;
    const bool again = kListSeparators[i] != ',' || 3 * tally.different.size() < 2 * tally.parts;
    if (often && is_short && again) return std::string(1, kListSeparators[i]);
  }
  return {};
}

// "name", "film_title": a comma or semicolon in it is one of the name.
bool is_called_name(std::string_view column) {
  const std::string words = words_of_column(column);
  const std::size_t space = words.rfind(' ');
  return may_name(space == std::string::npos ? words : words.substr(space + 1));
}

std::vector<std::string> missing_in(const Rows& sample, std::size_t width) {
  std::map<std::string, std::size_t> columns;  // that a marker stands in
  std::set<std::string> missing;
  for (std::size_t c = 0; c < width; ++c) {
    TypeTally others;
    std::set<std::string> markers;
    bool any = false;
    for (const auto& row : sample) {
      if (may_be_missing(row[c])) {
        markers.insert(row[c]);
      } else if (!is_empty_cell(row[c])) {
        others.add(row[c]);
        any = true;
      }
    }
    const bool typed = any && others.type() != ValueType::kText;
    for (const std::string& marker : markers)
      if (typed || ++columns[marker] > 1) missing.insert(marker);
  }
  return {missing.begin(), missing.end()};
}

void clear_missing(const std::vector<std::string>& missing, Rows& rows) {
  if (missing.empty()) return;
  for (auto& row : rows)
    for (std::string& cell : row)
      if (std::find(missing.begin(), missing.end(), cell) != missing.end()) cell.clear();
}

}  // namespace

TableProfile profile_of(const TableSource& table, char list_separator) {
  const char own_separator = table.header().list_separator;
  const std::size_t width = table.header().columns.size();
  const std::size_t most =
      std::clamp<std::size_t>(kSampleCells / std::max<std::size_t>(width, 1), 100, kSampleRows);
  TableProfile profile;
  profile.columns.resize(width);
  std::vector<std::array<ListTally, 3>> lists(width);
  Rows sample;
  ProblemLog log(table.place(), false, 0, silent_reporter());
  const auto cursor = table.rows(log);
  for (std::vector<std::string> row; cursor->next(row); sample.push_back(row)) {
    profile.is_whole = sample.size() < most;
    if (!profile.is_whole) break;
  }
  profile.rows = sample.size();
  profile.missing = missing_in(sample, width);
  clear_missing(profile.missing, sample);
  for (std::size_t c = 0; c < width; ++c) {
    ColumnProfile& column = profile.columns[c];
    std::unordered_set<std::string_view> met;
    for (const auto& row : sample) {
      const std::string& cell = row[c];
      if (is_empty_cell(cell)) continue;
      ++column.filled;
      column.letters += cell.size();
      column.types.add(cell);
      const bool is_new = met.insert(cell).second;
      column.repeats = column.repeats || !is_new;
      for (const char separator : {own_separator, list_separator})
        if (separator != '\0' && column.list_separator.empty() && cell.find(separator) != std::string::npos)
          column.list_separator = separator;
      // An address that comes again has no parts that come again by themselves.
      if (list_separator == '\0' && is_new) tally_lists(cell, lists[c]);
    }
    if (list_separator == '\0' && column.list_separator.empty() && column.types.type() == ValueType::kText &&
        !is_called_name(table.header().columns[c]))
      column.list_separator = guessed_separator(lists[c], met.size());
    for (const auto& row : sample)
      for_each_cell_part(row[c], column.list_separator, [&](std::string_view part) {
        if (column.values.size() < kSampleValues) column.values.emplace(part);
      });
    if (column.list_separator.empty()) continue;
    column.types = {};
    for (const std::string& value : column.values) column.types.add(value);
  }
  return profile;
}

ColumnKeys keys_of(const TableSource& table, std::size_t column, const StopFlag& stop) {
  ColumnKeys keys;
  ProblemLog log(table.place(), false, 0, silent_reporter());
  const auto cursor = table.rows(log);
  std::size_t handled = 0;
  for (std::vector<std::string> row; cursor->next(row);) {
    if (++handled % 8192 == 0 && stop.requested())
      throw Stopped("the ingestion was stopped and nothing was written");
    if (!is_empty_cell(row[column]) && !keys.hashes.insert(ColumnKeys::hash(row[column])).second)
      ++keys.repeated;
  }
  return keys;
}

}  // namespace kgwalk::graph
