// What never changes about an entity as a candidate: its name, its place in the graph, its training counts.
// One cache line an entity, so that a candidate of a hub costs one access to memory and not ten.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dialogue/linking/name_index.h"
#include "kgwalk/knowledge_graph.h"
#include "walker/data/statistics.h"

namespace kgwalk::walker {

struct alignas(64) EntityFacts {
  enum Mark : std::uint8_t {
    kTarget = 1,       // ends a training path
    kMiddle = 2,       // lies inside one
    kStart = 4,        // starts one
    kNamed = 8,        // is named in a training message
    kNumber = 16,      // the name is a number
    kBracket = 32,     // has "(...)"
    kNumberSign = 64,  // ends in "#n"
    kNonLatin = 128
  };
  const dialogue::WordId* words = nullptr;  // of the name, borrowed from the dialogue::NameIndex
  std::uint32_t num_words = 0;
  std::uint32_t relations = 0;  // bit i: the i-th commonest relation leaves the entity
  float log_targets = 0, log_middles = 0, log_starts = 0,
        log_messages = 0;  // log(1 + count), no group left out
  float target_share = 0;  // log odds of target against the rest
  float degree = 0;        // log(1 + out-edges)
  float name_rarity = 0, same_names = 0, name_words = 0;
  float year = 0, release_year = 0;  // of the name, of when it came out; scaled; 0 = none
  std::uint8_t marks = 0;

  [[nodiscard]] bool has(Mark mark) const noexcept { return (marks & mark) != 0; }
};
static_assert(sizeof(EntityFacts) == 64);

// log(1 + count).
[[nodiscard]] float log_count(int count) noexcept;
// log of the odds, smoothed, that an entity walked through is walked to.
[[nodiscard]] float target_share(int targets, int starts, int middles) noexcept;

// One an entity of the graph; `names` must outlive the result. EntityFacts::relations is left 0.
[[nodiscard]] std::vector<EntityFacts> entity_facts(const graph::KnowledgeGraph& graph,
                                                    const dialogue::NameIndex& names,
                                                    const Statistics& statistics);

}  // namespace kgwalk::walker
