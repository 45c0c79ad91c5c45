// The tables of a SQLite file, read as they stand at one moment. The file is never written.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "graph/ingest/tables/table_source.h"

namespace kgwalk::graph {

// By its first bytes, or, where those say nothing, by an extension of SQLite.
[[nodiscard]] bool is_sqlite_file(const std::filesystem::path& file);

// Its tables in the order in which they were made, with declared keys; views and tables of SQLite's own are
// left out. DataError, which says what to do: damaged, encrypted, without tables; IoError: locked by another
// program, or not readable.
[[nodiscard]] std::vector<std::unique_ptr<TableSource>> open_sqlite_tables(const std::filesystem::path& file);

}  // namespace kgwalk::graph
