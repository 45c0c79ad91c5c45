// What a relation leads to, by example: its most frequent tails, by name. A relation whose own words say
// little ("is-a") is understood by them ("Actor, Author, Politician"). Torch-free.
#pragma once

#include <string>
#include <vector>

#include "kgwalk/knowledge_graph.h"

namespace kgwalk::walker {

// For each relation the names of at most `count` tails, joined by ", "; empty for a relation without edges.
// Counted over at most kMostSampled entities, evenly spread.
[[nodiscard]] std::vector<std::string> relation_examples(const graph::KnowledgeGraph& graph,
                                                         std::size_t count);

inline constexpr std::size_t kMostSampled = 200'000;

}  // namespace kgwalk::walker
