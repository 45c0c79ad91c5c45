// A Linear on raw rows: what inference without a tensor an operation multiplies by.
#pragma once

#include <memory>
#include <optional>

#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/linear.h"
#include "seq2seq/kernels/packed_matrix.h"

namespace kgwalk::seq2seq {

class Int8Matrix;

// The weights of a Linear as its inference uses them: packed, or 8-bit integers after quantize_linears().
// Holds them; the Linear's bias is borrowed. Immutable, thread-safe.
class RowMap {
 public:
  // nullopt where inference has no such form: gradients, training, another device or type.
  [[nodiscard]] static std::optional<RowMap> of(const Linear& map);

  // y = act(x W^T + bias) (+ residual); the bias of `product` is not looked at.
  void multiply(PackedProduct product) const;

 private:
  RowMap() = default;
  std::shared_ptr<const PackedMatrix> packed_;
  std::shared_ptr<const torch::nn::Module> keeps_integers_;
  const Int8Matrix* integers_ = nullptr;
  const float* bias_ = nullptr;
};

}  // namespace kgwalk::seq2seq
