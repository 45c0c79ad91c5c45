// Tables as planning and reading see them, whatever they lie in.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "graph/ingest/source_files.h"

namespace kgwalk::graph {

// A foreign key as a database declares it.
struct DeclaredLink {
  std::string column, table, to_column;
};

struct TableHeader {
  std::string name;
  std::vector<std::string> columns;  // all different
  std::vector<std::string> primary_key = {};
  std::vector<DeclaredLink> links = {};
};

// Goes through the rows of a table.
class TableCursor {
 public:
  virtual ~TableCursor() = default;
  // The next good row, as wide as the header; false at the end.
  [[nodiscard]] virtual bool next(std::vector<std::string>& cells) = 0;
  [[nodiscard]] virtual std::size_t line() const = 0;      // of that row, from 1
  [[nodiscard]] virtual std::size_t position() const = 0;  // bytes read so far
};

class TableSource {
 public:
  virtual ~TableSource() = default;
  [[nodiscard]] virtual const TableHeader& header() const = 0;
  // What problems are told of: the file, with the table where it has several.
  [[nodiscard]] virtual std::string place() const = 0;
  [[nodiscard]] virtual OpenedBytes opened() const = 0;
  [[nodiscard]] virtual std::string format() const = 0;  // for reports
  // `log` must outlive the cursor; from the first row on, each time.
  [[nodiscard]] virtual std::unique_ptr<TableCursor> rows(ProblemLog& log) const = 0;
};

}  // namespace kgwalk::graph
