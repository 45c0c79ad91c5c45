// attend() with LibTorch's operations: for devices and options that have no kernel.
#pragma once

#include <vector>

#include "runtime/tensor/torch.h"
#include "seq2seq/attention/attend_plan.h"

namespace kgwalk::seq2seq {

// Shapes as attend()'s. `logits`, unless null, gets those of the first source.
[[nodiscard]] torch::Tensor generic_attend(const AttendPlan& plan, const torch::Tensor& query,
                                           const std::vector<TraceEntry>& sources, torch::Tensor* logits);

// Ragged rows: every row gets its own copy of its example's keys and values.
[[nodiscard]] torch::Tensor generic_ragged(const torch::Tensor& query, std::vector<TraceEntry> sources,
                                           AttendOptions options);

}  // namespace kgwalk::seq2seq
