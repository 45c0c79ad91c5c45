// What stands in the columns of a table.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "graph/ingest/tables/cell_types.h"
#include "graph/ingest/tables/table_source.h"

namespace kgwalk::graph {

struct ColumnProfile {
  std::size_t filled = 0, letters = 0;          // cells of the sample that are not empty, bytes in them
  bool repeats = false;                         // a value comes twice
  std::unordered_set<std::string> values = {};  // some of them, those of lists one by one
  std::string list_separator = {};
  TypeTally types = {};
};

struct TableProfile {
  std::size_t rows = 0;  // of the sample
  bool is_whole = true;  // the sample is the table
  std::vector<ColumnProfile> columns = {};
  // Cells that say nothing: of those that may, what stands in two columns, or among numbers or dates.
  std::vector<std::string> missing = {};
};

// Reads the first rows. `list_separator`: what all lists have; '\0': guessed.
[[nodiscard]] TableProfile profile_of(const TableSource& table, char list_separator);

// All values of a column.
struct ColumnKeys {
  std::unordered_set<std::size_t> hashes = {};
  std::size_t repeated = 0;
  [[nodiscard]] bool has(std::string_view value) const { return hashes.contains(hash(value)); }
  [[nodiscard]] static std::size_t hash(std::string_view v) { return std::hash<std::string_view>()(v); }
};
[[nodiscard]] ColumnKeys keys_of(const TableSource& table, std::size_t column, const StopFlag& stop);

// Calls handle(part) for the parts of a cell, without spaces around them, as far as there is something.
template <class Handle>
void for_each_cell_part(std::string_view cell, std::string_view separator, Handle&& handle) {
  for (;;) {
    const std::size_t end = separator.empty() ? std::string_view::npos : cell.find(separator);
    std::string_view part = cell.substr(0, end);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (!is_empty_cell(part)) handle(part);
    if (end == std::string_view::npos) return;
    cell.remove_prefix(end + separator.size());
  }
}

}  // namespace kgwalk::graph
