// Candidate forms as tensors: one utterance with its candidates, kept small, and several as a batch.
//
// Shapes: B utterances, T words, C candidates of all, F features, Q cues, N slots of an utterance that differ
// in relation or code, M its distinct covers, Y its distinct types. Place 0 among N and Y is "none".
#pragma once

#include <span>
#include <string>
#include <vector>

#include "listening/candidates/features.h"
#include "runtime/tensor/torch.h"

namespace kgwalk::listening {

inline constexpr int kNumCodes = 2 * kNumRoles;  // a role and a direction

// Input of one utterance, without what its candidates answer.
struct FormInput {
  std::vector<std::string> words;  // folded, [T]
  std::vector<float> content;      // [T] 1 for content words
  std::vector<float> cues;         // [Q]
  std::vector<float> free;         // [M, T] 1 for words that no mention of the cover takes
  std::vector<std::int64_t> slot_relations, slot_codes;  // [N]
  std::vector<std::int64_t> type_rows;                   // [Y]
  std::vector<at::Half> features;                        // [C, F]
  std::vector<std::int64_t> slots;                       // [C, kMaxSlots] places among N
  std::vector<float> centers;                            // [C, kMaxSlots]
  std::vector<std::int64_t> types, covers, asked;        // [C] places among Y and M, Asked
  std::vector<float> sizes;                              // [C, 3] log(1 + answers), one, more than ten
  std::vector<float> countable;                          // [C] 1 where it may be asked how many there are
  std::vector<float> targets = {};                       // [C, 2]; empty where nothing is known
  [[nodiscard]] std::size_t num_candidates() const noexcept { return asked.size(); }
};
[[nodiscard]] FormInput form_input(const Prepared& prepared);

// Which rows of the tables of relations and types a batch names.
enum class TableRows {
  kAll,   // those of the whole table
  kUsed,  // of the part that `relation_rows` and `type_rows` take from it, each row once
};

struct FormBatch {
  std::int64_t utterances = 0, words = 0, slots_each = 0, covers_each = 0, types_each = 0;  // B, T, N, M, Y
  torch::Tensor relation_rows, type_rows;        // int64 [used]; of kUsed, ascending, 0 first
  torch::Tensor slot_relations, slot_codes;      // int64 [B N]
  torch::Tensor slot_types;                      // int64 [B Y]
  torch::Tensor free;                            // [B, M, T]
  torch::Tensor content, is_word;                // [B, T]; is_word keeps what is no padding
  torch::Tensor cues;                            // [B, Q]
  torch::Tensor features;                        // [C, F]
  torch::Tensor question, types, covers, asked;  // int64 [C]; types among B Y, covers among B M
  torch::Tensor slots;                           // int64 [C, kMaxSlots] among B N
  torch::Tensor has_slot, centers;               // [C, kMaxSlots]
  torch::Tensor has_type;                        // [C]
  torch::Tensor sizes;                           // [C, 3]
  torch::Tensor countable;                       // [C]
  torch::Tensor targets;                         // [C, 2]; undefined where one has none
};
// Inputs of at least one word and candidate each.
[[nodiscard]] FormBatch collate(std::span<const FormInput* const> inputs, TableRows rows,
                                torch::Device device = torch::kCPU);

}  // namespace kgwalk::listening
