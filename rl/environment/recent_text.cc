#include "rl/environment/recent_text.h"

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

// Each alone: states that came about together with others would differ in their last bits, and with them
// everything that is learned, by what happens to be remembered.
Tensor RecentText::encode(const walker::Context& context) const {
  const Batch made = source_->batch(std::span(&context, 1));
  return made.states[0].slice(0, 0, made.keep[0].sum().item<std::int64_t>()).clone();
}

walker::TextSource::Batch RecentText::batch(std::span<const walker::Context> contexts) const {
  std::vector<Tensor> rows;
  for (const walker::Context& context : contexts) {
    const std::string key = key_of(context);
    rows.push_back(find(key));
    if (rows.back().defined()) continue;
    rows.back() = encode(context);
    remember(key, rows.back());
  }
  std::int64_t longest = 1;
  for (const Tensor& row : rows) longest = std::max(longest, row.size(0));
  const auto count = static_cast<std::int64_t>(rows.size());
  Batch batch{torch::zeros({count, longest, width()}), torch::zeros({count, longest}, torch::kBool)};
  for (std::int64_t b = 0; b < count; ++b) {
    const Tensor& row = rows[static_cast<std::size_t>(b)];
    std::copy_n(row.data_ptr<float>(), row.numel(), batch.states.data_ptr<float>() + b * longest * width());
    std::fill_n(batch.keep.data_ptr<bool>() + b * longest, row.size(0), true);
  }
  return batch;
}

}  // namespace kgwalk::rl
