// Rows of comma-separated values as RFC 4180 has them: quoted fields with commas, doubled quotes and newlines
// inside; rows end in LF or CRLF, the last one may end at the end of the file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kgwalk::graph {

struct CsvRow {
  std::vector<std::string> fields;
  std::size_t line = 0;   // line on which the row starts, from 1
  std::size_t bytes = 0;  // its length in the file, without its end
  std::string error;      // empty, or what breaks RFC 4180; `fields` is then empty
};

class CsvReader {
 public:
  // `text` must outlive the reader.
  explicit CsvReader(std::string_view text, char separator = ',', char quote = '"')
      : text_(text), separator_(separator), quote_(quote) {}
  // The next row, good or broken; false at the end. Behind a broken row reading goes on at the line after the
  // one on which that row starts. Lines without any character are passed over.
  [[nodiscard]] bool next(CsvRow& row);
  [[nodiscard]] std::size_t position() const noexcept { return position_; }

 private:
  [[nodiscard]] bool read_field(std::string& field, std::string& error);
  [[nodiscard]] bool read_quoted(std::string& field, std::string& error);
  [[nodiscard]] bool at_row_end() const noexcept;
  void skip_row_end() noexcept;
  void recover(std::size_t row_begin, std::size_t row_line) noexcept;

  std::string_view text_;
  char separator_, quote_;
  std::size_t position_ = 0;
  std::size_t line_ = 1;
};

}  // namespace kgwalk::graph
