// Facts in the columns of a table.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/ingest/table_rows.h"
#include "kgwalk/input_format.h"

namespace kgwalk::graph {

// Head, relation, tail.
using Columns = std::array<std::size_t, 3>;

// Whether the header is one of Neo4j's (neo4j-admin's or apoc.export.csv's).
[[nodiscard]] bool is_neo4j_header(const std::vector<std::string>& header);

// Whether `wanted` (InputOptions::columns) are numbers: the table has no header then.
[[nodiscard]] bool are_numbers(const std::array<std::string, 3>& wanted);

// Where the wanted columns are; DataError, which names those there are, when one is missing.
[[nodiscard]] Columns find_columns(const std::vector<std::string>& header,
                                   const std::array<std::string, 3>& wanted, const std::string& file);
// The same for numbers from 1; ConfigError for 0.
[[nodiscard]] Columns numbered_columns(const std::array<std::string, 3>& wanted);

}  // namespace kgwalk::graph
