// Text states with a memory: contexts that were asked for lately are not encoded again. In stage 2 the walker
// and the user hear the same utterances one after the other, which nobody could prepare. The states of a
// context are the same to the last bit whatever was asked for before or beside it.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "walker/network/text_source.h"

namespace kgwalk::rl {

class RecentText : public walker::TextSource {
 public:
  // Remembers between `capacity` and twice as many contexts, the latest.
  explicit RecentText(std::shared_ptr<walker::TextSource> source, std::size_t capacity = 2048);

  [[nodiscard]] std::int64_t width() const override { return source_->width(); }
  [[nodiscard]] std::int64_t max_tokens() const override { return source_->max_tokens(); }
  [[nodiscard]] std::int64_t num_tokens(const walker::Context& context) const override {
    return source_->num_tokens(context);
  }
  [[nodiscard]] Batch batch(std::span<const walker::Context> contexts) const override;
  void prepare(std::span<const walker::Context> contexts, std::string_view slot,
               Reporter& reporter) override {
    source_->prepare(contexts, slot, reporter);
  }
  [[nodiscard]] std::shared_ptr<const dialogue::TextEncoder> encoder() const override {
    return source_->encoder();
  }
  [[nodiscard]] std::string checksum() const override { return source_->checksum(); }

 private:
  using States = std::unordered_map<std::string, torch::Tensor>;  // [T, width()] each
  [[nodiscard]] torch::Tensor find(const std::string& key) const;
  void remember(const std::string& key, const torch::Tensor& states) const;
  [[nodiscard]] torch::Tensor encode(const walker::Context& context) const;

  std::shared_ptr<walker::TextSource> source_;
  std::size_t capacity_;
  mutable std::mutex mutex_;
  mutable States fresh_, older_;  // a full generation becomes the older one
};

}  // namespace kgwalk::rl
