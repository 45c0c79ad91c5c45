#include "seq2seq/attention/tasa.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "kgwalk/error.h"
#include "seq2seq/kernels/functions.h"
#include "seq2seq/kernels/map_convolution.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;
using torch::autograd::tensor_list;

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

struct MapPlan : torch::CustomClassHolder {
  MapShape shape;
  Tensor key_keep;  // keeps the shape's mask alive
};

c10::intrusive_ptr<MapPlan> plan_of(const tensor_list& maps, const Tensor& weight, std::int64_t groups,
                                    const LogitCall& call, std::int64_t preceding) {
  auto plan = c10::make_intrusive<MapPlan>();
  MapShape& s = plan->shape;
  s.examples = maps[0].size(0);
  s.queries = maps[0].size(2) - preceding;
  s.keys = maps[0].size(3);
  for (const Tensor& map : maps) s.in += map.size(1);
  s.out = weight.size(0);
  s.groups = groups;
  s.preceding = preceding;
  s.causal = call.causal;
  if (call.key_keep.defined()) {
    plan->key_keep = call.key_keep.to(torch::kBool).contiguous();
    s.key_keep = static_cast<const std::uint8_t*>(plan->key_keep.data_ptr());
    s.key_keep_stride = plan->key_keep.size(0) == 1 ? 0 : s.keys;
  }
  return plan;
}

template <class T>
std::vector<MapChannels<T>> channels_of(const tensor_list& maps) {
  std::vector<MapChannels<T>> list;
  for (const Tensor& map : maps)
    list.push_back(
        {map.defined() ? map.data_ptr<std::remove_const_t<T>>() : nullptr, map.defined() ? map.size(1) : 0});
  return list;
}

Tensor run_convolution(const MapPlan& plan, const tensor_list& maps, const Tensor& weight,
                       const Tensor& bias) {
  const MapShape& s = plan.shape;
  Tensor out = torch::empty({s.examples, s.out, s.queries, s.keys}, weight.options());
  AT_DISPATCH_FLOATING_TYPES(weight.scalar_type(), "convolve_maps", [&] {
    convolve_maps<scalar_t>(s, channels_of<const scalar_t>(maps), weight.data_ptr<scalar_t>(),
                            bias.data_ptr<scalar_t>(), out.data_ptr<scalar_t>());
  });
  return out;
}

// tensors: the maps, then weight and bias.
struct ConvolveFunction : torch::autograd::Function<ConvolveFunction> {
  static Tensor forward(torch::autograd::AutogradContext* context, at::TensorList tensors,
                        const c10::intrusive_ptr<MapPlan>& plan) {
    const tensor_list all(tensors.begin(), tensors.end());
    context->save_for_backward(all);
    context->saved_data["plan"] = c10::IValue::make_capsule(plan);
    return run_convolution(*plan, {all.begin(), all.end() - 2}, all[all.size() - 2], all.back());
  }

  static tensor_list backward(torch::autograd::AutogradContext* context, tensor_list grads) {
    tensor_list maps = context->get_saved_variables();
    const auto holder = context->saved_data["plan"].toCapsule();
    const MapPlan& plan = static_cast<const MapPlan&>(*holder);
    tensor_list result;
    for (const Tensor& tensor : maps) result.push_back(torch::empty_like(tensor));
    const Tensor weight = maps[maps.size() - 2], grad = grads[0].contiguous();
    maps.resize(maps.size() - 2);
    const tensor_list grad_maps(result.begin(), result.end() - 2);
    AT_DISPATCH_FLOATING_TYPES(weight.scalar_type(), "convolve_maps_backward", [&] {
      convolve_maps_backward<scalar_t>(
          plan.shape, channels_of<const scalar_t>(maps), weight.data_ptr<scalar_t>(),
          grad.data_ptr<scalar_t>(), channels_of<scalar_t>(grad_maps),
          result[result.size() - 2].data_ptr<scalar_t>(), result.back().data_ptr<scalar_t>());
    });
    result.emplace_back();
    return result;
  }
};

// The same with LibTorch's operations.
Tensor generic_convolution(const tensor_list& maps, const Tensor& weight, const Tensor& bias,
                           std::int64_t groups, const LogitCall& call, std::int64_t preceding) {
  Tensor joint = maps.size() == 1 ? maps[0] : torch::cat(maps, 1);
  const std::int64_t queries = joint.size(2) - preceding;  // rows before were masked when they came
  const Tensor rows = joint.narrow(2, preceding, queries);
  const Tensor hidden = masked(rows, kept_cells(rows, call));
  joint = preceding > 0 ? torch::cat({joint.narrow(2, 0, preceding), hidden}, 2) : hidden;
  const std::array<std::int64_t, 2> one{1, 1}, none{0, 0}, half{kKernel / 2, kKernel / 2};
  if (!call.causal) return torch::conv2d(joint, weight, bias, one, half, one, groups);
  const Tensor padded = torch::constant_pad_nd(joint, {1, 1, 1 - preceding, 0});
  return torch::conv2d(padded, weight.narrow(2, 0, kKernel - 1), bias, one, none, one, groups);
}

// 3x3 convolution over maps [B, C, P + T, Tk], whose channels follow each other, into T rows; P = 1 or 0 rows
// stand in for the zeros above. A causal kernel has no row for the next query. Masked cells count as zeros.
Tensor convolve(tensor_list maps, const Tensor& weight, const Tensor& bias, std::int64_t groups,
                const LogitCall& call, std::int64_t preceding) {
  if (!has_kernels(maps[0])) return generic_convolution(maps, weight, bias, groups, call, preceding);
  for (Tensor& map : maps) map = map.contiguous();
  const auto plan = plan_of(maps, weight, groups, call, preceding);
  const bool gradient = at::GradMode::is_enabled() &&
                        (weight.requires_grad() || std::any_of(maps.begin(), maps.end(), [](const Tensor& x) {
                           return x.requires_grad();
                         }));
  if (!gradient) return run_convolution(*plan, maps, weight, bias);
  if (preceding > 0) throw ShapeError("TASA: incremental decoding has no gradient");
  maps.push_back(weight);
  maps.push_back(bias);
  return ConvolveFunction::apply(at::TensorList(maps), plan);
}

}  // namespace

int TasaOptions::sources(int layers_below) const {
  return mode == TasaMode::kDense ? layers_below : mode == TasaMode::kResidual && layers_below > 0 ? 1 : 0;
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
  if (options_.start == TasaStart::kUniform) return;
  aggregate_weight.mul_(0.1);
  aggregate_bias.zero_();
  Tensor own = aggregate_weight.narrow(1, sources_ * heads_, heads_);  // [H, H, 3, 3]
  own.zero_();
  own.select(3, kKernel / 2).select(2, kKernel / 2).fill_diagonal_(1);
}

// Logits of the layers received from, lowest first: [B, H, P + Tq, Tk] each.
std::vector<Tensor> TasaImpl::received(const AttentionTrace* trace) const {
  std::vector<Tensor> maps;
  for (std::int64_t layer = layers_below_ - sources_; layer < layers_below_; ++layer) {
    const auto at = static_cast<std::size_t>(layer);
    if (!trace || at >= trace->layers.size() || !trace->layers[at].logits.defined())
      throw ShapeError("TASA needs the logits of layer " + std::to_string(layer) +
                       "; pass an AttentionTrace that has seen the layers below, all with TASA");
    maps.push_back(trace->layers[at].logits);
  }
  return maps;
}

Tensor TasaImpl::forward(const Tensor& raw, const LogitCall& call, Tensor& sent) {
  const bool later_step = call.rows && call.rows->sent.defined();
  if (call.rows && !call.causal) throw ShapeError("TASA: incremental decoding is causal");
  const std::int64_t preceding = later_step ? 1 : 0, last = raw.size(2) - 1;
  const Tensor cells = call.rows ? kept_cells(raw, call) : Tensor();
  Tensor aggregated = raw;
  if (sources_ > 0) {
    const Tensor from =
        convolve(received(call.trace), transmit_weight, transmit_bias, sources_, call, preceding);
    if (from.sizes().slice(2) != raw.sizes().slice(2))
      throw ShapeError("TASA: earlier layers hold other positions than the current one");
    tensor_list joint{from, raw};  // [B, (n + 1) H, Tq, Tk]
    if (call.rows) {
      joint = {masked(torch::cat(joint, 1), cells)};
      const Tensor last_joint = joint[0].narrow(2, last, 1);
      if (later_step) joint[0] = below_row(call.rows->joint, joint[0]);
      call.rows->joint = last_joint;
    }
    aggregated = convolve(joint, aggregate_weight, aggregate_bias, 1, call, preceding);
  }
  sent = aggregated;  // later layers' convolutions mask what enters them
  if (call.rows) {
    sent = masked(aggregated, cells);
    const Tensor last_sent = sent.narrow(2, last, 1);
    if (later_step) sent = below_row(call.rows->sent, sent);
    call.rows->sent = last_sent;
  }
  return aggregated;
}

}  // namespace kgwalk::seq2seq
