// metrics.jsonl: one json object a line, appended and flushed, so that a killed run keeps what it measured.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/config.h"

namespace kgwalk {

// Appends rows to a file. A last line cut by a kill is dropped when the file is opened again.
class MetricsWriter {
 public:
  explicit MetricsWriter(std::filesystem::path path);
  // Drops every row whose "step" is greater than `step` (resume repeats those steps).
  void rewind(std::int64_t step);
  void write(const Json& row);

 private:
  std::filesystem::path path_;
};

// All whole rows of the file, in order; a missing file has none. FormatError names the line of a broken row.
[[nodiscard]] std::vector<Json> read_metrics(const std::filesystem::path& path);

}  // namespace kgwalk
