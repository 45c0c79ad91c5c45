// Questions after a path was walked and said: "I like Inception. / The director of Inception is Christopher
// Nolan. / When was it made?" In a conversation most come so, and what was walked is rarely what is asked
// about. Torch-free.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "dialogue/questions/generate.h"
#include "dialogue/questions/topics.h"

namespace kgwalk::dialogue {

// Borrows all but the seed. Draws from numbers of its own: questions without a walk do not depend on it.
class Walks {
 public:
  Walks(const graph::KnowledgeGraph& graph, const Topics& topics, const GenerateConfig& config,
        std::uint64_t seed);

  // Puts a walk of one hop before the question, sometimes: from or to what a pronoun stands for, and of
  // anything at all where the question names its entity. Nothing is changed where the bank cannot say it.
  void put_before(QuestionTurn& question);

 private:
  struct Fact {
    const Topic* topic;
    graph::EntityId from, to;
  };
  [[nodiscard]] std::optional<Fact> any_fact();
  [[nodiscard]] std::optional<Fact> fact_at(graph::EntityId entity);
  [[nodiscard]] std::string said(const Fact& fact);

  const graph::KnowledgeGraph& graph_;
  const Topics& topics_;
  const GenerateConfig& config_;
  Random random_;
};

}  // namespace kgwalk::dialogue
