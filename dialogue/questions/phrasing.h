// How a question is put: names or pronouns filled in, turns before it, words exchanged, typing errors,
// capitals. Torch-free.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialogue/questions/generate.h"
#include "dialogue/questions/topics.h"

namespace kgwalk::dialogue {

// Borrows all that it is made of.
class Phrasing {
 public:
  Phrasing(const graph::KnowledgeGraph& graph, const Topics& topics, const GenerateConfig& config,
           Random& random);

  // Fills in start, turns and mention: `text` about `start`, whose name stands in it or in a turn before.
  void say(std::string text, graph::EntityId start, Kind kind, QuestionTurn& question,
           const std::string& claim = "");
  // Small talk before the turns, sometimes.
  void add_chat(QuestionTurn& question);
  // Capitals and the mark at the end, as people type them or not.
  [[nodiscard]] std::string finished(std::string text, const std::string& name);

 private:
  struct Pronouns;
  [[nodiscard]] Pronouns pronouns(graph::EntityId entity, Kind kind) const;
  static void refer(std::string& text, const Pronouns& words);
  void distract(graph::EntityId start, QuestionTurn& question);
  void reword(std::string& text);
  void mistype(std::string& text);

  const graph::KnowledgeGraph& graph_;
  const Topics& topics_;
  const GenerateConfig& config_;
  Random& random_;
  std::optional<graph::EntityId> male_, female_;  // where the graph has them
  std::vector<graph::RelationId> genders_;
  std::vector<std::vector<std::string>> same_;  // words that mean the same
};

}  // namespace kgwalk::dialogue
