// A decoder stack over any ordered list of memories: self-attention, then one attention a memory in the given
// order, residual each, then the feed-forward network (HAGD of thesis Eq. 5.5; with one memory, the usual
// decoder; with none, a language model).
//
//   DecoderState state = decoder->start({kg, dial});  // projects every memory once an example and layer
//   y = decoder->step(first, state);                  // [B, T0, D]: e.g. cls, goal, bop at once
//   state.reorder(parents);                           // int64 [N]: row r continues row parents[r]; beams
//                                                     // of one example stand together, however many
//   y = decoder->step(next, state);                   // [N, 1, D]
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/tensor/torch.h"
#include "seq2seq/attention/attention.h"
#include "seq2seq/layers/feed_forward.h"
#include "seq2seq/layers/norm.h"
#include "seq2seq/layers/options.h"

namespace kgwalk::seq2seq {

// What incremental decoding carries from step to step. A value: copies are independent. One thread at a time.
struct DecoderState {
  std::vector<KeyValueCache> self;                     // [L]
  std::vector<std::vector<ProjectedMemory>> memories;  // [L][M]; never copied per beam
  torch::Tensor keep;                                  // bool [N, positions so far]; undefined = all kept
  std::int64_t length = 0;                             // positions so far
  std::vector<std::int64_t> row_offsets;  // [B + 1]: rows of example b; set by start() and reorder()

  [[nodiscard]] std::int64_t examples() const { return static_cast<std::int64_t>(row_offsets.size()) - 1; }
  [[nodiscard]] std::int64_t rows() const { return row_offsets.empty() ? 0 : row_offsets.back(); }
  // row_offsets when examples have unequal numbers of rows, else null: what AttentionCall takes.
  [[nodiscard]] const std::vector<std::int64_t>* ragged() const;
  // Row r continues what was row rows[r] (int64 [N']). Any number of rows an example, also none; rows of
  // one example stand together, examples in ascending order. ShapeError otherwise.
  void reorder(const torch::Tensor& rows);
  // Keeps the given examples (int64 [B'], ascending) and their rows; the others' memories are let go.
  void select_examples(const torch::Tensor& kept);
};

class DecoderLayerImpl : public torch::nn::Module {
 public:
  // memory_layers[m]: layers of the stack that made memory m when hi-attention reads its trace, else 0.
  DecoderLayerImpl(const StackOptions& options, int layers_below, const std::vector<int>& memory_layers);
  // x [N, T, D] -> [N, T, D]; row_offsets as in AttentionCall.
  torch::Tensor forward(const torch::Tensor& x, const AttentionCall& self_call,
                        const std::vector<ProjectedMemory>& memories,
                        const std::vector<std::int64_t>* row_offsets = nullptr);

  MultiheadAttention self_attention{nullptr};
  std::vector<MultiheadAttention> memory_attention;  // memory.0, memory.1, ... in order of attention
  FeedForward ffn{nullptr};
  LayerNorm self_norm{nullptr}, ffn_norm{nullptr};  // norm "end" has ffn_norm only
  std::vector<LayerNorm> memory_norm;

 private:
  StackOptions options_;
};
TORCH_MODULE(DecoderLayer);

class TransformerDecoderImpl : public torch::nn::Module {
 public:
  // memory_layers: one entry a memory, in order of attention; 0 = no hi-attention into the stack
  // that made it.
  TransformerDecoderImpl(const StackOptions& options, std::vector<int> memory_layers);

  // All positions at once (training). x [B, T, D]; self_masks usually {.key_keep, .causal = true}. memories
  // as many as memory_layers, each with B examples (or N = k B, see MultiheadAttention). Result [B, T, D].
  torch::Tensor forward(const torch::Tensor& x, const std::vector<Memory>& memories,
                        const AttentionMasks& self_masks, AttentionTrace* trace = nullptr);
  // The same for a decoder with groups (GTRANS Eq. 4): [G, B, T, D], one fused state a group, for a
  // GroupMixture. ConfigError when there are none, as forward() and step() when there are.
  torch::Tensor forward_groups(const torch::Tensor& x, const std::vector<Memory>& memories,
                               const AttentionMasks& self_masks, AttentionTrace* trace = nullptr);

  // Incremental and causal: equal to forward() with a causal mask. keep bool [N, Tnew] (undefined =
  // all) says which of the new positions may be attended to, now and later. Without memories give the
  // number of examples.
  DecoderState start(const std::vector<Memory>& memories, std::int64_t examples = 0);
  torch::Tensor step(const torch::Tensor& x, DecoderState& state, const torch::Tensor& keep = {});
  torch::Tensor step_groups(const torch::Tensor& x, DecoderState& state,
                            const torch::Tensor& keep = {});  // [G, N, Tnew, D]

  // Pruning at inference: from now on only these groups (ascending, from 0; empty = all) are given, and the
  // layers above the last of them are not run. States begun before cannot go on. Not thread-safe.
  void keep_groups(const std::vector<int>& kept);

  [[nodiscard]] const StackOptions& options() const noexcept { return options_; }

 private:
  void check_memories(const std::vector<Memory>& memories) const;
  [[nodiscard]] std::size_t layers_run() const;
  template <class Run>
  torch::Tensor through_layers(const torch::Tensor& x, Run&& run);
  torch::Tensor grouped_states(const std::vector<torch::Tensor>& states);
  torch::Tensor run_whole(const torch::Tensor& x, const std::vector<Memory>& memories,
                          const AttentionMasks& self_masks, AttentionTrace* trace);
  torch::Tensor run_step(const torch::Tensor& x, DecoderState& state, const torch::Tensor& keep);
  void check_grouped(bool wanted) const;

  StackOptions options_;
  std::vector<int> memory_layers_;
  std::vector<DecoderLayer> layers_;  // layers.0, layers.1, ...
  LayerNorm final_norm_{nullptr};     // norm "pre" only
  DecoderFusion fusion_{nullptr};     // "fusion", with groups
  std::vector<int> kept_groups_;      // empty = all
};
TORCH_MODULE(TransformerDecoder);

}  // namespace kgwalk::seq2seq
