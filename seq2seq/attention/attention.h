// The attention core: one multi-head attention module, options instead of subclasses.
//
// Shape legend (all of seq2seq): B batch (examples), N rows = B times queries' copies an example (beams), Tq
// queries, Tk keys, D model width, H heads, d head width, n earlier layers attended to, L layers. Masks keep
// where true. Thread-safe in evaluation mode under torch::NoGradGuard; training from one thread.
//
//   plain:      S_h = softmax(Q_h K_h^T / sqrt(d)) V_h,  output = concat_h(S_h) W_S + b
//   hi (Hiformer, TASLP 2023, Eq. 5-10): the queries of layer l also attend to the keys and values that the
//   earlier layers l-1, l-1-f, ..., l-1-(n-1)f computed for themselves (H^(l,i), dilation f):
//     concat_eq9: + concat_i(concat_h H_h^(l,i)) W_F       n D^2 more weights, one merged product with W_S
//     concat_eq6: S_h + concat_i(H_h^(l,i)) W_H            n d^2 more weights, W_H shared by the heads
//     sum:        S_h + sum_i H_h^(l,i)                    (Eq. 10) no more weights
//   Layers with fewer than n layers below use those that exist; n = 0 is plain attention, the same
//   instructions. Across stacks the memory (top output of an encoder) counts as one layer above the encoder's
//   top layer, so that l-1 is the top layer's own self-attention. A query row that keeps no key gets zeros
//   (before the output projection's bias), never NaN.
//
//   tasa: the logits of the layer's own keys go through attention/tasa.h, those of earlier ones do not.
//   relative_positions: attention/relative.h adds to all these logits what the distance of query and key
//   says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/config.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/attention/cache.h"
#include "seq2seq/attention/head_features.h"
#include "seq2seq/attention/relative.h"
#include "seq2seq/attention/tasa.h"
#include "seq2seq/attention/trace.h"
#include "seq2seq/kernels/linear.h"

namespace kgwalk::seq2seq {

struct AttendOptions;
// How the outputs of the layers attended to are joined (Hiformer Eq. 9, 6 and 10).
enum class HiCombination { kConcatEq9, kConcatEq6, kSum };
constexpr auto choice_names(HiCombination) {
  return choices_in_order<HiCombination>("concat_eq9", "concat_eq6", "sum");
}

struct HiAttentionOptions {
  int history = 0;                                            // n
  int dilation = 1;                                           // f
  Choice<HiCombination> combine = HiCombination::kConcatEq9;  // how the earlier layers' outputs join
  bool skip_top = false;  // of a memory: begin with the layer below the top one (L-1, L-2, ...)
  template <class F>
  void fields(F& f) {
    f("history", history,
      "Number of earlier layers that are attended to (hi-attention); 0 is plain attention.")
        .range(0, 64);
    f("dilation", dilation, "Distance between two of the earlier layers that are attended to.").range(1, 64);
    f("combine", combine,
      "How the outputs of those layers are joined; the numbers are the equations of Hiformer.");
    f("skip_top", skip_top,
      "Of the attention to an encoder: its layers are counted from below the top one (L-1, L-2, ...), "
      "instead of from the top one (L, L-1, ...).");
  }
  // Indices (0-based, nearest first) of the layers that a layer with `layers_below` layers below
  // it attends to.
  [[nodiscard]] std::vector<int> layers(int layers_below) const;
};

struct AttentionOptions {
  int width = 256;     // D
  int heads = 4;       // H
  int head_width = 0;  // d; 0 = width / heads
  double dropout = 0;  // on the attention weights, in training
  bool bias = true;    // in all projections
  HiAttentionOptions hi;
  TasaOptions tasa;                 // self-attention only
  bool relative_positions = false;  // self-attention only
  template <class F>
  void fields(F& f) {
    f("width", width, "Model width.").range(1, 65536);
    f("heads", heads, "Attention heads.").range(1, 1024);
    f("head_width", head_width, "Width of a head; 0 means width / heads.").range(0, 65536);
    f("dropout", dropout, "Dropout of the attention weights.").range(0, 0.99);
    f("bias", bias, "The projections have a bias.");
    f("hi", hi, "Attention to earlier layers.");
    f("tasa", tasa, "Logits of earlier layers.");
    f("relative_positions", relative_positions, "The logits know the distance of query and key.");
  }
  void check(Problems& problems) const;  // heads must divide width when head_width is 0
  [[nodiscard]] int d() const { return head_width > 0 ? head_width : width / heads; }
};

// Where the module stands in its network; decides which weights it has.
struct AttentionSite {
  bool memory = false;   // keys and values come from a memory, not from the queries' own sequence
  int layers_below = 0;  // self: layers below in its stack; memory: layers of the stack that made the memory
};

// All optional. Broadcast over heads.
struct AttentionMasks {
  torch::Tensor key_keep{};  // bool [B, Tk]
  torch::Tensor keep{};      // bool [B or 1, Tq, Tk]
  bool causal = false;       // query i of Tq sees keys 0 .. Tk - Tq + i
};

// What attention over a memory reads: made once an example by project(), shared by all queries and steps.
struct ProjectedMemory {
  TraceEntry current{};               // keys and values of the memory itself
  std::vector<TraceEntry> earlier{};  // those of earlier layers that hi-attention uses, nearest first
  torch::Tensor key_keep{};           // bool [B, Tk]; undefined = all
  [[nodiscard]] std::int64_t examples() const { return current.packed.size(0); }
  // Rows `examples` (int64 [B']) of everything.
  [[nodiscard]] ProjectedMemory select(const torch::Tensor& examples) const;
};

// A sequence to attend to, with the trace of the stack that made it (only needed by hi-attention).
struct Memory {
  torch::Tensor states{};    // [B, Tk, D]
  torch::Tensor key_keep{};  // bool [B, Tk]; undefined = all
  const AttentionTrace* trace = nullptr;
};

struct AttentionCall {
  const ProjectedMemory* memory = nullptr;  // required iff the site is memory
  AttentionMasks masks{};                   // key_keep is taken from the memory when there is one
  // Added to the scaled logits of the current layer, not to those of earlier ones: [1 or B, 1 or H, Tq, Tk].
  torch::Tensor position_bias{};
  AttentionTrace* trace = nullptr;  // self: earlier layers are read, the own entry is appended
  KeyValueCache* cache = nullptr;   // self: keys and values of earlier positions; the new ones are appended
  // memory: rows [o[b], o[b + 1]) of the query belong to example b (beams differ in number); null = N
  // / B each.
  const std::vector<std::int64_t>* row_offsets = nullptr;
  torch::Tensor query_keep{};  // memory: bool [N, Tq], queries that a head observer counts; undefined = all
  // When set, receives the weights of the current layer before dropout: [B, H, queries of an example, Tk], or
  // [N, H, 1, Tk] with row_offsets. LibTorch's operations run then, not the kernel.
  torch::Tensor* weights = nullptr;
};

class MultiheadAttentionImpl : public torch::nn::Module {
 public:
  explicit MultiheadAttentionImpl(const AttentionOptions& options, AttentionSite site = {});

  // query [N, Tq, D] -> [N, Tq, D]. With a memory of B examples N may be k B: rows k b .. k b + k - 1 (the
  // beams of example b) share the memory's row b without a copy; row_offsets allows other numbers of rows
  // (evaluation only). With a cache, query holds the new positions only and keys are all positions so far.
  // ShapeError when shapes do not fit.
  torch::Tensor forward(const torch::Tensor& query, const AttentionCall& call = {});

  // Keys and values of a memory (site memory only). ShapeError when hi-attention needs a trace that
  // is not there.
  ProjectedMemory project(const Memory& memory);

  [[nodiscard]] const AttentionOptions& options() const noexcept { return options_; }
  [[nodiscard]] const std::vector<int>& earlier_layers() const noexcept { return earlier_; }

  // Registered names. Self: qkv [3 H d, D]. Memory: query [H d, D], key_value [2 H d, D].
  // output [D, (1 + n) H d] for concat_eq9 (W_S beside W_F), else [D, H d]; w_h [n d, d] for concat_eq6.
  Linear qkv{nullptr}, query{nullptr}, key_value{nullptr}, output{nullptr};
  torch::Tensor w_h;
  Tasa tasa{nullptr};                   // with the option
  RelativePositions relative{nullptr};  // with the option
  // Borrowed; when set and on, receives the heads' features of each call without a cache.
  // Training threads only.
  HeadObserver* observer = nullptr;

 private:
  void check_query(const torch::Tensor& query_states, const AttentionCall& call) const;
  AttendOptions attend_options(const AttentionCall& call) const;
  std::vector<TraceEntry> sources(const torch::Tensor& projected, const AttentionCall& call) const;
  std::vector<TraceEntry> earlier_entries(const AttentionTrace* trace) const;
  void observe(const torch::Tensor& heads, const TraceEntry& current, const torch::Tensor& weights,
               const AttentionCall& call) const;
  torch::Tensor combine(const torch::Tensor& heads);

  AttentionOptions options_;
  AttentionSite site_;
  std::vector<int> earlier_;
};
TORCH_MODULE(MultiheadAttention);

}  // namespace kgwalk::seq2seq
