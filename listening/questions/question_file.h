// Questions that people wrote, with their right answers by name, as JSON Lines. Torch-free.
//
//   {"question": "Who directed Heat?", "kind": "one hop", "answers": ["Michael Mann"]}
//   {"question": "How many films did he direct?", "kind": "count", "count": 12}     {"question": ..., "yes": true}
//
// kind may be left out; other keys are passed over.
#pragma once

#include <filesystem>
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

}  // namespace kgwalk::listening
