// States of many sequences through a TokenEncoder in inference: their rows one after another, so that padding
// costs nothing and a few pieces need no tensor an operation (layers/row_encoder.h).
//
// Shapes: N pieces of all sequences, D width.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "runtime/tensor/torch.h"
#include "seq2seq/layers/row_encoder.h"
#include "seq2seq/models/token_encoder.h"

namespace kgwalk::seq2seq {

// Borrows the model, whose weights must not change; made for each call of few. Immutable, thread-safe.
class RowStates {
 public:
  // States before the last `left_out` layers. nullopt where the model is not in evaluation without gradients,
  // float32 on the CPU.
  [[nodiscard]] static std::optional<RowStates> of(TokenEncoderImpl& model, int left_out = 0);

  // ids [N] of sequences that have the places [offsets[i], offsets[i + 1]); token types are 0. Result float32
  // [N, D]. Parallel over sequences where there are many. ShapeError for an id outside the table, and for a
  // sequence longer than the model's positions.
  [[nodiscard]] torch::Tensor encode(std::span<const std::int32_t> ids,
                                     std::span<const std::int64_t> offsets) const;

 private:
  RowStates(TokenEncoderImpl& model, RowEncoder layers);
  void check(std::span<const std::int32_t> ids, std::span<const std::int64_t> offsets) const;
  void embed(std::span<const std::int32_t> ids, std::span<const std::int64_t> offsets, float* x) const;

  const TokenEncoderImpl* model_;
  RowEncoder layers_;
  RowNorm embedding_norm_;
  std::optional<RowMap> embedding_map_;  // nullopt where the model has none
};

}  // namespace kgwalk::seq2seq
