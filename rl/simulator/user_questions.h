// What a user asks of an entity: questions of the bank that the graph answers, what its own questions ask
// for, and which of them make sense of which entity. Torch-free.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialogue/questions/asked.h"
#include "dialogue/questions/topics.h"
#include "kgwalk/dialogue.h"
#include "kgwalk/knowledge_graph.h"
#include "runtime/random.h"

namespace kgwalk::rl {

// Whether the user has said just this before.
[[nodiscard]] bool was_said(std::string_view text, std::span<const graph::Chat> said);

// Thread-safe when each thread has its own generator.
class UserQuestions {
 public:
  // Borrows the graph. ConfigError when the bank has nothing to ask of it.
  explicit UserQuestions(const graph::KnowledgeGraph& graph);
  UserQuestions(const UserQuestions&) = delete;
  UserQuestions& operator=(const UserQuestions&) = delete;

  // A question for one thing that the graph says of the entity and that the user has not asked; nullopt
  // where there is none, or the entity's name is longer than people would type.
  [[nodiscard]] std::optional<std::string> ask(graph::EntityId about, std::span<const graph::Chat> said,
                                               Random& random) const;
  // What a text asks for; nullptr for nothing that the bank has words for.
  [[nodiscard]] const dialogue::Topic* asked(std::string_view text) const { return reader_.read(text); }
  // All right answers, ascending.
  [[nodiscard]] std::vector<graph::EntityId> answers(graph::EntityId about,
                                                     const dialogue::Topic& topic) const {
    return topics_.tails(about, topic.relations);
  }
  // Whether one can ask this of the entity: the graph says it, or does of half of the entities that are like
  // it. Entities are like it that share one of its topics; the mean over these counts.
  [[nodiscard]] bool fits(graph::EntityId about, const dialogue::Topic& topic) const;
  // A section of phrases of the bank.
  [[nodiscard]] const std::vector<std::string>& phrases(const std::string& section) const {
    return topics_.phrases(section);
  }

 private:
  [[nodiscard]] bool was_asked(const dialogue::Topic& topic, const std::string& name,
                               std::span<const graph::Chat> said) const;
  [[nodiscard]] std::vector<const dialogue::Topic*> open_topics(graph::EntityId about,
                                                                const std::string& name,
                                                                std::span<const graph::Chat> said) const;
  [[nodiscard]] std::size_t place_of(const dialogue::Topic& topic) const {
    return static_cast<std::size_t>(&topic - topics_.all().data());
  }

  const graph::KnowledgeGraph& graph_;
  dialogue::GenerateConfig config_;
  dialogue::Topics topics_;
  dialogue::QuestionReader reader_;
  bool knows_words_ = false;  // the bank has words for relations of this graph; others are not asked for
  std::vector<std::uint32_t> together_;  // [topics, topics]: entities that have both
};

}  // namespace kgwalk::rl
