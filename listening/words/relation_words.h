// A relation's name as the words it is made of. Torch-free.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kgwalk::listening {

// Folded words, without what stands in brackets, which tells relations of one name apart ("author
// (ontology)") and which nobody says. Names of columns in one word are cut into words that people know:
// "hire", "date" of "hiredate", "reports", "to" of "reportsto".
[[nodiscard]] std::vector<std::string> relation_words(std::string_view relation);

// The same with the words that were cut, as they stand in the name: somebody may say them so ("landlocked").
struct RelationLabel {
  std::vector<std::string> words, uncut;
};
[[nodiscard]] RelationLabel relation_label(std::string_view relation);

}  // namespace kgwalk::listening
