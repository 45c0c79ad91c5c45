// What is learned from and compared with: messages with what was said for them, from dialogues in which
// people walked paths and from generated questions with their right answers. Torch-free.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dialogue/questions/question.h"
#include "dialogue/response/message.h"
#include "dialogue/response/templates.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::dialogue {

struct ResponseExample {
  Message message;
  std::string text;  // what was said
};

// Every path with the next message of the speaker who walked it. Whoever walked it counts as the assistant:
// the other's words are the user's. Of every second one the last entity of its dialogue is the goal.
[[nodiscard]] std::vector<ResponseExample> spoken_paths(std::span<const graph::Dialogue> dialogues,
                                                        const graph::KnowledgeGraph& graph);

// The right answers to questions, said by wordings drawn from the seed. Turns that ask for nothing are left
// out, and so are answers that the graph does not lead to by the question's relations.
[[nodiscard]] std::vector<ResponseExample> spoken_answers(std::span<const QuestionTurn> questions,
                                                          const graph::KnowledgeGraph& graph,
                                                          const TemplateSpeaker& speaker, std::uint64_t seed);

// The paths of `examples`, each `times` said by wordings drawn from the seed, half of them with nothing said
// before. Facts without a name are left out.
[[nodiscard]] std::vector<ResponseExample> worded_paths(std::span<const ResponseExample> examples, int times,
                                                        const TemplateSpeaker& speaker, std::uint64_t seed);

}  // namespace kgwalk::dialogue
