// Questions as walker examples: names resolved, turns as chats. Torch-free.
#pragma once

#include <string>
#include <vector>

#include "dialogue/questions/question.h"
#include "kgwalk/knowledge_graph.h"
#include "walker/example.h"
#include "walker/question.h"

namespace kgwalk::walker {

[[nodiscard]] Act act_of(dialogue::Asks asks);
// Two speakers by turns; the user says the last one.
[[nodiscard]] std::vector<graph::Chat> chats_of(const std::vector<std::string>& turns);
// ConfigError with the nearest names where the graph has none of this name.
[[nodiscard]] graph::RelationId relation_named(const graph::KnowledgeGraph& graph, const std::string& name);
// The example without a gold path; its start is entity 0 where the question names none. ConfigError as above.
[[nodiscard]] Example example_of(const dialogue::QuestionTurn& question, const graph::KnowledgeGraph& graph);

}  // namespace kgwalk::walker
