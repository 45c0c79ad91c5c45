// Feature maps of the heads of an attention layer (thesis 3.3.1), averaged over the batch: what grouped-head
// training looks at.
#pragma once

#include <cstdint>

#include "runtime/tensor/torch.h"
#include "seq2seq/attention/trace.h"

namespace kgwalk::seq2seq {

// Means over the kept positions of the whole batch, with gradients. Padding does not enter.
struct HeadFeatures {
  torch::Tensor value{};      // [H, d] values: V W_V
  torch::Tensor output{};     // [H, d] outputs before the output projection
  torch::Tensor attention{};  // [H, 2 R + 1] weight that falls on the key at offset -R .. R from the query,
                              // farther ones counted at the ends
  // With HeadObserver::tokens, value and output of every kept position (M of the batch) instead of their
  // mean.
  torch::Tensor value_tokens{}, output_tokens{};  // [M, H, d]
};

// Set on an attention module, it receives the features of each forward pass made while `on`.
struct HeadObserver {
  bool on = false;
  bool value = true, output = true, attention = false;  // which ones
  bool tokens = false;                                  // of values and outputs, each position's too
  std::int64_t reach = 16;                              // R
  bool maps = false;                                    // keep the attention weights as they are
  HeadFeatures features{};
  torch::Tensor weights{};  // [B, H, Tq, Tk] of the last pass, without gradient; only for `maps`
};

// What one forward pass of attention has at hand.
struct HeadMaps {
  TraceEntry current{};        // the layer's own keys and values, [B, Tk, ...]
  torch::Tensor outputs{};     // [N, Tq, >= H d], the layer's own sum in the first H d columns
  torch::Tensor weights{};     // [B, H, Tq, Tk]; only for `attention`
  torch::Tensor key_keep{};    // bool [B or 1, Tk]; undefined = all
  torch::Tensor query_keep{};  // bool [N, Tq]; undefined = all
  std::int64_t heads = 1;
};

void observe_heads(const HeadMaps& maps, HeadObserver& observer);

}  // namespace kgwalk::seq2seq
