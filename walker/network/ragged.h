// Ragged tensor operations with gradients: softmax and products over segments of different
// lengths, without padding.
//
// Shapes: N states (segments), K candidates of all of them, D width, V rows of a table. offsets is an int64
// CPU tensor [N + 1] of segment starts; segment i holds candidates [offsets[i], offsets[i + 1]). Loops run on
// the OpenMP pool; on other devices than the CPU the same results come from LibTorch's own operations.
#pragma once

#include "runtime/tensor/torch.h"

namespace kgwalk::walker {

// log softmax within each segment (thesis Eq. 5.7): scores [K] -> [K]. Empty segments are allowed.
[[nodiscard]] torch::Tensor ragged_log_softmax(const torch::Tensor& scores, const torch::Tensor& offsets);

// out[k] = states[segment of k] . table[rows[k]]: states [N, D], table [V, D], rows int64 [K] -> [K].
// Gathers rows of the table once, never a vector a candidate. The table gets a (dense) gradient only when it
// asks for one.
[[nodiscard]] torch::Tensor ragged_product(const torch::Tensor& states, const torch::Tensor& table,
                                           const torch::Tensor& rows, const torch::Tensor& offsets);

// out[k] = matrix[segment of k, columns[k]]: matrix [N, C], columns int64 [K] -> [K].
[[nodiscard]] torch::Tensor ragged_pick(const torch::Tensor& matrix, const torch::Tensor& columns,
                                        const torch::Tensor& offsets);

// out[k] = rows[segment of k]: rows [N, ...] -> [K, ...].
[[nodiscard]] torch::Tensor ragged_repeat(const torch::Tensor& rows, const torch::Tensor& offsets);

// Segment of each candidate: int64 [K].
[[nodiscard]] torch::Tensor segments_of(const torch::Tensor& offsets);

}  // namespace kgwalk::walker
