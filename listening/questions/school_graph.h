// The graph that a listener goes to school with: made up, with a relation for each family of relation names
// and each measure (data/words). A graph at hand has few relations, so a listener that was taught by it alone
// knows few words, and takes whatever else is said for something that the graph does not have. Torch-free.
#pragma once

#include <cstdint>

#include "kgwalk/knowledge_graph.h"

namespace kgwalk::listening {

// Some 1,700 relations, each under one of its names, 7,000 things with types, 90,000 facts. The same for the
// same seed.
[[nodiscard]] graph::KnowledgeGraph school_graph(std::uint64_t seed);

}  // namespace kgwalk::listening
