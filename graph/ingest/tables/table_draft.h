// A table on its way to a mapping, and what its columns say of themselves.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/ingest/tables/table_profile.h"
#include "graph/ingest/tables/table_source.h"

namespace kgwalk::graph {

inline constexpr std::size_t kNoPlace = static_cast<std::size_t>(-1);

struct Draft {
  const TableSource& source;
  TableProfile profile;
  std::string type;
  std::size_t id = kNoPlace;
  bool id_is_sure = false;      // declared, given or called "id"
  bool is_known_by_id = false;  // of objects: by this key, and not by what they say themselves
  std::vector<std::size_t> name = {};
  std::map<std::size_t, std::string> links = {};  // column -> table.column
  std::size_t when = kNoPlace;                    // where a thing has several rows: the column of their times
  std::vector<bool> varies = {};                  // columns that differ among them
  // Keys of all rows, once they were asked for: of the id, of the name, of other columns.
  mutable std::optional<ColumnKeys> ids = {};
  std::optional<ColumnKeys> names = {};
  mutable std::map<std::size_t, ColumnKeys> codes = {};

  [[nodiscard]] const std::vector<std::string>& columns() const { return source.header().columns; }
  // Whether these words mean the table or one of its rows.
  [[nodiscard]] bool is_named(std::string_view words) const;
  // Whether a column has names of things that lie in the rows.
  [[nodiscard]] bool holds_things(std::size_t column) const;
  // Whether a column has another value in each row looked at.
  [[nodiscard]] bool tells_apart(std::size_t column) const;
  // The same for short texts that lead nowhere.
  [[nodiscard]] bool holds_codes(std::size_t column) const;
  // Whether a column only numbers the rows, as R and pandas write it: the first, without a name of its own.
  [[nodiscard]] bool numbers_rows(std::size_t column) const;
  // Those that whatever people do leads to: directors, winners.
  [[nodiscard]] bool is_of_people() const;
  // Of a table with an id.
  [[nodiscard]] bool has_text_ids() const;
  // What a row is by the column that it is called by: "country" where that holds "Japan"; empty where the
  // column is of codes or addresses, or of names in general.
  [[nodiscard]] std::string kind_by_name() const;
};

[[nodiscard]] std::string folded(std::string_view text);
// kNoPlace where there is none.
[[nodiscard]] std::size_t column_of(const std::vector<std::string>& columns, std::string_view name);
// The words of a column without what says that it holds ids: "director_id" -> "director". Empty for others.
[[nodiscard]] std::string stem_of(std::string_view column);
[[nodiscard]] bool has(const std::vector<std::size_t>& list, std::size_t place);
// The share of a column's values that are among the keys.
[[nodiscard]] double contained(const ColumnProfile& column, const ColumnKeys& keys);
[[nodiscard]] bool shares_a_value(const ColumnProfile& a, const ColumnProfile& b);

}  // namespace kgwalk::graph
