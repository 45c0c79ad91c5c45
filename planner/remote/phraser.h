// A voice that has a language model put our sentence into other words, and says them when they are faithful.
// Torch-free.
#pragma once

#include <memory>
#include <string>

#include "dialogue/response/faith_check.h"
#include "dialogue/response/voice.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/phrasing.h"
#include "planner/remote/model_client.h"

namespace kgwalk {

class Phraser : public dialogue::Voice {
 public:
  // `ours` speaks where the model's sentence cannot be said. ConfigError as ModelClient.
  Phraser(const PhrasingOptions& options, std::unique_ptr<const dialogue::Voice> ours,
          std::shared_ptr<const graph::KnowledgeGraph> graph, dialogue::OrdinaryNames ordinary);

  // Never fails for the model's sake.
  [[nodiscard]] std::string say(const dialogue::Message& message) const override;
  [[nodiscard]] std::string put(const dialogue::Message& message, std::string draft) const override;

 private:
  ModelClient client_;
  std::unique_ptr<const dialogue::Voice> ours_;
  std::shared_ptr<const graph::KnowledgeGraph> graph_;
  dialogue::FaithChecker checker_;
  std::shared_ptr<PhrasingTally> tally_;
};

}  // namespace kgwalk
