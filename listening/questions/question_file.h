// Questions that people wrote, with their right answers by name, as JSON Lines. Torch-free.
//
//   {"question": "Who directed Heat?", "kind": "one hop", "answers": ["Michael Mann"]}
//   {"question": "How many films did he direct?", "kind": "count", "count": 12}
//   {"question": ..., "yes": true}
//
// Beside a count the answers may stand that are counted. kind may be left out; other keys are passed over.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "kgwalk/knowledge_graph.h"
#include "listening/candidates/question.h"

namespace kgwalk::listening {

struct QuestionFile {
  std::vector<FormQuestion> questions;
  std::size_t left_out = 0;  // those with an answer that the graph does not have
};
// DataError with the line where one is no question. `without_named`: as in FormQuestion.
[[nodiscard]] QuestionFile read_form_questions(const std::filesystem::path& file,
                                               const graph::KnowledgeGraph& graph, bool without_named);
// In the same format, whole after a kill. What was said before is not kept.
void write_form_questions(const std::filesystem::path& file, const graph::KnowledgeGraph& graph,
                          std::span<const FormQuestion> questions);

}  // namespace kgwalk::listening
