// Names that are said and that the graph does not have. Torch-free.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dialogue/linking/entity_linker.h"
#include "kgwalk/knowledge_graph.h"
#include "listening/candidates/candidates.h"

namespace kgwalk {

struct SaidName {
  std::string text;                           // as typed
  std::vector<graph::EntityId> nearest = {};  // of the graph, best first
  bool part = false;                          // that somebody played: "who played Kevin in it"
};

// Over which words whole names and values stand.
[[nodiscard]] std::vector<bool> words_of_names(const listening::HeardParts& parts);

// What is surely named, in the order of the words.
[[nodiscard]] std::vector<graph::EntityId> entities_named(const listening::HeardParts& parts);

// "Manchester United", where the graph has the city, and a film United that the form is `about`: words
// written as one name of which a part alone is meant, and nothing joins it with the part beside it.
[[nodiscard]] std::optional<SaidName> cut_name(const listening::HeardParts& parts,
                                               std::span<const graph::EntityId> about,
                                               const dialogue::EntityLinker& linker,
                                               const listening::Lexicon& lexicon);

// The one thing near to the name whose own name has all of its words, two and more: FC Bayern Munich of
// "Bayern Munich".
[[nodiscard]] std::optional<graph::EntityId> only_holder(const SaidName& name,
                                                         const graph::KnowledgeGraph& graph);

// The first run of words that is written as a name (capitals inside a sentence that is not all in capitals),
// that no mention covers and no relation is called by ("IMDB", of "IMDB rating"), with what belongs to it; or
// a known name with a title behind its colon. Nothing where there is none.
[[nodiscard]] std::optional<SaidName> unknown_name(const listening::HeardParts& parts,
                                                   const dialogue::EntityLinker& linker,
                                                   const listening::Lexicon& lexicon);

// Of a text that names nothing: the first run of rare words by which nothing is asked for either, which may
// be a name in lower case.
[[nodiscard]] std::optional<SaidName> unknown_words(const listening::HeardParts& parts,
                                                    const dialogue::EntityLinker& linker,
                                                    const listening::Lexicon& lexicon);

}  // namespace kgwalk
