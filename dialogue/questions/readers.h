// Questions that others have collected, as question turns. Torch-free.
#pragma once

#include <filesystem>
#include <vector>

#include "dialogue/questions/bank.h"
#include "dialogue/questions/question.h"

namespace kgwalk::dialogue {

// SimpleQuestions (Bordes et al., 2015): a relation domain/type/property TAB a question, one a line. They
// have no start and no answers. DataError with the line of the first that is malformed.
[[nodiscard]] std::vector<QuestionTurn> read_simplequestions(const std::filesystem::path& path);

// Takes out the questions for relations that a held-back family of the bank stands for: one whose last part
// has a word in common with the family's relations or with what they are called elsewhere (words of one stem
// of five letters are one). Gives their number.
std::size_t leave_out(std::vector<QuestionTurn>& questions, const Bank& bank,
                      const std::vector<std::string>& families);

// MetaQA (Zhang et al., AAAI 2018): a question with its start in brackets TAB answers joined by | TAB its
// type, which names the kinds of entity on the way. `path_labels` keeps the relations that the type tells;
// otherwise only the answers are known. DataError as above, for types that are not MetaQA's too.
[[nodiscard]] std::vector<QuestionTurn> read_metaqa(const std::filesystem::path& path, int hops,
                                                    bool path_labels);

}  // namespace kgwalk::dialogue
