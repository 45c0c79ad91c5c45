#include "walker/network/encoder_text.h"

#include <algorithm>

namespace kgwalk::walker {

using torch::Tensor;

EncoderText::EncoderText(std::shared_ptr<const dialogue::TextEncoder> encoder, const graph::Store* read,
                         graph::Store* write)
    : encoder_(std::move(encoder)), read_(read), write_(write) {}

std::string EncoderText::key_of(const Context& context) {
  std::string key;
  for (const graph::Chat& chat : context) {
    key += chat.speaker == graph::Speaker::kUser ? '\1' : '\2';
    key += chat.text;
  }
  return key;
}

void EncoderText::prepare(std::span<const Context> contexts, std::string_view slot, Reporter& reporter) {
  const std::vector<std::span<const graph::Chat>> views(contexts.begin(), contexts.end());
  sets_.push_back(dialogue::TextStates::load(encoder_, views, {read_, write_, std::string(slot)}, reporter));
  for (std::size_t i = 0; i < contexts.size(); ++i)
    places_.try_emplace(key_of(contexts[i]), sets_.size() - 1, i);
}

std::int64_t EncoderText::num_tokens(const Context& context) const {
  const auto it = places_.find(key_of(context));
  if (it == places_.end()) return static_cast<std::int64_t>(encoder_->tokenize(context).ids.size());
  return static_cast<std::int64_t>(sets_[it->second.set].num_tokens(it->second.index));
}

void EncoderText::encode_missing(std::span<const Context> contexts, std::span<const std::size_t> missing,
                                 std::vector<Tensor>& rows) const {
  std::vector<dialogue::TokenSequence> sequences;
  for (const std::size_t i : missing) sequences.push_back(encoder_->tokenize(contexts[i]));
  encoder_->encode(
      sequences, [&](std::span<const std::size_t> chosen, const Tensor& states, const Tensor& keep) {
        for (std::size_t b = 0; b < chosen.size(); ++b) {
          const std::int64_t length = keep[static_cast<std::int64_t>(b)].sum().item<std::int64_t>();
          rows[missing[chosen[b]]] =
              states[static_cast<std::int64_t>(b)].slice(0, 0, length).to(torch::kCPU).clone();
        }
      });
}

TextSource::Batch EncoderText::batch(std::span<const Context> contexts) const {
  // Runs of contexts of one set come as one gather; the usual batch is one such run.
  std::vector<std::size_t> missing, indices;
  std::vector<std::size_t> sets;
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    const auto it = places_.find(key_of(contexts[i]));
    if (it == places_.end()) {
      missing.push_back(i);
    } else {
      indices.push_back(it->second.index);
      sets.push_back(it->second.set);
    }
  }
  const bool one_set =
      missing.empty() && !sets.empty() &&
      std::all_of(sets.begin(), sets.end(), [&](std::size_t s) { return s == sets.front(); });
  if (one_set) {
    const dialogue::TextBatch whole = sets_[sets.front()].batch(indices);
    return {whole.states, whole.keep};
  }
  std::vector<Tensor> rows(contexts.size());
  encode_missing(contexts, missing, rows);
  for (std::size_t i = 0, found = 0; i < contexts.size(); ++i) {
    if (rows[i].defined()) continue;
    const std::size_t one[] = {indices[found]};
    rows[i] = sets_[sets[found++]].batch(one).states[0];
  }
  std::int64_t longest = 1;
  for (const Tensor& row : rows) longest = std::max(longest, row.size(0));
  Batch batch{torch::zeros({static_cast<std::int64_t>(rows.size()), longest, width()}),
              torch::zeros({static_cast<std::int64_t>(rows.size()), longest}, torch::kBool)};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto b = static_cast<std::int64_t>(i);
    batch.states[b].slice(0, 0, rows[i].size(0)).copy_(rows[i]);
    batch.keep[b].slice(0, 0, rows[i].size(0)).fill_(true);
  }
  return batch;
}

}  // namespace kgwalk::walker
