// Objects of JSON as things: JSON Lines, one object a line, or one array of objects.
#pragma once

#include "graph/ingest/input_text.h"

namespace kgwalk::graph {

// As a table of entities has it (entity_table.h), keys standing for columns: "id" or "@id" says what an
// object is known by, an object without is known by its "name", "label" or "title", and one without those is
// a thing of its own. "type", "types" or "@type" give types; every other key is a property. Strings, numbers
// and truth values are literals with their types, an object within is a thing that the property leads to, a
// list gives a statement for each of its values, null and empty strings give nothing. What was taken as id
// and name is noted. A value that is no object, or cannot be read, is logged and costs no other.
//
// Where InputOptions::format leaves it open, text that shows to be JSON-LD or a dump of Wikidata is read so.
void read_json(const InputText& text, StatementSink& sink);

}  // namespace kgwalk::graph
