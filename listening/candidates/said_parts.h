// What of a text candidates are made of: mentions, types and values, each with its words. Torch-free.
#pragma once

#include <span>
#include <vector>

#include "dialogue/linking/mention_finder.h"
#include "listening/candidates/candidates.h"

namespace kgwalk::listening {

struct MentionLimits {
  std::size_t all = 10;
  std::size_t at_one_place = 4;
};

// "Who played Kevin in it", "in the role of Kevin": whether a name that begins there is a part in a work.
[[nodiscard]] bool stands_for_part(const SaidText& said, std::size_t first);

// Those worth asking about, the surest first: of one entity the best place, none inside a longer name that
// was written as one.
[[nodiscard]] std::vector<HeardMention> heard_mentions(const graph::KnowledgeGraph& graph,
                                                       const SaidText& said,
                                                       std::span<const dialogue::Mention> found,
                                                       const MentionLimits& limits = {});

// All parts of a text. Of `before` what may be meant without being named, behind what is.
[[nodiscard]] HeardParts heard_parts(const Lexicon& lexicon, const dialogue::MentionFinder& finder,
                                     std::string_view text, const SaidBefore& before = {});

// Whether the word at this place says what the mention is, and asks nothing: "the novel" of what was spoken
// of, "the book Emma", "the Emma film".
[[nodiscard]] bool calls_it(const Lexicon& lexicon, const SaidText& said, std::size_t word,
                            const HeardMention& it);

}  // namespace kgwalk::listening
