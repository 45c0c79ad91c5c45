#include "graph/ingest/tables/table_draft.h"

#include <algorithm>

#include "graph/ingest/tables/table_guess.h"
#include "graph/ingest/tables/table_names.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kLettersOfCode = 12;

}  // namespace

bool Draft::is_named(std::string_view words) const {
  return folded(words) == folded(source.header().name) || folded(words) == folded(type) ||
         folded(type_of_table(words)) == folded(type);
}

bool Draft::holds_things(std::size_t column) const {
  return source.header().holds_things.contains(columns()[column]);
}

bool Draft::tells_apart(std::size_t column) const {
  const ColumnProfile& values = profile.columns[column];
  return profile.rows > 0 && values.filled == profile.rows && !values.repeats && !holds_things(column);
}

bool Draft::holds_codes(std::size_t column) const {
  const ColumnProfile& values = profile.columns[column];
  return values.types.type() == ValueType::kText && values.list_separator.empty() && tells_apart(column) &&
         values.letters <= kLettersOfCode * values.filled && !links.contains(column);
}

bool Draft::numbers_rows(std::size_t column) const {
  constexpr std::string_view kNames[] = {"column 1", "unnamed: 0", "index", "row", "rownames", "row names"};
  const std::string called = folded(columns()[column]);
  const ColumnProfile& values = profile.columns[column];
  if (column != 0 || std::find(std::begin(kNames), std::end(kNames), called) == std::end(kNames))
    return false;
  if (values.types.type() != ValueType::kInteger || !tells_apart(column)) return false;
  const std::size_t digits = std::to_string(profile.rows).size();
  return profile.columns.size() > 1 && (values.values.contains("0") || values.values.contains("1")) &&
         std::all_of(values.values.begin(), values.values.end(), [&](const std::string& value) {
           return value.size() <= digits && value.front() != '-';
         });
}

bool Draft::is_of_people() const {
  constexpr std::string_view kPeople[] = {"person", "human", "user",    "member",   "player",
                                          "actor",  "name",  "contact", "employee", "people"};
  return std::find(std::begin(kPeople), std::end(kPeople), folded(type)) != std::end(kPeople);
}

std::string Draft::kind_by_name() const {
  if (name.size() != 1 || !stem_of(columns()[name[0]]).empty()) return {};
  std::string kind = folded(words_of_column(columns()[name[0]]));
  constexpr std::string_view kName = " name";
  if (kind.ends_with(kName)) kind.resize(kind.size() - kName.size());
  constexpr std::string_view kGeneral[] = {"name", "full", "title", "label", "first", "last", "text"};
  if (std::find(std::begin(kGeneral), std::end(kGeneral), kind) != std::end(kGeneral)) return {};
  const auto is_address = [](const std::string& value) {
    return value.find('@') != std::string::npos || value.find("://") != std::string::npos;
  };
  const auto& values = profile.columns[name[0]].values;
  return std::any_of(values.begin(), values.end(), is_address) ? std::string() : kind;
}

bool Draft::has_text_ids() const { return profile.columns[id].types.type() == ValueType::kText; }

std::string folded(std::string_view text) {
  std::string name = invalid_utf8_at(text) ? std::string(text) : fold_name(text);
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::size_t column_of(const std::vector<std::string>& columns, std::string_view name) {
  const auto found = std::find(columns.begin(), columns.end(), name);
  return found == columns.end() ? kNoPlace : static_cast<std::size_t>(found - columns.begin());
}

std::string stem_of(std::string_view column) {
  const std::string words = words_of_column(column);
  for (const std::string_view end : {" id", " ids", " key", " fk", " ref", " code", " uuid"})
    if (words.size() > end.size() && folded(words).ends_with(end))
      return words.substr(0, words.size() - end.size());
  return {};
}

bool has(const std::vector<std::size_t>& list, std::size_t place) {
  return std::find(list.begin(), list.end(), place) != list.end();
}

double contained(const ColumnProfile& column, const ColumnKeys& keys) {
  if (column.values.empty()) return 0;
  std::size_t found = 0;
  for (const std::string& value : column.values) found += keys.has(value) ? 1 : 0;
  return static_cast<double>(found) / static_cast<double>(column.values.size());
}

bool shares_a_value(const ColumnProfile& a, const ColumnProfile& b) {
  return std::any_of(a.values.begin(), a.values.end(),
                     [&](const std::string& value) { return b.values.contains(value); });
}

}  // namespace kgwalk::graph
