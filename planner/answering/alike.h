// What is like a thing: others of its kind that share the most with it. Torch-free.
#pragma once

#include <optional>
#include <vector>

#include "listening/candidates/lexicon.h"

namespace kgwalk {

struct AlikeThing {
  graph::EntityId entity = 0;
  double shared = 0;                 // sum over what both lead to: the log of one in how many things does
  std::vector<graph::Triple> facts;  // of `entity`, that the other one has too; the rarest first
};

// Facts of `a` that hold of `b` too, whatever they lead to; the rarest first.
[[nodiscard]] std::vector<graph::Triple> shared_facts(const listening::Lexicon& lexicon, graph::EntityId a,
                                                      graph::EntityId b);

// The most alike first, at most `most`. A step that leads to thousands of things tells nothing and is left
// out, as are values and types; of a hub the first few hundred thousand steps count. What is of the type at
// `type` of Lexicon::types(), where one is given; else of one that `of` is of too, or, without types,
// whatever is not known to be of another kind.
[[nodiscard]] std::vector<AlikeThing> alike_things(const listening::Lexicon& lexicon, graph::EntityId of,
                                                   std::optional<std::uint32_t> type, std::size_t most);

}  // namespace kgwalk
