// What tables, their columns and their rows are called.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kgwalk::graph {

// "countries" -> "country", "film_actors" -> "film actor": what one row of a table is.
[[nodiscard]] std::string type_of_table(std::string_view table);
// The same of a list of objects, where it is called by a plural that says what they are; empty for others
// ("data", "results").
[[nodiscard]] std::string kind_of_list(std::string_view list);
// The same by the key that a list has in an object, which may be no plural: "pokemon", "staff".
[[nodiscard]] std::string kind_of_key(std::string_view key);
// "country-by-capital-city", "population by country": what each row is of, by the column that names it, and
// what is told of it. nullopt for other names.
struct TableBy {
  std::string things, told;
};
[[nodiscard]] std::optional<TableBy> table_by(std::string_view table, std::string_view name_column);
// What leads to the only column of such a table, "city" or "value": what the table tells, where the column
// says less.
[[nodiscard]] std::string relation_told(const std::string& told, const std::string& column);
// "reports to", "manager", "parent": what leads from a row to another one of its table, where it holds ids.
[[nodiscard]] bool leads_to_own_kind(std::string_view words);
// "release_year" -> "release year".
[[nodiscard]] std::string words_of_column(std::string_view column);
// "isotopes/209" -> "isotope 209": a row that has no name, by its table and its id.
[[nodiscard]] std::string name_of_row(std::string_view key);

}  // namespace kgwalk::graph
