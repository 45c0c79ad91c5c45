// Which of several entities of one name is meant: what was said beside the name and what the dialogue is
// about speak for those that have it among their neighbors, their neighbors' neighbors, or in the brackets
// behind their names.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dialogue/linking/name_index.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::dialogue {

// What the dialogue has been about.
struct LinkContext {
  std::optional<graph::EntityId> near = {};    // that the walk stands on
  std::vector<std::string_view> earlier = {};  // what was said before, oldest first
  std::vector<graph::EntityId> walked = {};    // entities that were walked through lately
};

// A name that more entities than this have is settled by its neighborhood alone.
inline constexpr std::size_t kManyNamesakes = 1000;

// Gathered once for a text; borrows graph, index and texts. Const functions are thread-safe.
class Clues {
 public:
  Clues(const graph::KnowledgeGraph& graph, const NameIndex& names, std::string_view text,
        const LinkContext& context);

  // How much speaks for each of these, [entities]: 0 = nothing.
  [[nodiscard]] std::vector<double> weigh(std::span<const graph::EntityId> entities) const;

 private:
  void hear(std::string_view text, double weight);
  void add(graph::EntityId entity, double weight);
  [[nodiscard]] double weigh(graph::EntityId entity,
                             const std::vector<std::pair<graph::EntityId, double>>& clues) const;
  [[nodiscard]] double said_in_brackets(graph::EntityId entity) const;
  [[nodiscard]] double telling(graph::EntityId entity) const;

  const graph::KnowledgeGraph& graph_;
  const NameIndex& names_;
  std::unordered_map<graph::EntityId, double> named_;   // how strongly: said or walked
  std::unordered_map<graph::EntityId, double> walked_;  // of these, those that the walk was at
  std::unordered_map<std::string, double> words_;       // said
};

// Whether the first of two weights is clearly more.
[[nodiscard]] constexpr bool is_clear(double best, double second) { return best > 0 && best >= 1.5 * second; }

}  // namespace kgwalk::dialogue
