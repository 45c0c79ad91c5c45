#include "listening/network/word_tables.h"

namespace kgwalk::listening {
namespace {

torch::Tensor with_none(const torch::Tensor& rows, std::int64_t width) {
  return torch::cat({torch::zeros({1, width}), rows}, 0);
}

}  // namespace

WordTables word_tables(const Lexicon& lexicon, const WordStates& states) {
  std::vector<std::vector<std::string>> relations, types;
  for (std::size_t i = 0; i < lexicon.num_entries(); ++i) relations.push_back(lexicon.entry(i).words);
  for (const TypeWords& type : lexicon.types()) types.push_back(type.words);
  return {with_none(states.means(relations), states.width()), with_none(states.means(types), states.width())};
}

}  // namespace kgwalk::listening
