// Walker examples from dialogues.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialogue/linking/entity_linker.h"
#include "dialogue/turn_example.h"
#include "kgwalk/store.h"
#include "walker/example.h"

namespace kgwalk::walker {

// Examples of `dialogues`, in order. Numbers of dialogues start at `first_dialogue`. Every path
// becomes an example.
[[nodiscard]] std::vector<Example> examples_of(std::span<const graph::Dialogue> dialogues,
                                               const graph::KnowledgeGraph& graph, std::string_view split,
                                               std::uint32_t first_dialogue = 0);

// Examples of several splits, dialogues numbered through as Resources::training holds them.
[[nodiscard]] std::vector<Example> load_examples(const graph::Store& store,
                                                 const graph::KnowledgeGraph& graph,
                                                 std::span<const std::string> splits);

// Possible starts of an example when the gold one is not given: for later paths the distinct tails of the
// path before; for the first path of a dialogue the entities named in the last utterances, newest first, all
// that share a name.
[[nodiscard]] std::vector<graph::EntityId> candidate_starts(const Example& example,
                                                            const dialogue::EntityLinker& linker);

}  // namespace kgwalk::walker
