// Affine map whose inference path keeps the weights in the order that the processor reads them.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "kgwalk/error.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/packed_matrix.h"

namespace kgwalk::seq2seq {

// y = x W^T + b with W [out, in] (registered names weight, bias), x [..., in] -> [..., out]. Under
// NoGradGuard, in evaluation mode, in float32 on the CPU and for few rows, a packed copy of W is used;
// it is made at the first such call and again whenever W has changed since (in-place operations of
// LibTorch, or train()).
class LinearImpl : public torch::nn::Module {
 public:
  LinearImpl(std::int64_t in, std::int64_t out, bool with_bias = true);
  torch::Tensor forward(const torch::Tensor& x);
  torch::Tensor activated(const torch::Tensor& x, Activation activation);  // act(x W^T + b)
  void train(bool on = true) override;
  // Xavier-uniform weights, zero bias (also done by the constructor).
  void reset_parameters();

  // The packed weights, up to date; nullptr when the fast path does not apply here (gradients, training,
  // other device or type).
  [[nodiscard]] std::shared_ptr<const PackedMatrix> packed();
  [[nodiscard]] const float* bias_data() const;  // nullptr without bias

  torch::Tensor weight;  // [out, in]
  torch::Tensor bias;    // [out], undefined without bias

 private:
  std::mutex mutex_;
  std::shared_ptr<const PackedMatrix> packed_;
  const void* packed_from_ = nullptr;
  std::uint32_t packed_version_ = 0;
};
TORCH_MODULE(Linear);

}  // namespace kgwalk::seq2seq
