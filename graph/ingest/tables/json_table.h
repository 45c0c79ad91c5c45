// Objects of JSON as rows of tables.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "graph/ingest/tables/table_guess.h"
#include "graph/ingest/tables/table_source.h"
#include "runtime/input_bytes.h"

namespace kgwalk::graph {

// What separates the values of a list in a cell of such a table.
inline constexpr char kJsonListSeparator = '\x1f';

// The tables of a Django fixture, a list of {"model": "app.track", "pk": 1, "fields": {...}}: one a model,
// called "track" (by its whole name where two applications have it), with the columns "pk" and the fields.
// None for other texts. `bytes` are JSON without a mark.
[[nodiscard]] TableSources open_fixture(const std::filesystem::path& file,
                                        const std::shared_ptr<InputBytes>& bytes);

// A list of other objects, or one a line, as a table that is planned with others and read by read_json():
// its columns are the keys of the first objects that lead to texts, numbers, objects that have a name and no
// id, and lists of them. Null where there is no such key. `as_rows`: the plan alone reads it, row by row.
[[nodiscard]] std::unique_ptr<TableSource> open_objects(const std::filesystem::path& file, std::string name,
                                                        const std::shared_ptr<InputBytes>& bytes,
                                                        bool as_rows = false);

}  // namespace kgwalk::graph
