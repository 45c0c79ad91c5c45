#include "listening/network/word_tables.h"

#include <iterator>

#include "runtime/tensor/int64_tensor.h"

namespace kgwalk::listening {
namespace {

using torch::Tensor;

void encode(WordTable& table, const WordStates* states) {
  if (states == nullptr) {
    table.encoded.resize(table.words.size());
    return;
  }
  for (Tensor& row : states->of(std::span<const Words>(table.words).subspan(1)))
    table.encoded.push_back(std::move(row));
}

Tensor means_of(HashedWords& words, const WordTable& table, const Tensor& rows) {
  std::vector<WordsOfText> texts;
  const auto add = [&](std::size_t row) { texts.push_back({&table.words[row], table.encoded[row]}); };
  if (rows.defined())
    for (const std::int64_t row : int64_values(rows)) add(static_cast<std::size_t>(row));
  else
    for (std::size_t row = 0; row < table.words.size(); ++row) add(row);
  return words->means(texts);
}

}  // namespace

WordTables word_tables(const Lexicon& lexicon, const WordStates* states) {
  WordTables tables;
  for (std::size_t i = 0; i < lexicon.num_entries(); ++i)
    tables.relations.words.push_back(lexicon.entry(i).words);
  for (const TypeWords& type : lexicon.types()) tables.types.words.push_back(type.words);
  encode(tables.relations, states);
  encode(tables.types, states);
  return tables;
}

void append(WordTables& tables, WordTables more) {
  const auto add = [](auto& rows, auto& others) {
    rows.insert(rows.end(), std::make_move_iterator(others.begin() + 1),
                std::make_move_iterator(others.end()));
  };
  add(tables.relations.words, more.relations.words);
  add(tables.relations.encoded, more.relations.encoded);
  add(tables.types.words, more.types.words);
  add(tables.types.encoded, more.types.encoded);
}

void shift_rows(FormInput& input, const WordTables& tables) {
  const auto shift = [](std::vector<std::int64_t>& rows, const WordTable& before) {
    for (std::int64_t& row : rows)
      if (row > 0) row += static_cast<std::int64_t>(before.words.size()) - 1;
  };
  shift(input.slot_relations, tables.relations);
  shift(input.type_rows, tables.types);
}

FormKeys form_keys(FormScorer& scorer, const WordTables& tables, const Tensor& relation_rows,
                   const Tensor& type_rows) {
  return scorer->keys(means_of(scorer->words, tables.relations, relation_rows),
                      means_of(scorer->words, tables.types, type_rows));
}

}  // namespace kgwalk::listening
