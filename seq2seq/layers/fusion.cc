#include "seq2seq/layers/fusion.h"

#include <cmath>
#include <string>

#include "kgwalk/error.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;

// sum_i gates[i] states[i]
Tensor gated_sum(const std::vector<Tensor>& states, const Tensor& gates) {
  Tensor sum = states[0] * gates[0];
  for (std::size_t i = 1; i < states.size(); ++i)
    sum = torch::addcmul(sum, states[i], gates[static_cast<std::int64_t>(i)]);
  return sum;
}

void check_count(const std::vector<Tensor>& states, int wanted, const char* of) {
  if (static_cast<int>(states.size()) != wanted)
    throw ShapeError("fusion of " + std::to_string(wanted) + " " + of + " was given " +
                     std::to_string(states.size()));
}

}  // namespace

void check_kept_groups(const std::vector<int>& kept, LayerGroups groups) {
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (kept[i] < 0 || kept[i] >= groups.count() || (i > 0 && kept[i] <= kept[i - 1]))
      throw ConfigError("kept groups must be ascending and from 0 to " + std::to_string(groups.count() - 1) +
                        "; found " + std::to_string(kept[i]));
}

EncoderFusionImpl::EncoderFusionImpl(LayerGroups groups, std::int64_t width, double norm_eps) {
  weight = register_parameter("weight", torch::zeros({groups.count()}));
  norm = register_module("norm", LayerNorm(width, norm_eps));
}

Tensor EncoderFusionImpl::forward(const std::vector<Tensor>& states) {
  check_count(states, static_cast<int>(weight.size(0)), "encoder groups");
  return norm(gated_sum(states, weight.sigmoid() / static_cast<double>(weight.size(0))));
}

DecoderFusionImpl::DecoderFusionImpl(LayerGroups groups) : groups_(groups) {
  weight = register_parameter("weight", torch::zeros({groups.layers}));
}

Tensor DecoderFusionImpl::forward(const std::vector<Tensor>& states, int group) {
  const int begin = groups_.begin(group), count = groups_.end(group) - begin;
  check_count(states, count, "decoder layers");
  return gated_sum(states, weight.narrow(0, begin, count).sigmoid());
}

GroupMixtureImpl::GroupMixtureImpl(LayerGroups groups, std::int64_t width)
    : groups_(groups), temperature_(std::sqrt(static_cast<double>(width))) {
  if (!groups.active())
    throw ConfigError("a mixture of groups needs a decoder with group_layers of 1 or more");
  weight = register_parameter("weight", torch::zeros({groups.count()}));
}

void GroupMixtureImpl::keep_groups(const std::vector<int>& kept) {
  check_kept_groups(kept, groups_);
  kept_ = kept;
}

Tensor GroupMixtureImpl::weights() const {
  Tensor chosen = weight;
  if (!kept_.empty()) {
    const std::vector<std::int64_t> index(kept_.begin(), kept_.end());
    chosen = weight.index_select(0, torch::tensor(index, torch::kInt64).to(weight.device()));
  }
  return torch::softmax(chosen / temperature_, 0);
}

// log psi, shaped to stand beside per_group [G, ...].
Tensor GroupMixtureImpl::log_weights(const Tensor& per_group) const {
  const Tensor psi = weights();
  if (per_group.dim() < 1 || per_group.size(0) != psi.size(0))
    throw ShapeError("mixture of " + std::to_string(psi.size(0)) + " groups was given " +
                     std::to_string(per_group.dim() < 1 ? 0 : per_group.size(0)));
  std::vector<std::int64_t> shape(static_cast<std::size_t>(per_group.dim()), 1);
  shape[0] = psi.size(0);
  return psi.log().view(shape);
}

Tensor GroupMixtureImpl::log_probs(const Tensor& logits) {
  const Tensor log_psi = log_weights(logits);
  const Tensor groups = torch::log_softmax(logits, -1);  // [G, ..., V]
  return groups.size(0) == 1 ? groups[0] : torch::logsumexp(groups + log_psi, 0);
}

Tensor GroupMixtureImpl::loss(const Tensor& group_losses) {
  return (group_losses * log_weights(group_losses).exp()).sum(0);
}

}  // namespace kgwalk::seq2seq
