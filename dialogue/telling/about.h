// What is worth telling of an entity that nothing particular was asked about. Torch-free.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dialogue/response/wordings.h"
#include "kgwalk/typed_values.h"

namespace kgwalk::dialogue {

// At most `most` facts of the entity: texts that describe it, what it is, then one of each relation, those
// first that it shares with the fewest others. Facts that the graph marks as housekeeping
// (GraphDetails::is_housekeeping) are left out. Ties are broken by relation and entity.
[[nodiscard]] std::vector<graph::Triple> worth_telling(const graph::KnowledgeGraph& graph,
                                                       graph::EntityId entity, std::size_t most);

// These in two or three sentences, behind the description, where one is given (texts that ingestion keeps
// beside the graph: kgwalk/values.h); of a relation with several ends, how many more there are. Says so where
// there is nothing to tell.
[[nodiscard]] std::string tell_about(const graph::TypedValues& values, graph::EntityId entity,
                                     const Wordings& wordings = builtin_wordings(), std::size_t most = 5,
                                     std::string_view description = {});

}  // namespace kgwalk::dialogue
