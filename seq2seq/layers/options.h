// Options of a stack of layers; encoder and decoder share them.
#pragma once

#include <string>

#include "runtime/config.h"
#include "seq2seq/attention/attention.h"
#include "seq2seq/kernels/rows.h"
#include "seq2seq/layers/fusion.h"

namespace kgwalk::seq2seq {

// What makes Conformer blocks of an encoder's layers (Gulati et al., INTERSPEECH 2020, Eq. 1); its
// feed-forward networks use "swish" and its attention relative positions, which are options of the stack.
struct ConformerOptions {
  bool macaron = false;  // a second feed-forward network before the attention; both count one half
  int kernel = 0;        // positions that the convolution module sees; 0 = no such module
  bool causal = false;   // it sees earlier positions only
  template <class F>
  void fields(F& f) {
    f("macaron", macaron, "A half-step of the feed-forward network stands on both sides of the attention.");
    f("kernel", kernel,
      "Number of positions that the convolution module sees, odd unless causal; 0 means no "
      "module.")
        .range(0, 255);
    f("causal", causal, "The convolution sees earlier positions only.");
  }
  [[nodiscard]] bool active() const { return macaron || kernel > 0; }
};

// Where a stack normalizes; StackOptions::norm tells the formulas.
enum class NormPlacement { kPre, kPost, kEnd };
constexpr auto choice_names(NormPlacement) { return choices_in_order<NormPlacement>("pre", "post", "end"); }

struct StackOptions {
  int layers = 2;      // L
  int width = 256;     // D
  int heads = 4;       // H
  int head_width = 0;  // d; 0 = width / heads
  int ffn_width = 1024;
  double dropout = 0.1;
  double attention_dropout = 0.1;
  double activation_dropout = 0;
  bool attention_bias = true;  // in the projections of all attentions
  Choice<Activation> activation = Activation::kGelu;
  // pre:  x + f(norm(x)) for every sub-layer, one more norm after the last layer.
  // post: norm(x + f(x)) for every sub-layer.
  // end:  x + f(x) for the attentions, one norm a layer after the feed-forward network: norm(a + FFN(a)),
  //       as the thesis prints it in Eq. 5.3 and 5.5.
  Choice<NormPlacement> norm = NormPlacement::kPre;
  double norm_eps = 1e-5;
  HiAttentionOptions hi;            // of the self-attention
  HiAttentionOptions hi_memory;     // decoder: of the attention to each memory that comes with a trace
  TasaOptions tasa;                 // of the self-attention
  bool relative_positions = false;  // in the self-attention (attention/relative.h)
  // GTRANS (layers/fusion.h): layers in a group. An encoder then gives the fused states of its groups, a
  // decoder is run by forward_groups and step_groups. 0 = no groups.
  int group_layers = 0;
  ConformerOptions conformer;  // encoders only
  template <class F>
  void fields(F& f) {
    f("layers", layers, "Number of layers.").range(0, 256);
    f("width", width, "Model width.").range(1, 65536);
    f("heads", heads, "Attention heads.").range(1, 1024);
    f("head_width", head_width, "Width of a head; 0 means width / heads.").range(0, 65536);
    f("ffn_width", ffn_width, "Inner width of the feed-forward network.").range(1, 1 << 20);
    f("dropout", dropout, "Dropout of each sub-layer's output.").range(0, 0.99);
    f("attention_dropout", attention_dropout, "Dropout of the attention weights.").range(0, 0.99);
    f("activation_dropout", activation_dropout, "Dropout inside the feed-forward network.").range(0, 0.99);
    f("attention_bias", attention_bias, "The projections of the attentions have a bias.");
    f("activation", activation, "Activation of the feed-forward network.");
    f("norm", norm,
      "Layer normalization stands before each sub-layer (pre), behind it (post), or once at a"
      " layer's end.");
    f("norm_eps", norm_eps, "Epsilon of layer normalization.").range(0, 1);
    f("hi", hi, "Self-attention to earlier layers.");
    f("hi_memory", hi_memory, "Attention of the decoder to earlier layers of the encoders.");
    f("tasa", tasa, "Logits of earlier layers in the self-attention.");
    f("relative_positions", relative_positions, "The self-attention knows the distance of query and key.");
    f("group_layers", group_layers,
      "Number of layers that are fused into a group (GTRANS); 0 means no groups.")
        .range(0, 256);
    f("conformer", conformer, "Conformer blocks.");
  }
  void check(Problems& problems) const;  // rules across fields
  [[nodiscard]] AttentionOptions self_attention() const;
  // To a memory; `reached`: hi_memory applies, since the memory comes with a trace.
  [[nodiscard]] AttentionOptions memory_attention(bool reached) const;
  // The same stack with one head of each of `groups` groups left (copy_pillars fills it).
  [[nodiscard]] StackOptions with_pillars(int groups) const;
  [[nodiscard]] LayerGroups groups() const { return {layers, group_layers}; }
  // Whether the layers read what earlier layers of the stack leave.
  [[nodiscard]] bool needs_trace() const { return hi.history > 0 || tasa.active(); }

 private:
  [[nodiscard]] AttentionOptions attention() const;
};

}  // namespace kgwalk::seq2seq
