// Rows of a table of text, checked: csv with quotes as RFC 4180 has them, or lines cut at a separator. Rows
// that are too long, too wide or narrow, or not UTF-8 are logged and passed over.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/ingest/csv.h"
#include "graph/ingest/lines.h"
#include "graph/ingest/problem_log.h"

namespace kgwalk::graph {

struct TableShape {
  char separator = ',';
  bool quoted = true;  // false: a quote is a letter like others
  std::size_t max_row_bytes = 1 << 20;
  char quote = '"';
  std::size_t lines_before = 0;  // of the file, above the bytes
};

class TableRows {
 public:
  // `bytes` and `log` must outlive the rows.
  TableRows(std::string_view bytes, const TableShape& shape, ProblemLog& log);
  // The next good row; false at the end.
  [[nodiscard]] bool next(std::vector<std::string>& fields);
  // From now on rows of another width are bad.
  void expect(std::size_t columns) noexcept { columns_ = columns; }
  // Where the row of next() begins, from 1.
  [[nodiscard]] std::size_t line() const noexcept { return line_; }
  // Bytes read so far.
  [[nodiscard]] std::size_t position() const noexcept;

 private:
  [[nodiscard]] bool next_quoted(std::vector<std::string>& fields);
  [[nodiscard]] bool next_plain(std::vector<std::string>& fields);
  [[nodiscard]] bool is_good(const std::vector<std::string>& fields);

  TableShape shape_;
  ProblemLog& log_;
  std::optional<CsvReader> csv_;
  std::optional<LineReader> lines_;
  CsvRow row_;
  std::size_t columns_ = 0, line_ = 0;
};

}  // namespace kgwalk::graph
