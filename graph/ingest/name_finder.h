// Which properties name things, where no vocabulary says so: those whose last part is name, label or title
// and that give nearly every subject of a class one short text, nearly all of them different.
#pragma once

#include <cstddef>
#include <string_view>

#include "graph/ingest/gathered.h"

namespace kgwalk::graph {

// Makes labels of the texts that may be names (KeptText::Role::kPerhapsName) where the property is found to
// name the class of its subject; the others stay what they are. A class that is named already gets further
// names from those only that many subjects have. Labels that are found rank behind `num_ranks` others.
void find_names(Gathered& gathered, std::size_t num_ranks);

// Whoever has no label but a given name and a family name, each one text, is called by both: schema.org's,
// FOAF's, vCard's, or whatever is called "first name" and "last name". Who has one of them alone is called by
// it where the address says the same in small letters or nothing. Ranks as above.
void name_people(Gathered& gathered, std::size_t num_ranks);

// Whether a property tells a part of people's names, by which they are called too.
[[nodiscard]] bool is_part_of_name(std::string_view property);

}  // namespace kgwalk::graph
