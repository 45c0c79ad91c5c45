#include "walker/network/phrase_states.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace kgwalk::walker {

using torch::Tensor;

void PhraseStates::prepare(std::span<const std::string> texts) const {
  std::vector<const std::string*> missing;
  std::vector<dialogue::TokenSequence> sequences;
  std::unordered_set<std::string_view> seen;
  {
    const std::lock_guard lock(mutex_);
    for (const std::string& text : texts)
      if (!kept_.contains(text) && seen.insert(text).second) missing.push_back(&text);
  }
  for (const std::string* text : missing) sequences.push_back(encoder_->tokens().text(*text));
  const torch::NoGradGuard no_grad;
  encoder_->encode(
      sequences, [&](std::span<const std::size_t> places, const Tensor& states, const Tensor& /*keep*/) {
        const Tensor half = states.to(torch::kCPU).to(torch::kFloat16);
        const std::lock_guard lock(mutex_);
        if (kept_.size() + places.size() > most_) kept_.clear();
        for (std::size_t b = 0; b < places.size(); ++b) {
          const auto length = static_cast<std::int64_t>(sequences[places[b]].ids.size());
          kept_[*missing[places[b]]] =
              half[static_cast<std::int64_t>(b)].slice(0, 1, std::max<std::int64_t>(1, length - 1)).clone();
        }
      });
}

PhraseStates::Batch PhraseStates::batch(std::span<const std::string> texts,
                                        std::int64_t most_positions) const {
  prepare(texts);
  std::vector<Tensor> rows;
  std::int64_t longest = 1;
  {
    const std::lock_guard lock(mutex_);
    for (const std::string& text : texts) {
      const auto found = kept_.find(text);  // forgotten when another thread has filled the memory
      rows.push_back(found == kept_.end() ? Tensor() : found->second);
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].defined()) rows[i] = torch::zeros({0, width()}, torch::kFloat16);
    rows[i] = rows[i].slice(0, 0, most_positions);
    longest = std::max(longest, rows[i].size(0));
  }
  const auto count = static_cast<std::int64_t>(rows.size());
  Batch batch{torch::zeros({count, longest, width()}), torch::zeros({count, longest}, torch::kBool)};
  for (std::int64_t b = 0; b < count; ++b) {
    const Tensor& row = rows[static_cast<std::size_t>(b)];
    batch.states[b].slice(0, 0, row.size(0)).copy_(row);
    batch.keep[b].slice(0, 0, std::max<std::int64_t>(1, row.size(0))).fill_(true);
  }
  return batch;
}

Tensor PhraseStates::means(std::span<const std::string> texts) const {
  const Batch all = batch(texts, static_cast<std::int64_t>(encoder_->max_tokens()));
  const Tensor keep = all.keep.to(torch::kFloat32).unsqueeze(2);
  return (all.states * keep).sum(1) / keep.sum(1).clamp_min(1);
}

}  // namespace kgwalk::walker
