// Where a walk may start: entities that were named in the last utterances or walked lately, and what speaks
// for each. Torch-free.
#pragma once

#include <array>
#include <functional>
#include <string_view>
#include <vector>

#include "dialogue/linking/entity_linker.h"
#include "walker/example.h"

namespace kgwalk::walker {

// What is known of a candidate without hearing what is asked for: in which of the last four utterances it was
// named and where there and how it was written, how many words it has and whether it is a name at all, its
// place on the last paths, how many edges it has, and whether a pronoun may stand for it.
inline constexpr int kStaticStartFeatures = 24;
// Beside them, where something is asked, how well it fits the candidate: the share of its relations, the
// likeliest of them and whether that is the likeliest of all, with and without how usual relations are at its
// like; how unclear that is; whether something is asked at all, and whether for a yes or no; whether it was
// named in the question; whether the last path ended there.
inline constexpr int kHeardStartFeatures = 11;
inline constexpr int kNumStartFeatures = kStaticStartFeatures + kHeardStartFeatures;

struct StartCandidate {
  graph::EntityId entity = 0;
  std::array<float, kNumStartFeatures> features{};  // those heard come last and are filled in by the walker
};

// What an utterance may name in which the linker finds nothing: names that are everyday words too.
using EverydayNames = std::function<std::vector<graph::EntityId>(std::string_view)>;

// Whether a text has a word that refers back to what was spoken of ("it", "she", "that").
[[nodiscard]] bool has_pronoun(std::string_view text);

// In order of their first finding, the newest utterance first; none when nothing was named and nothing
// walked. The example's own start is not looked at. `everyday` is asked of the last utterance alone and may
// be empty.
[[nodiscard]] std::vector<StartCandidate> find_starts(const Example& example,
                                                      const graph::KnowledgeGraph& graph,
                                                      const dialogue::EntityLinker& linker,
                                                      const EverydayNames& everyday = {});

}  // namespace kgwalk::walker
