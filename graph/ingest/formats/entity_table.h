// Entities as rows of a table: ids, names, types, other names, descriptions, and whatever else its columns
// say of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/ingest/input_text.h"

namespace kgwalk::graph {

// Whether a first line is the header of such a table: it has two columns or more, one of them "id" or "name".
[[nodiscard]] bool is_entity_header(std::string_view line);

// An id of a source as a term: an IRI, the label of a blank node, or an id of its own.
[[nodiscard]] Term term_of_id(std::string_view id);

// Reads such a table. "id" (absent: entities are known by their names), "name" or "label"; "type" or "types",
// each a fact with the relation `type`; "aliases" or "alias" and "description" as InputOptions names them;
// every other column is a literal of the entity, read as InputOptions::literals says. Types and aliases are
// cut at ';'. Sets the counts' names to the number of rows taken; tells whether the table has ids of its own.
// DataError when the header has neither "id" nor "name".
bool read_entity_table(const InputText& text, bool quoted, StatementSink& sink);

}  // namespace kgwalk::graph
