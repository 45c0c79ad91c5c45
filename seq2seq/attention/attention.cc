#include "seq2seq/attention/attention.h"

#include <cmath>
#include <functional>

#include "kgwalk/error.h"
#include "seq2seq/attention/attend.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

std::vector<int> HiAttentionOptions::layers(int layers_below) const {
  std::vector<int> found;
  for (int k = 0; k < history; ++k) {
    const int layer = layers_below - 1 - k * dilation;
    if (layer < 0) break;
    found.push_back(layer);
  }
  return found;
}

void AttentionOptions::check(Problems& problems) const {
  if (head_width == 0 && heads > 0 && width % heads != 0)
    problems.add("heads", std::to_string(heads) + " do not divide the width " + std::to_string(width) +
                              "; choose a divisor or set head_width");
}

ProjectedMemory ProjectedMemory::select(const Tensor& kept) const {
  const Tensor index = kept.to(current.packed.device());
  ProjectedMemory part = *this;
  part.current.packed = current.packed.index_select(0, index);
  for (TraceEntry& entry : part.earlier) entry.packed = entry.packed.index_select(0, index);
  if (key_keep.defined()) part.key_keep = key_keep.index_select(0, index);
  return part;
}

MultiheadAttentionImpl::MultiheadAttentionImpl(const AttentionOptions& options, AttentionSite site)
    : options_(options),
      site_(site),
      earlier_(options.hi.layers(site.layers_below - (options.hi.skip_top ? 1 : 0))) {
  validate(options, "attention options");
  const std::int64_t width = options.width, inner = static_cast<std::int64_t>(options.heads) * options.d();
  if (site.memory) {
    query = register_module("query", Linear(width, inner, options.bias));
    key_value = register_module("key_value", Linear(width, 2 * inner, options.bias));
  } else {
    qkv = register_module("qkv", Linear(width, 3 * inner, options.bias));
  }
  const std::int64_t n = static_cast<std::int64_t>(earlier_.size());
  output = register_module(
      "output",
      Linear(options.hi.combine == HiCombination::kConcatEq9 ? (1 + n) * inner : inner, width, options.bias));
  if (options.hi.combine == HiCombination::kConcatEq6 && n > 0) {
    w_h = register_parameter("w_h", torch::empty({n * options.d(), options.d()}));
    torch::nn::init::xavier_uniform_(w_h);
  }
  if (options.tasa.active()) {
    if (site.memory) throw ConfigError("TASA is an option of self-attention; a memory has no layers below");
    tasa = register_module("tasa", Tasa(options.tasa, options.heads, site.layers_below));
  }
  if (options.relative_positions) {
    if (site.memory)
      throw ConfigError(
          "relative positions are an option of self-attention; a memory's positions are others");
    relative = register_module("relative", RelativePositions(width, options.heads, options.d()));
  }
}

void MultiheadAttentionImpl::check_query(const Tensor& states, const AttentionCall& call) const {
  if (states.dim() != 3 || states.size(2) != options_.width)
    throw ShapeError("attention: queries must be [rows, positions, " + std::to_string(options_.width) + "]");
  if (site_.memory != (call.memory != nullptr))
    throw ShapeError(site_.memory ? "attention to a memory was called without one"
                                  : "self-attention was called with a memory");
  if (tasa && call.masks.keep.defined())
    throw ShapeError(
        "TASA takes key_keep and causal masks only: through its kernel a row would see what a full mask "
        "hides");
}

std::vector<TraceEntry> MultiheadAttentionImpl::earlier_entries(const AttentionTrace* trace) const {
  std::vector<TraceEntry> entries;
  for (const int layer : earlier_) {
    if (!trace || layer >= static_cast<int>(trace->layers.size()))
      throw ShapeError("hi-attention needs the trace of layer " + std::to_string(layer) +
                       "; pass an AttentionTrace that has seen the layers below");
    entries.push_back(trace->layers[static_cast<std::size_t>(layer)]);
  }
  return entries;
}

ProjectedMemory MultiheadAttentionImpl::project(const Memory& memory) {
  if (!site_.memory) throw ShapeError("self-attention has no memory to project");
  const std::int64_t inner = static_cast<std::int64_t>(options_.heads) * options_.d();
  const Tensor kv = key_value(memory.states);  // [B, Tk, 2 H d]
  return {{kv, 0, inner, inner, kv.size(1), {}}, earlier_entries(memory.trace), memory.key_keep};
}

AttendOptions MultiheadAttentionImpl::attend_options(const AttentionCall& call) const {
  AttendOptions o;
  o.heads = options_.heads;
  o.d = options_.d();
  o.dropout = is_training() ? options_.dropout : 0;
  if (tasa && options_.tasa.scale == TasaScale::kWidth)
    o.scale = 1 / std::sqrt(static_cast<double>(options_.width));
  o.sum = options_.hi.combine == HiCombination::kSum && !earlier_.empty();
  o.causal = call.masks.causal;
  o.key_keep = call.memory ? call.memory->key_keep : call.masks.key_keep;
  o.keep = call.masks.keep;
  o.position_bias = call.position_bias;
  o.row_offsets = call.row_offsets;
  return o;
}

// Keys and values: the layer's own, then those of earlier layers, nearest first.
std::vector<TraceEntry> MultiheadAttentionImpl::sources(const Tensor& projected,
                                                        const AttentionCall& call) const {
  std::vector<TraceEntry> list;
  if (call.memory) {
    list.push_back(call.memory->current);
    list.insert(list.end(), call.memory->earlier.begin(), call.memory->earlier.end());
    return list;
  }
  const std::int64_t inner = static_cast<std::int64_t>(options_.heads) * options_.d();
  if (call.cache) {
    call.cache->append(projected.narrow(2, inner, 2 * inner));
    list.push_back(call.cache->entry());
  } else {
    list.push_back({projected, inner, 2 * inner, inner, projected.size(1), {}});
  }
  for (TraceEntry& entry : earlier_entries(call.trace)) list.push_back(std::move(entry));
  return list;
}

Tensor MultiheadAttentionImpl::forward(const Tensor& states, const AttentionCall& call) {
  check_query(states, call);
  const Tensor projected = site_.memory ? query(states) : qkv(states);  // [N, Tq, H d or 3 H d]
  std::vector<TraceEntry> list = sources(projected, call);
  AttendOptions o = attend_options(call);
  std::function<Tensor(const Tensor&)> logit_map;
  if (tasa) {
    logit_map = [&](const Tensor& raw) {
      return tasa->forward(
          raw, {o.key_keep, o.causal, call.trace, call.cache ? &call.cache->logit_rows() : nullptr},
          list[0].logits);
    };
    o.logit_map = &logit_map;
  }
  if (relative) {
    o.query_bias = relative->content_bias;
    o.distance_logits = relative->by_distance(projected, list[0].length, call.cache);
  }
  const bool observed = observer && observer->on && !call.cache;
  Tensor weights;
  if (call.weights || (observed && (observer->attention || observer->maps))) o.weights = &weights;
  const bool keep_logits = call.trace && call.trace->keep_logits && !call.memory && !tasa;
  const Tensor heads = attend(projected, list, o, keep_logits ? &list[0].logits : nullptr);
  if (observed) observe(heads, list[0], weights, call);
  if (call.weights) *call.weights = weights;
  if (call.trace && !call.memory) call.trace->layers.push_back(list[0]);
  return combine(heads);
}

void MultiheadAttentionImpl::observe(const Tensor& heads, const TraceEntry& current, const Tensor& weights,
                                     const AttentionCall& call) const {
  HeadMaps maps{current, heads, weights, call.masks.key_keep, call.query_keep, options_.heads};
  if (call.memory)
    maps.key_keep = call.memory->key_keep;
  else
    maps.query_keep = call.masks.key_keep;
  observe_heads(maps, *observer);
}

// heads: [N, Tq, (1 + n) H d] or, for sum, [N, Tq, H d].
Tensor MultiheadAttentionImpl::combine(const Tensor& heads) {
  if (!w_h.defined()) return output(heads);
  const std::int64_t n = static_cast<std::int64_t>(earlier_.size()), h = options_.heads, d = options_.d();
  const Tensor earlier = heads.narrow(2, h * d, n * h * d)
                             .reshape({heads.size(0), heads.size(1), n, h, d})
                             .transpose(2, 3)
                             .reshape({heads.size(0), heads.size(1), h, n * d});  // [N, Tq, H, n d]
  return output(heads.narrow(2, 0, h * d) + torch::matmul(earlier, w_h).flatten(2));
}

}  // namespace kgwalk::seq2seq
