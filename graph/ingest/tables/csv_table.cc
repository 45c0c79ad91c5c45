#include "graph/ingest/tables/csv_table.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "graph/ingest/formats/entity_table.h"
#include "graph/ingest/formats/table_columns.h"
#include "graph/ingest/formats/table_shape.h"
#include "graph/ingest/input_text.h"
#include "graph/ingest/iri_names.h"
#include "kgwalk/error.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kLinesOfShape = 20;

// Rows behind the header.
class CsvRows final : public TableCursor {
 public:
  CsvRows(std::string_view bytes, bool quoted, const IngestOptions& options, ProblemLog& log)
      : text_{.bytes = bytes,
              .file_name = {},
              .blank_prefix = {},
              .options = options.input,
              .max_line_bytes = options.max_line_bytes,
              .log = log,
              .counts = counts_},
        guessed_(shape_of(text_, quoted ? ',' : '\t', quoted)),
        rows_(guessed_.bytes, guessed_.shape, log) {
    if (rows_.next(header_)) rows_.expect(header_.size());
  }
  [[nodiscard]] bool next(std::vector<std::string>& cells) override { return rows_.next(cells); }
  [[nodiscard]] std::size_t line() const override { return rows_.line(); }
  [[nodiscard]] std::size_t position() const override { return rows_.position(); }
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return header_; }

 private:
  FileReport counts_;
  InputText text_;
  GuessedShape guessed_;
  TableRows rows_;
  std::vector<std::string> header_;
};

// Names of columns, each once: a second one gets a number, one without a name its place.
std::vector<std::string> distinct_names(const std::vector<std::string>& header) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (std::size_t i = 0; i < header.size(); ++i) {
    std::string name = name_text(header[i]);
    if (name.empty()) name = "column " + std::to_string(i + 1);
    std::string tried = name;
    for (std::size_t n = 2; !taken.insert(tried).second; ++n) tried = name + " (" + std::to_string(n) + ")";
    names.push_back(std::move(tried));
  }
  return names;
}

// The widths of the first lines of plain text.
std::vector<std::size_t> widths_of_lines(std::string_view bytes) {
  std::vector<std::size_t> list;
  while (!bytes.empty() && list.size() < kLinesOfShape) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string_view line = bytes.substr(0, end);
    if (!line.empty() && line != "\r")
      list.push_back(1 + static_cast<std::size_t>(std::count(line.begin(), line.end(), '\t')));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return list;
}

// Triples have three columns and no header; a table has others, or a header with "id" or "name".
bool is_plain_table(std::string_view bytes) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  const std::vector<std::size_t> wide = widths_of_lines(bytes);
  if (wide.size() < 2 || wide[0] < 2) return false;
  if (wide[0] == 3) return is_entity_header(bytes.substr(0, bytes.find('\n')));
  const auto alike = static_cast<std::size_t>(std::count(wide.begin(), wide.end(), wide[0]));
  return 2 * alike > wide.size();
}

}  // namespace

bool is_table_of_things(std::string_view bytes, InputFormat format, const InputOptions& options,
                        bool things) {
  const bool quoted = format == InputFormat::kCsv;
  if (options.columns != InputOptions().columns) return false;
  if (!things && !quoted && options.format != InputFormat::kTsv && !is_plain_table(bytes)) return false;
  const std::string_view begin = bytes.substr(0, std::size_t{1} << 20);
  ProblemLog log("", false, 0, silent_reporter());
  IngestOptions all;
  all.input = options;
  const std::vector<std::string> header = CsvRows(begin, quoted, all, log).names();
  if (header.size() < 2) return false;
  if (things) return true;
  bool has[3] = {};
  for (const std::string& name : header)
    for (std::size_t role = 0; role < 3; ++role) has[role] = has[role] || is_usual_name(role, name);
  if (has[0] && has[2]) return false;
  return !is_neo4j_header(header);
}

CsvTable::CsvTable(const std::filesystem::path& file, std::string name, std::unique_ptr<InputBytes> bytes,
                   InputFormat format, const IngestOptions& options)
    : place_(file == "-" ? "standard input" : file.string()),
      bytes_(std::move(bytes)),
      quoted_(format == InputFormat::kCsv),
      options_(options) {
  header_.name = std::move(name);
  ProblemLog log(place_, false, 0, silent_reporter());
  const std::vector<std::string> header = CsvRows(bytes_->bytes(), quoted_, options_, log).names();
  if (header.empty()) throw DataError(place_, 1, "the header of the table cannot be read");
  header_.columns = distinct_names(header);
}

std::unique_ptr<TableCursor> CsvTable::rows(ProblemLog& log) const {
  return std::make_unique<CsvRows>(bytes_->bytes(), quoted_, options_, log);
}

}  // namespace kgwalk::graph
