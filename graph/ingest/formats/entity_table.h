// Entities as rows of a table: ids, names, types, other names, descriptions, and whatever else its columns say of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/ingest/problem_log.h"
#include "graph/ingest/statements.h"
#include "graph/ingest/table_rows.h"

namespace kgwalk::graph {

// Whether a first line is the header of such a table: it has two columns or more, one of them "id" or "name".
[[nodiscard]] bool is_entity_header(std::string_view line, char separator);

// An id of a source as a term: an IRI, the label of a blank node, or an id of its own.
[[nodiscard]] Term term_of_id(std::string_view id);

// The same for a literal as N-Triples writes it, whose text is `name`.
[[nodiscard]] Term literal_of_id(std::string_view id, std::string_view name);

// Reads rows behind `header`. "id" (absent: entities are known by their names), "name" or "label"; "type" or "types",
// each a fact with the relation `type`; "aliases" or "alias" and "description" as InputOptions names them; every other
// column is a literal of the entity, read as InputOptions::literals says. Types and aliases are cut at ';'. Gives the
// number of rows taken. DataError when the header has neither "id" nor "name".
std::size_t read_entity_table(const std::vector<std::string>& header, TableRows& rows,
                              const InputOptions& input, Statements& statements, ProblemLog& log,
                              FileReport& counts);

// Whether such a table has ids of its own.
[[nodiscard]] bool has_id_column(const std::vector<std::string>& header);

}  // namespace kgwalk::graph
