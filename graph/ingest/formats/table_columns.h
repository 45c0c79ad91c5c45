// Facts in the columns of a table.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/ingest/table_rows.h"
#include "kgwalk/input_format.h"

namespace kgwalk::graph {

// Head, relation, tail.
using Columns = std::array<std::size_t, 3>;

inline constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

// What may stand beside them.
struct MoreColumns {
  std::size_t head_id = kNoColumn, tail_id = kNoColumn, relation_id = kNoColumn, weight = kNoColumn,
              source = kNoColumn;
  [[nodiscard]] bool has_ids() const noexcept { return head_id != kNoColumn || tail_id != kNoColumn; }
};

// Whether the header is one of Neo4j's (neo4j-admin's or apoc.export.csv's).
[[nodiscard]] bool is_neo4j_header(const std::vector<std::string>& header);

// Whether `wanted` (InputOptions::columns) are numbers: the table has no header then.
[[nodiscard]] bool are_numbers(const std::array<std::string, 3>& wanted);

// Whether a column of this name is usually that of a role: 0 head, 1 relation, 2 tail. Words alone, no single
// letters.
[[nodiscard]] bool is_usual_name(std::size_t role, std::string_view name);

// Where the wanted columns are; DataError, which names those there are, when one is missing.
[[nodiscard]] Columns find_columns(const std::vector<std::string>& header,
                                   const std::array<std::string, 3>& wanted, const std::string& file);
// The same for what may stand beside them: those that are wanted.
[[nodiscard]] MoreColumns find_more_columns(const std::vector<std::string>& header, const InputOptions& input,
                                            const std::string& file);
[[nodiscard]] MoreColumns numbered_more_columns(const InputOptions& input);
// The same for numbers from 1; ConfigError for 0.
[[nodiscard]] Columns numbered_columns(const std::array<std::string, 3>& wanted);

// A weight as it is written; nullopt for what is no number of 0 or more.
[[nodiscard]] std::optional<float> weight_in(std::string_view text);

}  // namespace kgwalk::graph
