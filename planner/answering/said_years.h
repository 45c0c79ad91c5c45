// Years that are asked for where the graph tells a relation year by year ("1952 population") and has another.
// Torch-free.
#pragma once

#include <optional>
#include <string>

#include "kgwalk/knowledge_graph.h"
#include "listening/candidates/said_parts.h"
#include "listening/network/listener.h"

namespace kgwalk {

// What is told instead of another year's value: "I have no pop of 1800: I know some of 1952 to 2007." Nothing
// where no year is said, the relations of the form are of no years, or there is one of the year that is said.
[[nodiscard]] std::optional<std::string> year_not_told(const graph::KnowledgeGraph& graph,
                                                       const listening::HeardForm& form,
                                                       const listening::HeardParts& parts);

}  // namespace kgwalk
