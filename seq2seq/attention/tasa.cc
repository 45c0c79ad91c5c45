#include "seq2seq/attention/tasa.h"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "runtime/error.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;

constexpr std::int64_t kKernel = 3;

// Ones where query and key are kept, [B or 1, 1, Tq, Tk] in raw's type; undefined = everything is kept.
Tensor kept_cells(const Tensor& raw, const LogitCall& call) {
  const std::int64_t queries = raw.size(2), keys = raw.size(3);
  Tensor cells;
  if (call.key_keep.defined()) {
    const Tensor keep = call.key_keep.to(raw.scalar_type());  // [B, Tk]
    cells = keep.narrow(1, keys - queries, queries).view({-1, 1, queries, 1}) * keep.view({-1, 1, 1, keys});
  }
  if (call.causal) {
    const Tensor seen = torch::ones({queries, keys}, raw.options()).tril(keys - queries);
    cells = cells.defined() ? cells * seen : seen.view({1, 1, queries, keys});
  }
  return cells;
}

Tensor masked(const Tensor& logits, const Tensor& cells) { return cells.defined() ? logits * cells : logits; }

// `before` [B, C, 1, <= Tk] above `rows` [B, C, T, Tk]; keys that came since are zeros.
Tensor below_row(const Tensor& before, const Tensor& rows) {
  return torch::cat({torch::constant_pad_nd(before, {0, rows.size(3) - before.size(3)}), rows}, 2);
}

// 3x3 convolution over maps of P + T rows into T rows; P = 1 or 0 rows stand in for the zeros above. A causal
// kernel has no row for the next query.
Tensor convolve(const Tensor& maps, const Tensor& weight, const Tensor& bias, std::int64_t groups,
                const LogitCall& call, std::int64_t preceding) {
  const std::array<std::int64_t, 2> one{1, 1}, none{0, 0}, half{kKernel / 2, kKernel / 2};
  if (!call.causal) return torch::conv2d(maps, weight, bias, one, half, one, groups);
  const Tensor padded = torch::constant_pad_nd(maps, {1, 1, 1 - preceding, 0});
  return torch::conv2d(padded, weight.narrow(2, 0, kKernel - 1), bias, one, none, one, groups);
}

}  // namespace

int TasaOptions::sources(int layers_below) const {
  return mode == "dense" ? layers_below : mode == "residual" && layers_below > 0 ? 1 : 0;
}

TasaImpl::TasaImpl(const TasaOptions& options, std::int64_t heads, int layers_below)
    : options_(options), heads_(heads), sources_(options.sources(layers_below)), layers_below_(layers_below) {
  if (sources_ == 0) return;
  const auto make = [&](const char* name, at::IntArrayRef shape) {
    return register_parameter(name, torch::empty(shape));
  };
  transmit_weight = make("transmit_weight", {sources_ * heads, heads, kKernel, kKernel});
  transmit_bias = make("transmit_bias", {sources_ * heads});
  aggregate_weight = make("aggregate_weight", {heads, (sources_ + 1) * heads, kKernel, kKernel});
  aggregate_bias = make("aggregate_bias", {heads});
  reset_parameters();
}

// Both starts draw from U(-1/sqrt(fan in), 1/sqrt(fan in)); identity then lets the layer's own logits pass
// and weakens what is received, so that a stack begins close to plain attention.
void TasaImpl::reset_parameters() {
  const torch::NoGradGuard guard;
  for (const auto& [weight, bias] :
       {std::pair{&transmit_weight, &transmit_bias}, std::pair{&aggregate_weight, &aggregate_bias}}) {
    const double bound = 1 / std::sqrt(static_cast<double>((*weight)[0].numel()));
    weight->uniform_(-bound, bound);
    bias->uniform_(-bound, bound);
  }
  if (options_.start == "uniform") return;
  aggregate_weight.mul_(0.1);
  aggregate_bias.zero_();
  Tensor own = aggregate_weight.narrow(1, sources_ * heads_, heads_);  // [H, H, 3, 3]
  own.zero_();
  own.select(3, kKernel / 2).select(2, kKernel / 2).fill_diagonal_(1);
}

// Logits of the layers received from, lowest first, as channels: [B, n H, P + Tq, Tk].
Tensor TasaImpl::received(const AttentionTrace* trace) const {
  std::vector<Tensor> maps;
  for (std::int64_t layer = layers_below_ - sources_; layer < layers_below_; ++layer) {
    const auto at = static_cast<std::size_t>(layer);
    if (!trace || at >= trace->layers.size() || !trace->layers[at].logits.defined())
      throw ShapeError("TASA needs the logits of layer " + std::to_string(layer) +
                       "; pass an AttentionTrace that has seen the layers below, all with TASA");
    maps.push_back(trace->layers[at].logits);
  }
  return maps.size() == 1 ? maps[0] : torch::cat(maps, 1);
}

Tensor TasaImpl::forward(const Tensor& raw, const LogitCall& call, Tensor& sent) {
  const Tensor cells = kept_cells(raw, call);
  const bool later_step = call.rows && call.rows->sent.defined();
  if (call.rows && !call.causal) throw ShapeError("TASA: incremental decoding is causal");
  const std::int64_t preceding = later_step ? 1 : 0, last = raw.size(2) - 1;
  Tensor aggregated = raw;
  if (sources_ > 0) {
    const Tensor from =
        convolve(received(call.trace), transmit_weight, transmit_bias, sources_, call, preceding);
    if (from.sizes().slice(2) != raw.sizes().slice(2))
      throw ShapeError("TASA: earlier layers hold other positions than the current one");
    Tensor joint = torch::cat({masked(from, cells), masked(raw, cells)}, 1);  // [B, (n + 1) H, Tq, Tk]
    const Tensor last_joint = call.rows ? joint.narrow(2, last, 1) : Tensor();
    if (later_step) joint = below_row(call.rows->joint, joint);
    aggregated = convolve(joint, aggregate_weight, aggregate_bias, 1, call, preceding);
    if (call.rows) call.rows->joint = last_joint;
  }
  sent = masked(aggregated, cells);
  if (call.rows) {
    const Tensor last_sent = sent.narrow(2, last, 1);
    if (later_step) sent = below_row(call.rows->sent, sent);
    call.rows->sent = last_sent;
  }
  return aggregated;
}

}  // namespace kgwalk::seq2seq
