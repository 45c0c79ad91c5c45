// Questions that the user asks on the way to a goal: which, and how a walker that listens answers them and
// goes on. Torch-free.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialogue/questions/generate.h"
#include "dialogue/questions/topics.h"
#include "kgwalk/distances.h"
#include "kgwalk/knowledge_graph.h"
#include "runtime/random.h"
#include "walker/example.h"
#include "walker/model.h"
#include "walker/search/answers.h"

namespace kgwalk::rl {

struct SideQuestion {
  std::vector<graph::Chat> said;  // the question last; before it perhaps a mention or small talk
  graph::EntityId about = 0;
  std::vector<graph::EntityId> right;  // all right answers, ascending
};

// Makes direct questions for one thing, in wordings that no training used, about where a walk stands or has
// been. Thread-safe when each thread has its own generator.
class SideQuestions {
 public:
  // The graph is borrowed. ConfigError when the bank has nothing to ask of it.
  explicit SideQuestions(const graph::KnowledgeGraph& graph);
  SideQuestions(const SideQuestions&) = delete;
  SideQuestions& operator=(const SideQuestions&) = delete;

  // Two in three about the entity stood on, the others about one of those met before; nullopt where the bank
  // has no question that the graph can answer about it.
  [[nodiscard]] std::optional<SideQuestion> ask(const walker::Example& situation, Random& random) const;

 private:
  [[nodiscard]] std::optional<SideQuestion> about(graph::EntityId entity, Random& random) const;

  const graph::KnowledgeGraph& graph_;
  dialogue::GenerateConfig config_;
  dialogue::Topics topics_;
};

// How a walker answered.
struct SideAnswer {
  bool heard = false;         // that something is asked; otherwise nothing below means anything
  graph::EntityId about = 0;  // answered from
  // The path to the answer, empty where there is none: yes or no, or nothing of the kind in the graph.
  std::vector<graph::Triple> path = {};
  [[nodiscard]] graph::EntityId end() const { return path.empty() ? about : path.back().tail; }
};

// Answers to what was said last in each situation, starting where the walker finds that it is spoken of.
// ConfigError when the model does not listen.
[[nodiscard]] std::vector<SideAnswer> answer_side_questions(const walker::WalkModel& model,
                                                            std::vector<walker::Example> situations,
                                                            int max_hops);

// The entity nearest to the goal; of equally near ones the first. From where a walk heads for its goal again
// after a question.
[[nodiscard]] graph::EntityId nearest_to(graph::EntityId goal, std::span<const graph::EntityId> entities,
                                         const graph::ExactDistances& distances);

}  // namespace kgwalk::rl
