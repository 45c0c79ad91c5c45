// Relative positions in self-attention (Transformer-XL, ACL 2019, section 3.3; as the Conformer uses them):
// the logit of query i and key j, before scaling, is
//   (q_i + u) . k_j + (q_i + v) . (W_r R_(i-j))
// with R the sinusoids of the distance i - j, one W_r a layer and u, v one vector a head. Distances count
// positions, masked ones too; in incremental decoding the queries are the last of the positions so far, so
// that steps equal the whole. Under hi-attention the same u and the same second term go to the keys of
// earlier layers, which stand at the same positions; TASA's convolutions read the whole logit.
#pragma once

#include <cstdint>
#include <mutex>

#include "runtime/tensor/torch.h"
#include "seq2seq/attention/cache.h"
#include "seq2seq/kernels/linear.h"

namespace kgwalk::seq2seq {

class RelativePositionsImpl : public torch::nn::Module {
 public:
  RelativePositionsImpl(std::int64_t width, std::int64_t heads, std::int64_t head_width);

  // The second term. query [N, Tq, >= H d] whose first H d columns are the queries of the last Tq of `keys`
  // positions. Result [N, H, Tq, Tk]. `cache` (optional) keeps W_r R from step to step.
  torch::Tensor by_distance(const torch::Tensor& query, std::int64_t keys, KeyValueCache* cache);

  // Registered names.
  torch::Tensor content_bias, position_bias;  // u and v, [H, d]
  Linear projection{nullptr};                 // W_r [H d, D], no bias

 private:
  torch::Tensor distances(std::int64_t farthest, std::int64_t count);
  torch::Tensor projected(std::int64_t queries, std::int64_t keys, KeyValueCache* cache);

  std::int64_t width_;
  std::mutex mutex_;     // of the table
  torch::Tensor table_;  // sinusoids of the distances n, n - 1, ..., -n
};
TORCH_MODULE(RelativePositions);

}  // namespace kgwalk::seq2seq
