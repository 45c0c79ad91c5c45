#include "seq2seq/attention/relative.h"

#include <algorithm>

#include "seq2seq/attention/sinusoids.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;

constexpr std::int64_t kLeastReach = 64;

}  // namespace

RelativePositionsImpl::RelativePositionsImpl(std::int64_t width, std::int64_t heads, std::int64_t head_width)
    : width_(width) {
  content_bias = register_parameter("content_bias", torch::empty({heads, head_width}));
  position_bias = register_parameter("position_bias", torch::empty({heads, head_width}));
  torch::nn::init::xavier_uniform_(content_bias);
  torch::nn::init::xavier_uniform_(position_bias);
  projection = register_module("projection", Linear(width, heads * head_width, false));
}

// Sinusoids of farthest, farthest - 1, ...: [count, D] in the parameters' type.
Tensor RelativePositionsImpl::distances(std::int64_t farthest, std::int64_t count) {
  const std::int64_t least = std::max(farthest, count - 1 - farthest);
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto like = content_bias.options().requires_grad(false);
  if (!table_.defined() || table_.size(0) / 2 < least || table_.scalar_type() != content_bias.scalar_type() ||
      table_.device() != content_bias.device()) {
    const std::int64_t reach = std::max(kLeastReach, 2 * least);
    table_ = sinusoids(reach, 2 * reach + 1, width_, -1).to(like);
  }
  return table_.narrow(0, table_.size(0) / 2 - farthest, count);
}

// W_r R of the distances Tk - 1, ..., 1 - Tq: [Tq + Tk - 1, H d].
Tensor RelativePositionsImpl::projected(std::int64_t queries, std::int64_t keys, KeyValueCache* cache) {
  if (queries > 1 || !cache || at::GradMode::is_enabled())
    return projection(distances(keys - 1, queries + keys - 1));
  Tensor& held = cache->distances();  // of n - 1, ..., 0
  if (!held.defined() || held.size(0) < keys) {
    const std::int64_t room = 2 * std::max(keys, kLeastReach / 4);
    held = projection(distances(room - 1, room));
  }
  return held.narrow(0, held.size(0) - keys, keys);
}

Tensor RelativePositionsImpl::by_distance(const Tensor& query, std::int64_t keys, KeyValueCache* cache) {
  const std::int64_t n = query.size(0), queries = query.size(1);
  const std::int64_t heads = content_bias.size(0), d = content_bias.size(1), columns = queries + keys - 1;
  const Tensor r = projected(queries, keys, cache).view({columns, heads, d}).permute({1, 2, 0});
  const Tensor q = query.narrow(2, 0, heads * d).reshape({n, queries, heads, d}) + position_bias;
  const Tensor all = torch::matmul(q.permute({2, 0, 1, 3}).reshape({heads, n * queries, d}), r)
                         .view({heads, n, queries, columns})
                         .transpose(0, 1);  // [N, H, Tq, Tq + Tk - 1], column c: distance Tk - 1 - c
  if (queries == 1) return all;
  // Query i reads its keys from column Tq - 1 - i on: a row later in memory, one column less.
  return all.flatten(2)
      .narrow(2, queries - 1, queries * (columns - 1))
      .unflatten(2, {queries, columns - 1})
      .narrow(3, 0, keys);  // [N, H, Tq, Tk]
}

}  // namespace kgwalk::seq2seq
