// Scaled dot-product attention over one or several sources of keys and values: the operation inside
// MultiheadAttention. On the CPU one kernel reads the packed projections in place and has its own gradient;
// elsewhere, and where logits or weights are looked at or changed, LibTorch's operations compute the same.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "runtime/tensor/torch.h"
#include "seq2seq/attention/trace.h"

namespace kgwalk::seq2seq {

struct AttendOptions {
  std::int64_t heads = 1;       // H
  std::int64_t d = 1;           // head width
  double dropout = 0;           // 0 outside training
  double scale = 0;             // of the logits; 0 = 1 / sqrt(d)
  bool sum = false;             // add the sources' outputs instead of putting them side by side
  bool causal = false;          // query i of Tq sees keys 0 .. Tk - Tq + i
  torch::Tensor key_keep;       // bool [B, Tk]
  torch::Tensor keep;           // bool [B or 1, Tq, Tk]
  torch::Tensor position_bias;  // [1 or B, 1 or H, Tq, Tk], added to the scaled logits of the first source
  // For all sources, both or neither: what joins the queries, [H, d], and then their logits with the keys,
  // unscaled [B, H, Tq, Tk].
  torch::Tensor query_bias, distance_logits;
  // For the first source: what Q K^T [B, H, Tq, Tk] becomes before scaling, bias and masks; null = nothing.
  const std::function<torch::Tensor(const torch::Tensor&)>* logit_map = nullptr;
  torch::Tensor* weights = nullptr;  // receives the first source's weights, before dropout: [B, H, Tq, Tk]
  const std::vector<std::int64_t>* row_offsets = nullptr;  // query rows of each example; null = N / B each
};

// query [N, Tq, P], of which columns [0, H d) are the queries; every source has B examples and the same
// length Tk, with N a multiple of B (or split by row_offsets). Result [N, Tq, S H d] for S sources side by
// side, or [N, Tq, H d] for their sum. When `logits` is not null it receives the first source's logits,
// unscaled and unmasked, after logit_map, [B, H, Tq, Tk] (N = B only). ShapeError when shapes do not fit.
[[nodiscard]] torch::Tensor attend(const torch::Tensor& query, const std::vector<TraceEntry>& sources,
                                   const AttendOptions& options, torch::Tensor* logits = nullptr);

}  // namespace kgwalk::seq2seq
