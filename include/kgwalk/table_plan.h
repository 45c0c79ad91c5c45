// What tables with a row per thing become: the plan that `ingest` reads them by. It is guessed from the
// tables, can be written to a file, edited and given back.
//
// Example:
//   #include <fstream>
//
//   using namespace kgwalk::graph;
//   IngestOptions options{.database = "films.db", .triples = {"tables"}};  // a folder
//   TablePlan plan = plan_tables(options);
//   for (const TableMapping& table : plan.tables) std::cout << table.told() << '\n';
//   std::ofstream("mapping.json") << plan.to_json().dump(2);  // edited by hand
//   options.mapping = "mapping.json";
//   ingest(options);
//
// Docs: docs/reference/formats/input.md. Plain values.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kgwalk/choice.h"
#include "kgwalk/ingest.h"
#include "kgwalk/json.h"
#include "kgwalk/progress.h"

namespace kgwalk::graph {

enum class TableUse {
  kThings,  // a row is a thing
  kEdges,   // a row joins two things, by its two links
  kSkip,    // not read
};
constexpr auto choice_names(TableUse) { return choices_in_order<TableUse>("things", "edges", "skip"); }

enum class ColumnUse {
  kValue,   // literals of the thing
  kSeries,  // likewise, of the time that the row is of: "1952 population", and "population" of the latest
  kLink,    // names rows of another table
  kSkip,    // not read
};
constexpr auto choice_names(ColumnUse) {
  return choices_in_order<ColumnUse>("value", "series", "link", "skip");
}

enum class ValueType {
  kText,
  kInteger,
  kNumber,       // with a point: 1.5
  kCommaNumber,  // with a comma: 1,5, kept as 1.5
  kDate,         // 1999-12-31, with a time or without
  kPointDate,    // 31.12.1999, kept as 1999-12-31
  kBoolean,      // true, false, yes, no
};
constexpr auto choice_names(ValueType) {
  return choices_in_order<ValueType>("text", "integer", "number", "comma number", "date", "point date",
                                     "boolean");
}

struct ColumnMapping {
  std::string column = {};
  Choice<ColumnUse> use = ColumnUse::kValue;
  std::string relation = {};
  Choice<ValueType> type = ValueType::kText;  // of values
  std::string separator = {};                 // of a list within a cell; empty: a cell is one value
  std::string to = {};                        // of links: table.column
  // What is odd about the guess, told by TableMapping::told() and kept in no file: a date that there is none
  // of.
  std::string doubt = {};
};

struct TableMapping {
  std::string table = {};  // its name: that of the file without extension
  Choice<TableUse> use = TableUse::kThings;
  std::string type = {};               // of its things; empty: none
  std::string id = {};                 // the column; empty: the number of the row
  std::vector<std::string> name = {};  // columns, joined by a space; empty: called by the id
  // The column that says when, where a thing has a row for each of several years or dates; empty: it has one.
  std::string series = {};
  // Of edges: their relation, or the column that names it.
  std::string relation = {}, relation_column = {};
  std::vector<ColumnMapping> columns = {};  // those that are not listed are not read
  std::vector<std::string> missing = {};    // cells that say nothing, as empty ones do: "NA"

  // In one line of words.
  [[nodiscard]] std::string told() const;
};

struct TablePlan {
  std::vector<TableMapping> tables = {};

  [[nodiscard]] Json to_json() const;
  // ConfigError tells everything that is wrong, with the nearest words there are; `source` is what is named.
  [[nodiscard]] static TablePlan from_json(const Json& json, const std::string& source);
};

// The plan of the tables among the options' triples, without those of facts and of Neo4j: as `mapping` has
// it, else guessed. Reads the files, makes nothing. Throws what ingest() throws for files that it cannot
// read, ConfigError for an `id`, `name` or `link` that no table has.
[[nodiscard]] TablePlan plan_tables(const IngestOptions& options, const StopFlag& stop = never_stop());

}  // namespace kgwalk::graph
