#include "walker/network/encoder_text.h"

#include <algorithm>
#include <utility>

namespace kgwalk::walker {

using torch::Tensor;

EncoderText::EncoderText(std::shared_ptr<const dialogue::TextEncoder> encoder, const graph::Store* read,
                         graph::Store* write, std::int64_t most_positions)
    : encoder_(std::move(encoder)), read_(read), write_(write), most_positions_(most_positions) {}

std::size_t EncoderText::num_encoded() const {
  const std::lock_guard lock(mutex_);
  return num_encoded_;
}

Tensor EncoderText::recall(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto it = kept_places_.find(key);
  if (it == kept_places_.end()) return {};
  kept_.splice(kept_.begin(), kept_, it->second);
  return it->second->states;
}

void EncoderText::keep(const std::string& key, const Tensor& states) const {
  const std::lock_guard lock(mutex_);
  ++num_encoded_;
  if (states.size(0) > most_positions_ || kept_places_.contains(key)) return;  // another thread was faster
  kept_.push_front({key, states});
  kept_places_.emplace(kept_.front().key, kept_.begin());
  kept_positions_ += states.size(0);
  while (kept_positions_ > most_positions_) {
    kept_positions_ -= kept_.back().states.size(0);
    kept_places_.erase(kept_.back().key);
    kept_.pop_back();
  }
}

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
  encoder_->encode(sequences,
                   [&](std::span<const std::size_t> chosen, const Tensor& states, const Tensor& /*keep*/) {
                     for (std::size_t b = 0; b < chosen.size(); ++b) {
                       const auto length = static_cast<std::int64_t>(sequences[chosen[b]].ids.size());
                       Tensor& row = rows[missing[chosen[b]]];
                       row = states[static_cast<std::int64_t>(b)].slice(0, 0, length).to(torch::kCPU).clone();
                       keep(key_of(contexts[missing[chosen[b]]]), row);
                     }
                   });
}

// States of contexts of which at least one was not prepared, each encoded once.
std::vector<Tensor> EncoderText::rows_of(std::span<const Context> contexts) const {
  std::vector<Tensor> rows(contexts.size());
  std::vector<std::size_t> missing, same(contexts.size());
  std::unordered_map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    const std::string key = key_of(contexts[i]);
    const auto [it, fresh] = first.try_emplace(key, i);
    same[i] = it->second;
    if (!fresh) continue;
    if (const auto place = places_.find(key); place != places_.end()) {
      const std::size_t one[] = {place->second.index};
      rows[i] = sets_[place->second.set].batch(one).states[0];
    } else if (rows[i] = recall(key); !rows[i].defined()) {
      missing.push_back(i);
    }
  }
  encode_missing(contexts, missing, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = rows[same[i]];
  return rows;
}

TextSource::Batch EncoderText::batch(std::span<const Context> contexts) const {
  // Contexts of one set come as one gather; the usual batch of training is such a one.
  std::vector<std::size_t> indices, sets;
  for (const Context& context : contexts) {
    const auto it = places_.find(key_of(context));
    if (it == places_.end()) break;
    indices.push_back(it->second.index);
    sets.push_back(it->second.set);
  }
  const bool one_set =
      !sets.empty() && sets.size() == contexts.size() &&
      std::all_of(sets.begin(), sets.end(), [&](std::size_t s) { return s == sets.front(); });
  if (one_set) {
    const dialogue::TextBatch whole = sets_[sets.front()].batch(indices);
    return {whole.states, whole.keep};
  }
  const std::vector<Tensor> rows = rows_of(contexts);
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
