// Head removal after the vote (declared in grouped_heads.h).
#include <algorithm>
#include <string>

#include "kgwalk/error.h"
#include "seq2seq/attention/grouped_heads.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;

// Rows (or columns) of the heads kept, d each, in every one of `parts` blocks of H heads.
Tensor kept_rows(const std::vector<std::int64_t>& kept, const AttentionOptions& from, std::int64_t parts) {
  std::vector<std::int64_t> rows;
  for (std::int64_t part = 0; part < parts; ++part)
    for (const std::int64_t head : kept)
      for (std::int64_t c = 0; c < from.d(); ++c) rows.push_back((part * from.heads + head) * from.d() + c);
  return torch::tensor(rows, torch::kInt64);
}

void check_removal(const MultiheadAttentionImpl& from, const MultiheadAttentionImpl& to,
                   const std::vector<std::int64_t>& kept, const std::string& name) {
  const AttentionOptions &a = from.options(), &b = to.options();
  if (a.hi.history > 0 || a.tasa.active())
    throw ConfigError(
        name +
        ": heads of a model with hi-attention or TASA cannot be removed: head h of one layer reads "
        "head h of others; train it without, or keep all heads");
  if (b.heads != static_cast<int>(kept.size()) || a.d() != b.d() || a.width != b.width)
    throw ConfigError(name + ": the smaller model must have " + std::to_string(kept.size()) +
                      " heads of width " + std::to_string(a.d()) + "; use StackOptions::with_pillars");
  if (a.relative_positions != b.relative_positions)
    throw ConfigError(name + ": only one of the two models has relative positions");
  for (const std::int64_t head : kept)
    if (head < 0 || head >= a.heads) throw ConfigError(name + ": has no head " + std::to_string(head));
}

void copy_rows(const Linear& from, Linear& to, const Tensor& rows) {
  if (!from) return;
  to->weight.copy_(from->weight.index_select(0, rows));
  if (from->bias.defined()) to->bias.copy_(from->bias.index_select(0, rows));
}

void copy_kept(MultiheadAttentionImpl& from, MultiheadAttentionImpl& to,
               const std::vector<std::int64_t>& kept) {
  const auto rows = [&](std::int64_t parts) {
    return kept_rows(kept, from.options(), parts).to(from.output->weight.device());
  };
  copy_rows(from.qkv, to.qkv, rows(3));
  copy_rows(from.query, to.query, rows(1));
  copy_rows(from.key_value, to.key_value, rows(2));
  to.output->weight.copy_(from.output->weight.index_select(1, rows(1)));
  if (from.relative) {
    const Tensor heads = torch::tensor(kept, torch::kInt64).to(from.output->weight.device());
    to.relative->content_bias.copy_(from.relative->content_bias.index_select(0, heads));
    to.relative->position_bias.copy_(from.relative->position_bias.index_select(0, heads));
    copy_rows(from.relative->projection, to.relative->projection, rows(1));
  }
  if (from.output->bias.defined()) to.output->bias.copy_(from.output->bias);
}

}  // namespace

void copy_pillars(const torch::nn::Module& from, torch::nn::Module& to,
                  const std::vector<std::vector<std::int64_t>>& kept) {
  const torch::NoGradGuard guard;
  std::vector<MultiheadAttention> old = attentions_of(from), fresh = attentions_of(to);
  if (old.size() != fresh.size() || old.size() != kept.size())
    throw ConfigError("head removal: " + std::to_string(old.size()) + " attention layers, " +
                      std::to_string(fresh.size()) + " in the smaller model, " + std::to_string(kept.size()) +
                      " lists of heads");
  std::vector<const void*> done;  // weights of the attentions in `to`
  for (std::size_t i = 0; i < old.size(); ++i) {
    check_removal(*old[i], *fresh[i], kept[i], "attention " + std::to_string(i));
    copy_kept(*old[i], *fresh[i], kept[i]);
    for (const Tensor& p : fresh[i]->parameters()) done.push_back(p.unsafeGetTensorImpl());
  }
  const auto copy_rest = [&](const auto& sources, auto targets) {
    for (const auto& item : targets) {
      const Tensor& target = item.value();
      if (std::find(done.begin(), done.end(), target.unsafeGetTensorImpl()) != done.end()) continue;
      const Tensor* source = sources.find(item.key());
      if (!source || source->sizes() != target.sizes())
        throw ConfigError("head removal: " + item.key() + " differs between the models");
      item.value().copy_(*source);
    }
  };
  copy_rest(from.named_parameters(), to.named_parameters());
  copy_rest(from.named_buffers(), to.named_buffers());
}

}  // namespace kgwalk::seq2seq
