// Names that tell entities (or relations) of one name apart.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kgwalk::graph {

struct Named {
  std::string name;     // not empty; changed where another has the same
  std::string_view id;  // an IRI or the label of a blank node; empty: equal names are the same
};

// Where several ids have one name (its key, graph/names.h), each gets what differs behind it, in brackets: the
// last part of its id ("Titanic (Q44578)"), the part before it ("Titanic (film)"), or the whole id. A name without
// an id stays as it is. Takes time n log n whatever repeats.
void make_unique(std::span<Named> names);

}  // namespace kgwalk::graph
