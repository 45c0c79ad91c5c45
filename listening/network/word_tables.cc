#include "listening/network/word_tables.h"

#include <iterator>

#include "runtime/tensor/device.h"
#include "runtime/tensor/int64_tensor.h"

namespace kgwalk::listening {
namespace {

using torch::Tensor;

// Row 0 is none.
Tensor encoded(const WordStates& states, const std::vector<Words>& words) {
  const Tensor rows = states.means(std::span<const Words>(words).subspan(1));
  return torch::cat({torch::zeros({1, states.width()}), rows}, 0);
}

Tensor some_rows(const Tensor& table, const Tensor& rows, torch::Device device) {
  const Tensor here = table.to(device);
  return rows.defined() ? here.index_select(0, rows) : here;
}

Tensor own_rows(HashedWords& words, const std::vector<Words>& all, const Tensor& rows) {
  std::vector<const Words*> some;
  if (rows.defined())
    for (const std::int64_t row : int64_values(rows)) some.push_back(&all[static_cast<std::size_t>(row)]);
  else
    for (const Words& each : all) some.push_back(&each);
  return words->means(some);
}

}  // namespace

WordTables word_tables(const Lexicon& lexicon, const WordStates* states) {
  WordTables tables{.relation_words = {Words{}}, .type_words = {Words{}}};
  for (std::size_t i = 0; i < lexicon.num_entries(); ++i)
    tables.relation_words.push_back(lexicon.entry(i).words);
  for (const TypeWords& type : lexicon.types()) tables.type_words.push_back(type.words);
  if (states == nullptr) return tables;
  tables.relations = encoded(*states, tables.relation_words);
  tables.types = encoded(*states, tables.type_words);
  return tables;
}

void append(WordTables& tables, WordTables more) {
  if (tables.relation_words.empty()) {
    tables = std::move(more);
    return;
  }
  const auto add = [](std::vector<Words>& words, std::vector<Words>& others) {
    words.insert(words.end(), std::make_move_iterator(others.begin() + 1),
                 std::make_move_iterator(others.end()));
  };
  add(tables.relation_words, more.relation_words);
  add(tables.type_words, more.type_words);
  if (!more.relations.defined()) return;
  tables.relations = torch::cat({tables.relations, more.relations.slice(0, 1)}, 0);
  tables.types = torch::cat({tables.types, more.types.slice(0, 1)}, 0);
}

void shift_rows(FormInput& input, const WordTables& tables) {
  const auto shift = [](std::vector<std::int64_t>& rows, const std::vector<Words>& before) {
    for (std::int64_t& row : rows)
      if (row > 0) row += static_cast<std::int64_t>(before.size()) - 1;
  };
  shift(input.slot_relations, tables.relation_words);
  shift(input.type_rows, tables.type_words);
}

FormKeys form_keys(FormScorer& scorer, const WordTables& tables, const Tensor& relation_rows,
                   const Tensor& type_rows) {
  if (scorer->words)
    return scorer->keys(own_rows(scorer->words, tables.relation_words, relation_rows),
                        own_rows(scorer->words, tables.type_words, type_rows));
  const torch::Device device = device_of(*scorer);
  return scorer->keys(some_rows(tables.relations, relation_rows, device),
                      some_rows(tables.types, type_rows, device));
}

}  // namespace kgwalk::listening
