// Tables as planning and reading see them, whatever they lie in.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "graph/ingest/source_files.h"
#include "graph/ingest/statement.h"

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
  char list_separator = '\0';  // of cells with several values; '\0': guessed
  // The reader of its format reads it: of its plan, links, relations, what is left out, and what rows are
  // and are called where they do not say it themselves, count.
  bool is_read_by_format = false;
  bool says_names = false;                  // of those: most rows say what they are called
  std::set<std::string> holds_things = {};  // columns with what other things are called that lie in the rows
};

// What a row is known as.
struct RowThing {
  TermKind kind = TermKind::kId;
  std::string text;
  [[nodiscard]] Term term() const { return {kind, text, {}, {}}; }
};

// Goes through the rows of a table.
class TableCursor {
 public:
  virtual ~TableCursor() = default;
  // The next good row, as wide as the header; false at the end.
  [[nodiscard]] virtual bool next(std::vector<std::string>& cells) = 0;
  [[nodiscard]] virtual std::size_t line() const = 0;      // of that row, from 1
  [[nodiscard]] virtual std::size_t position() const = 0;  // bytes read so far
  // What that row is known as where its format says so; else it is by its table and key.
  [[nodiscard]] virtual std::optional<RowThing> thing() const { return std::nullopt; }
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
