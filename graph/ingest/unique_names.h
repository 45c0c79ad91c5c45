// Names that tell entities (or relations) of one name apart.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kgwalk::graph {

struct Named {
  std::string name;     // not empty; changed where another has the same
  std::string_view id;  // an IRI, the label of a blank node, an id; empty: equal names are the same
};

// What may tell an entity from others of its name.
struct Hints {
  std::string year, type;
  std::vector<std::pair<std::uint32_t, std::string>>
      neighbors;          // relation and name, in the order of the facts
  std::size_t facts = 0;  // of it
  bool is_class = false;  // something is of this type
};

// The hints of names at these places, in their order; asked once, for those of which there are several.
using HintsOf = std::function<std::vector<Hints>(std::span<const std::uint32_t>)>;

// The word for the vocabulary that an id belongs to; empty where there is none.
using VocabularyOf = std::function<std::string(std::string_view id)>;

// Where several ids have one name (its key, graph/names.h), each gets what differs behind it, in brackets.
// Classes get their vocabulary ("Person (foaf)"). Others get their year, else their type, else a neighbor
// ("Titanic (1997)", "Titanic (ship)"); type first; type and year; a neighbor by the same relation ("Titanic
// (James Cameron)"); the last part of the id ("Titanic (Q44578)"), its vocabulary, or the whole id: the first
// of these that tells all of them apart. A name without an id stays as it is. So does, where all have one,
// that of which there are kPrimary times as many facts as of any other: a genre "Drama" beside a song
// "drama". Takes time n log n whatever repeats. Gives the places of the names that were changed.
inline constexpr std::size_t kPrimary = 10;
std::vector<std::uint32_t> make_unique(std::span<Named> names, const HintsOf& hints_of = {},
                                       const VocabularyOf& vocabulary_of = {});

}  // namespace kgwalk::graph
