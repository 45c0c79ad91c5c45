#include "seq2seq/attention/head_features.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;

// Mean over the kept rows of x [B, T, C]; keep bool [B or 1, T] or undefined. Result [C].
Tensor kept_mean(const Tensor& x, const Tensor& keep) {
  if (!keep.defined()) return x.mean(at::IntArrayRef{0, 1});
  const Tensor weight = keep.to(x.scalar_type()).expand({x.size(0), x.size(1)});  // [B, T]
  return torch::matmul(weight.reshape({1, -1}), x.reshape({-1, x.size(2)})).squeeze(0) /
         weight.sum().clamp_min(1);
}

// The kept rows of x [B, T, H d], one after the other: [M, H, d].
Tensor kept_rows(const Tensor& x, const Tensor& keep, std::int64_t heads) {
  const Tensor rows = x.reshape({x.size(0) * x.size(1), heads, -1});
  if (!keep.defined()) return rows;
  return rows.index_select(0, keep.expand({x.size(0), x.size(1)}).reshape({-1}).nonzero().squeeze(1));
}

// weights [B, H, Tq, Tk] -> [H, 2 R + 1]; the last query stands at the last key when lengths differ
// by a cache.
Tensor offsets(const Tensor& weights, const Tensor& query_keep, std::int64_t reach) {
  const std::int64_t queries = weights.size(2), keys = weights.size(3), heads = weights.size(1);
  Tensor sum = weights.sum(0), count = torch::full({}, weights.size(0) * queries, weights.options());
  if (query_keep.defined()) {
    const Tensor keep = query_keep.to(weights.scalar_type());  // [B, Tq]
    sum = (weights * keep.view({-1, 1, queries, 1})).sum(0);   // [H, Tq, Tk]
    count = keep.expand({weights.size(0), queries}).sum().clamp_min(1);
  }
  const auto whole = torch::TensorOptions().dtype(torch::kInt64).device(weights.device());
  const Tensor offset = torch::arange(keys, whole).unsqueeze(0) - torch::arange(queries, whole).unsqueeze(1);
  const Tensor bin = offset.clamp(-reach, reach) + reach;  // [Tq, Tk]
  return torch::zeros({heads, 2 * reach + 1}, weights.options()).index_add(1, bin.flatten(), sum.flatten(1)) /
         count;
}

}  // namespace

void observe_heads(const HeadMaps& maps, HeadObserver& observer) {
  HeadFeatures& f = observer.features = {};
  const TraceEntry& entry = maps.current;
  if (observer.value) {
    const Tensor values =
        entry.packed.narrow(1, 0, entry.length).narrow(2, entry.value_column, entry.inner_width);
    f.value = kept_mean(values, maps.key_keep).view({maps.heads, -1});
    if (observer.tokens) f.value_tokens = kept_rows(values, maps.key_keep, maps.heads);
  }
  if (observer.output) {
    const Tensor outputs = maps.outputs.narrow(2, 0, entry.inner_width);
    f.output = kept_mean(outputs, maps.query_keep).view({maps.heads, -1});
    if (observer.tokens) f.output_tokens = kept_rows(outputs, maps.query_keep, maps.heads);
  }
  if (observer.maps) observer.weights = maps.weights.detach();
  if (observer.attention) f.attention = offsets(maps.weights, maps.query_keep, observer.reach);
}

}  // namespace kgwalk::seq2seq
