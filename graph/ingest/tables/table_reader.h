// Reads tables by their plan.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/ingest/statement.h"
#include "graph/ingest/tables/object_plan.h"
#include "graph/ingest/tables/table_guess.h"
#include "kgwalk/table_plan.h"

namespace kgwalk::graph {

// Where a link leads: rows are found by their id, or by another column.
struct LinkTarget {
  std::string table;
  const std::unordered_map<std::string, RowThing>* keys = nullptr;  // null: by the id
};

// Gives the statements of tables. A row is known as "table/id", so that equal numbers in two tables are two
// things; a link is a statement between such rows, and told where no table has the row at its end.
class TableReader {
 public:
  // Both must outlive the reader. ConfigError when the plan names tables or columns that are not there.
  TableReader(const TableSources& sources, const TablePlan& plan);

  // Those that are read, in the order of the sources.
  [[nodiscard]] bool is_read(const TableSource& source) const;
  void read(const TableSource& source, const OpenSource& open, StatementSink& sink);
  // What the plan says of the keys of objects that the reader of their format reads.
  [[nodiscard]] ObjectPlan plan_of_objects(const TableSource& source);

 private:
  [[nodiscard]] const TableMapping* mapping_of(const std::string& table) const;
  [[nodiscard]] const TableSource* source_of(const std::string& table) const;
  [[nodiscard]] LinkTarget target_of(const std::string& to);
  void check() const;

  const TableSources& sources_;
  const TablePlan& plan_;
  std::map<std::string, std::unordered_map<std::string, RowThing>> keys_;  // of "table.column"
};

}  // namespace kgwalk::graph
