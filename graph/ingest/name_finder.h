// Which properties name things, where no vocabulary says so: those whose last part is name, label or title
// and that give nearly every subject of a class one short text, nearly all of them different.
#pragma once

#include <cstddef>

#include "graph/ingest/gathered.h"

namespace kgwalk::graph {

// Makes labels of the texts that may be names (KeptText::Role::kPerhapsName) where the property is found to
// name the class of its subject; the others stay what they are. A class that is named already gets further
// names from those only that many subjects have. Labels that are found rank behind `num_ranks` others.
void find_names(Gathered& gathered, std::size_t num_ranks);

// Whoever has no label but a given name and a family name, each one text, is called by both: schema.org's,
// FOAF's, vCard's, or whatever is called "first name" and "last name". Ranks as above.
void name_people(Gathered& gathered, std::size_t num_ranks);

}  // namespace kgwalk::graph
