// Names of entities that are ordinary words of the language as well: "It", "Yes", "One", "Film". In a
// sentence they name nothing, so that checks and constraints pass over them. Generated from how the training
// dialogues write them. Torch-free.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "kgwalk/dialogue.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::dialogue {

// A name is ordinary when inside sentences the dialogues write it small three times or more and often enough:
// half of the time, one of a single word a fifth of the time (people who tell of titles write them large). Or
// when it only ever begins sentences and is on no path of the dialogue, or when it is a number of one or two
// digits.
class OrdinaryNames {
 public:
  OrdinaryNames() = default;
  // Counts over all messages.
  OrdinaryNames(const graph::KnowledgeGraph& graph, std::span<const graph::Dialogue> dialogues);

  // `words`: of the plain name, joined by single spaces (words_of() and plain_name() in
  // linking/name_index.h).
  [[nodiscard]] bool contains(std::string_view words) const;
  // In alphabetical order.
  [[nodiscard]] std::vector<std::string> list() const;
  [[nodiscard]] std::size_t size() const { return words_.size(); }

 private:
  std::unordered_set<std::string> words_;
};

}  // namespace kgwalk::dialogue
