#include "rl/recent_text.h"

#include <algorithm>

namespace kgwalk::rl {

using torch::Tensor;

namespace {

std::string key_of(const walker::Context& context) {
  std::string key;
  for (const graph::Chat& chat : context) {
    key += chat.speaker == graph::Speaker::kUser ? '\1' : '\2';
    key += chat.text;
  }
  return key;
}

}  // namespace

RecentText::RecentText(std::shared_ptr<walker::TextSource> source, std::size_t capacity)
    : source_(std::move(source)), capacity_(capacity) {}

Tensor RecentText::find(const std::string& key) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const auto it = fresh_.find(key); it != fresh_.end()) return it->second;
  const auto it = older_.find(key);
  return it == older_.end() ? Tensor() : it->second;
}

void RecentText::remember(const std::string& key, const Tensor& states) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (fresh_.size() >= capacity_) {
    older_ = std::move(fresh_);
    fresh_.clear();
  }
  fresh_.insert_or_assign(key, states);
}

walker::TextSource::Batch RecentText::batch(std::span<const walker::Context> contexts) const {
  std::vector<std::string> keys;
  std::vector<Tensor> rows;
  std::unordered_map<std::string, std::size_t> place;  // of a missing key in `missing`
  std::vector<walker::Context> missing;
  for (const walker::Context& context : contexts) {
    keys.push_back(key_of(context));
    rows.push_back(find(keys.back()));
    if (!rows.back().defined() && place.try_emplace(keys.back(), missing.size()).second)
      missing.push_back(context);
  }
  if (!missing.empty()) {
    const Batch made = source_->batch(missing);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].defined()) continue;
      const auto b = static_cast<std::int64_t>(place.at(keys[i]));
      rows[i] = made.states[b].slice(0, 0, made.keep[b].sum().item<std::int64_t>()).clone();
      remember(keys[i], rows[i]);
    }
  }
  std::int64_t longest = 1;
  for (const Tensor& row : rows) longest = std::max(longest, row.size(0));
  const auto count = static_cast<std::int64_t>(rows.size());
  Batch batch{torch::zeros({count, longest, width()}), torch::zeros({count, longest}, torch::kBool)};
  for (std::int64_t b = 0; b < count; ++b) {
    const Tensor& row = rows[static_cast<std::size_t>(b)];
    batch.states[b].slice(0, 0, row.size(0)).copy_(row);
    batch.keep[b].slice(0, 0, row.size(0)).fill_(true);
  }
  return batch;
}

}  // namespace kgwalk::rl
