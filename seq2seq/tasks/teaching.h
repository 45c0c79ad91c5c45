// Rows of target pieces as what teacher forcing reads and should say.
#pragma once

#include <span>
#include <vector>

#include "seq2seq/models/encoder_decoder.h"

namespace kgwalk::seq2seq {

// targets: rows of pieces with their ends. T is the longest row.
[[nodiscard]] Teaching teaching_of(std::span<const std::vector<int>* const> targets, int start_piece);

}  // namespace kgwalk::seq2seq
