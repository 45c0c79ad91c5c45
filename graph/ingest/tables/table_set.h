// Sorts the files of an ingestion: what holds tables with a row per thing is opened and planned together,
// everything else is left to the reader of its format.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "graph/ingest/tables/table_guess.h"
#include "kgwalk/table_plan.h"
#include "runtime/input_bytes.h"

namespace kgwalk::graph {

class TableSet {
 public:
  // Opens csv, tsv, folders of them, SQLite files and objects of JSON. All must outlive the object. Throws
  // what reading them does; ConfigError for a folder without tables.
  TableSet(const IngestOptions& options, const std::filesystem::path& spool, const StopFlag& stop);

  struct Other {
    std::filesystem::path file;
    std::shared_ptr<InputBytes> bytes = {};  // that are open already: a stream can be opened once
    const TableSource* objects = nullptr;    // the table that the plan has it as
  };
  [[nodiscard]] const std::vector<Other>& others() const noexcept { return others_; }
  [[nodiscard]] const TableSources& tables() const noexcept { return tables_; }
  // What was passed over in folders.
  [[nodiscard]] const std::vector<std::string>& notes() const noexcept { return notes_; }
  // As the mapping says, else guessed.
  [[nodiscard]] TablePlan plan() const;

 private:
  void take(const std::filesystem::path& file, bool in_folder);
  void take_json(const std::filesystem::path& file);
  void take_folder(const std::filesystem::path& folder);
  [[nodiscard]] std::string free_name(const std::filesystem::path& file) const;

  const IngestOptions& options_;
  std::filesystem::path spool_;
  const StopFlag& stop_;
  TablePlan mapping_;
  std::vector<Other> others_;
  TableSources tables_;
  std::vector<std::string> notes_;
};

}  // namespace kgwalk::graph
