// Objects of JSON as things: JSON Lines, one object a line, or one array of objects.
#pragma once

#include <optional>
#include <string_view>

#include "graph/ingest/formats/json_tree.h"
#include "graph/ingest/input_text.h"
#include "graph/ingest/tables/table_source.h"

namespace kgwalk::graph {

// As a table of entities has it (entity_table.h), keys standing for columns: "id" or "@id" says what an
// object is known by, an object without is known by its "name", "label" or "title", and one without those is
// a thing of its own. "type", "types" or "@type" give types; every other key is a property. Strings, numbers
// and truth values are literals with their types, an object within is a thing that the property leads to, a
// list gives a statement for each of its values, null and empty strings give nothing. A number is an id among
// what lies under one key: a user within a post is no post, unless the list has its id with its name. What
// was taken as id and name is noted. A value that is no object, or cannot be read, is logged and costs no
// other.
//
// Where InputOptions::format leaves it open, text that shows to be JSON-LD or a dump of Wikidata is read so.
// Keys are read as InputText::objects plans them.
void read_json(const InputText& text, StatementSink& sink);

// Whether read_json() takes a text for plain objects: neither JSON-LD nor a dump of Wikidata.
[[nodiscard]] bool has_plain_objects(std::string_view bytes, const InputOptions& options);

// What an object is known as; nullopt for one without id and name, and for one whose id is a blank node's.
[[nodiscard]] std::optional<RowThing> thing_of_object(const JsonNode& object);

}  // namespace kgwalk::graph
