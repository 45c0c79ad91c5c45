// TASA: attention logits of earlier layers, transmitted and aggregated by 3x3 convolutions over (query, key),
// heads as channels (Transmitted and Aggregated Self-Attention for ASR). Used inside MultiheadAttention.
//
//   residual (R-TASA, Eq. 3-5): M_a = CNN_a([CNN_t(M^(l-1)); Q K^T])
//   dense    (D-TASA, Eq. 8-9): M_a = CNN_a([CNN_t^1(M^1); ...; CNN_t^(l-1)(M^(l-1)); Q K^T])
//   A = softmax(M_a / scale); later layers receive M_a. The first layer of a stack has no convolution.
//
// Padding: logits of padded keys and of padded queries count as zeros at the entry of every convolution, as
// the outside of the map does, so that a padded batch gives what the single sentences give. Causal use: zeros
// also where the key is later than the query, and the kernel's row of the next query is left out. H heads: 9
// H^2 + H weights a transmission, 9 (n + 1) H^2 + H an aggregation over n earlier layers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/config.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/attention/cache.h"
#include "seq2seq/attention/trace.h"

namespace kgwalk::seq2seq {

// Whose logits a layer receives: nobody's, the previous layer's (R-TASA), those of all earlier ones (D-TASA).
enum class TasaMode { kNone, kResidual, kDense };
constexpr auto choice_names(TasaMode) { return choices_in_order<TasaMode>("none", "residual", "dense"); }
// What the logits are divided by the root of.
enum class TasaScale { kHead, kWidth };
constexpr auto choice_names(TasaScale) { return choices_in_order<TasaScale>("head", "width"); }
// How the convolutions begin.
enum class TasaStart { kIdentity, kUniform };
constexpr auto choice_names(TasaStart) { return choices_in_order<TasaStart>("identity", "uniform"); }

struct TasaOptions {
  Choice<TasaMode> mode = TasaMode::kNone;
  Choice<TasaScale> scale = TasaScale::kHead;
  Choice<TasaStart> start = TasaStart::kIdentity;
  template <class F>
  void fields(F& f) {
    f("mode", mode,
      "Earlier layers whose logits a layer receives: none, the previous one (residual), all "
      "(dense).");
    f("scale", scale,
      "Logits are divided by the root of the head's width or, as Eq. 5 prints it, of the "
      "model's.");
    f("start", start,
      "First weights of the convolutions: identity lets a layer's own logits pass and "
      "received ones in weakly.");
  }
  [[nodiscard]] bool active() const { return mode != TasaMode::kNone; }
  [[nodiscard]] int sources(int layers_below) const;  // n: earlier layers received from
};

// Surroundings of one layer's logits.
struct LogitCall {
  torch::Tensor key_keep{};  // bool [1 or B, Tk]; undefined = all. The queries are its last Tq positions
  bool causal = false;
  const AttentionTrace* trace = nullptr;  // layers below; needed when there is something to receive
  LogitRows* rows = nullptr;              // incremental decoding: rows of the step before; renewed
};

class TasaImpl : public torch::nn::Module {
 public:
  TasaImpl(const TasaOptions& options, std::int64_t heads, int layers_below);

  // raw: Q K^T of this layer, [B, H, Tq, Tk]. Result M_a, the same shape, not yet scaled or masked;
  // `sent` receives what later layers read, [B, H, P + Tq, Tk]: M_a, in incremental decoding with zeros
  // at what is masked and, after the first step, P = 1 row of the position before. ShapeError when the
  // trace lacks a layer.
  torch::Tensor forward(const torch::Tensor& raw, const LogitCall& call, torch::Tensor& sent);

  // Registered names; absent when nothing is received. Transmissions of n layers, lowest first, are one
  // convolution with n groups.
  torch::Tensor transmit_weight, transmit_bias;    // [n H, H, 3, 3], [n H]
  torch::Tensor aggregate_weight, aggregate_bias;  // [H, (n + 1) H, 3, 3], [H]

 private:
  void reset_parameters();
  std::vector<torch::Tensor> received(const AttentionTrace* trace) const;

  TasaOptions options_;
  std::int64_t heads_, sources_;
  int layers_below_;
};
TORCH_MODULE(Tasa);

}  // namespace kgwalk::seq2seq
