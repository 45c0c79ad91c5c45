// A user who speaks by the wordings of the question bank: what a user is without a trained simulator, and
// what a simulator falls back on. Needs no training and no dialogues. Torch-free.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kgwalk/knowledge_graph.h"
#include "rl/environment/user_voice.h"
#include "rl/simulator/user_questions.h"

namespace kgwalk::rl {

// Where the run of a simulator is asked for, this word asks for a worded user.
inline constexpr const char* kWordings = "wordings";

class WordedUser : public UserVoice {
 public:
  // `ask`: share of turns in which it asks a question. ConfigError when the bank has nothing to ask of the
  // graph.
  explicit WordedUser(std::shared_ptr<const graph::KnowledgeGraph> graph, double ask = 0.4);

  // Takes one number of `random` a situation.
  [[nodiscard]] std::vector<std::string> speak(std::span<const walker::Example* const> situations,
                                               Random& random) const override;
  [[nodiscard]] std::string checksum() const override;

  // A remark about the entity, and before it one on what the assistant said last.
  [[nodiscard]] std::string chat(const walker::Example& situation, Random& random) const;
  [[nodiscard]] const UserQuestions& questions() const { return questions_; }

 private:
  [[nodiscard]] std::string remark(graph::EntityId about, const walker::Example& situation,
                                   Random& random) const;

  std::shared_ptr<const graph::KnowledgeGraph> graph_;
  double ask_;
  UserQuestions questions_;
};

}  // namespace kgwalk::rl
