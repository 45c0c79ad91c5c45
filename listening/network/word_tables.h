// A graph's relations and types as vectors of their words. Row 0 of each is none.
//
// Shapes: R entries of the lexicon, Y types, D width of a text encoder.
#pragma once

#include "listening/candidates/lexicon.h"
#include "listening/network/form_scorer.h"
#include "listening/network/word_states.h"

namespace kgwalk::listening {

struct WordTable {
  std::vector<Words> words = {{}};            // by row
  std::vector<torch::Tensor> encoded = {{}};  // by row, [words, D] from a text encoder; undefined without one
};
struct WordTables {
  WordTable relations = {}, types = {};
};
// `states`: null without a text encoder.
[[nodiscard]] WordTables word_tables(const Lexicon& lexicon, const WordStates* states);

// Appends the rows of another graph; those of none stay one.
void append(WordTables& tables, WordTables more);
// Names the rows that `tables` will have once those of the input's own graph are appended to them.
void shift_rows(FormInput& input, const WordTables& tables);

// What the words of some rows are compared with; int64 [n], all rows where undefined.
[[nodiscard]] FormKeys form_keys(FormScorer& scorer, const WordTables& tables,
                                 const torch::Tensor& relation_rows = {},
                                 const torch::Tensor& type_rows = {});

}  // namespace kgwalk::listening
