// Inference of plain self-attention layers on the rows of several sequences, one sequence after another: no
// padding, and no tensor an operation. Equal to EncoderLayer up to rounding.
//
// Shapes: N rows of all sequences, D width, F inner width.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/row_map.h"
#include "seq2seq/layers/encoder.h"

namespace kgwalk::seq2seq {

// A LayerNorm's parameters, borrowed.
struct RowNorm {
  const float *weight, *bias;
  double eps;
  static RowNorm of(const LayerNorm& norm, double eps);
  // out = norm(x) row by row; [rows, width], out may be x.
  void operator()(std::int64_t rows, std::int64_t width, const float* x, float* out) const;
};

// The layers of a stack. Borrows their norms and biases and holds their weights. Immutable, thread-safe.
class RowEncoder {
 public:
  // `layers` in the order in which they run; one may come more than once. nullopt where a layer is more than
  // norm "post", attention to all of its own sequence and a feed-forward network, or is not in evaluation
  // without gradients, float32 on the CPU.
  [[nodiscard]] static std::optional<RowEncoder> of(std::span<const EncoderLayer> layers,
                                                    const StackOptions& options);

  // x [N, D] in place; sequence i has the rows [offsets[i], offsets[i + 1]). Runs on the OpenMP pool where
  // `x` has enough rows, in the calling thread inside a parallel region.
  void run(std::span<const std::int64_t> offsets, float* x) const;

 private:
  struct Layer {
    RowMap qkv, output, inner, outer;
    RowNorm attention_norm, ffn_norm;
  };
  explicit RowEncoder(const StackOptions& options) : options_(options) {}
  static std::optional<Layer> layer_of(const EncoderLayer& layer, const StackOptions& options);
  void attend(std::span<const std::int64_t> offsets, const float* qkv, float* out) const;

  StackOptions options_;
  std::vector<Layer> layers_;
};

}  // namespace kgwalk::seq2seq
