#include "seq2seq/tasks/masked_language.h"

#include <torch/nn/functional/loss.h>

#include "runtime/tensor/device.h"

#include <cmath>
#include <vector>

namespace kgwalk::seq2seq {
namespace {

constexpr std::int64_t kNoLabel = -100;

// A piece that is no control piece, uniformly.
std::int64_t random_piece(const Tokenizer& tokenizer, Random& random) {
  for (;;) {
    const auto id = static_cast<int>(random.below(static_cast<std::uint64_t>(tokenizer.size())));
    if (!tokenizer.is_control(id)) return id;
  }
}

}  // namespace

MaskedBatch hide_pieces(AlbertInput input, const Tokenizer& tokenizer, double share, Random& random) {
  MaskedBatch out{std::move(input), {}, 0};
  out.labels = torch::full_like(out.input.ids, kNoLabel);
  auto* ids = out.input.ids.data_ptr<std::int64_t>();
  auto* labels = out.labels.data_ptr<std::int64_t>();
  std::vector<std::int64_t> free;  // positions that may be hidden
  for (std::int64_t i = 0; i < out.input.ids.numel(); ++i)
    if (!tokenizer.is_control(static_cast<int>(ids[i]))) free.push_back(i);
  const auto hide = [&](std::int64_t at) {
    labels[at] = ids[at];
    ++out.masked;
    const double kind = random.uniform();
    if (kind < 0.8)
      ids[at] = tokenizer.special().mask;
    else if (kind < 0.9)
      ids[at] = random_piece(tokenizer, random);
  };
  for (const std::int64_t at : free) {
    if (random.uniform() < share) hide(at);
  }
  if (out.masked == 0 && !free.empty()) hide(free[random.below(free.size())]);
  return out;
}

void MaskedScore::add(AlbertForMaskedLm& model, const MaskedBatch& batch) {
  if (batch.masked == 0) return;
  const torch::Tensor states = model->albert->forward(batch.input).states;  // [B, T, D]
  const torch::Tensor labels = on(states.device(), batch.labels.view(-1));  // [B * T]
  const torch::Tensor where = labels.ne(kNoLabel).nonzero().squeeze(1);     // [M]
  const torch::Tensor gold = labels.index_select(0, where);
  const torch::Tensor logits =
      model->logits(states.reshape({-1, states.size(2)}).index_select(0, where));  // [M, V]
  loss += torch::nn::functional::cross_entropy(
              logits, gold, torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum))
              .item<double>();
  right += logits.argmax(1).eq(gold).sum().item<double>();
  count += static_cast<double>(batch.masked);
}

Json MaskedScore::to_json() const {
  if (count == 0) return {{"score", 0.0}, {"loss", 0.0}, {"accuracy", 0.0}, {"perplexity", 1.0}};
  return {{"score", -loss / count},
          {"loss", loss / count},
          {"accuracy", right / count},
          {"perplexity", std::exp(loss / count)}};
}

}  // namespace kgwalk::seq2seq
