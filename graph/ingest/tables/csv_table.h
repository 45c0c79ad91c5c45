// A table of text with a header as a source of rows.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "graph/ingest/tables/table_source.h"
#include "kgwalk/input_format.h"
#include "runtime/input_bytes.h"

namespace kgwalk::graph {

// Whether a text of csv or tsv is a table with a row per thing, by its first lines: no header of facts or of
// Neo4j, and in tsv no triples. `things` is set where options or a mapping say that it is.
[[nodiscard]] bool is_table_of_things(std::string_view bytes, InputFormat format, const InputOptions& options,
                                      bool things);

class CsvTable final : public TableSource {
 public:
  // `options` must outlive the table. DataError when there is no header.
  CsvTable(const std::filesystem::path& file, std::string name, std::unique_ptr<InputBytes> bytes,
           InputFormat format, const IngestOptions& options);

  [[nodiscard]] const TableHeader& header() const override { return header_; }
  [[nodiscard]] std::string place() const override { return place_; }
  [[nodiscard]] OpenedBytes opened() const override {
    return {bytes_->bytes(), bytes_->checksum(), bytes_.get()};
  }
  [[nodiscard]] std::string format() const override { return quoted_ ? "csv" : "tsv"; }
  [[nodiscard]] std::unique_ptr<TableCursor> rows(ProblemLog& log) const override;

 private:
  std::string place_;
  std::unique_ptr<InputBytes> bytes_;
  bool quoted_;
  const IngestOptions& options_;
  TableHeader header_;
};

}  // namespace kgwalk::graph
