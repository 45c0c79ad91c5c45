// Text states from dialogue's frozen encoder: prepared contexts come from memory, others are encoded
// when they are first asked for and kept while they are asked for again.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "dialogue/text/text_states.h"
#include "walker/network/text_source.h"

namespace kgwalk::walker {

class EncoderText : public TextSource {
 public:
  // `read` and `write` are the cache (dialogue::StateCache); either may be null. Borrowed. `most_positions`:
  // of the contexts that are kept without having been prepared; those not asked for the longest are forgotten
  // first.
  explicit EncoderText(std::shared_ptr<const dialogue::TextEncoder> encoder,
                       const graph::Store* read = nullptr, graph::Store* write = nullptr,
                       std::int64_t most_positions = 65536);

  [[nodiscard]] std::int64_t width() const override { return encoder_->width(); }
  [[nodiscard]] std::int64_t max_tokens() const override {
    return static_cast<std::int64_t>(encoder_->max_tokens());
  }
  [[nodiscard]] std::int64_t num_tokens(const Context& context) const override;
  [[nodiscard]] Batch batch(std::span<const Context> contexts) const override;
  void prepare(std::span<const Context> contexts, std::string_view slot, Reporter& reporter) override;
  [[nodiscard]] std::shared_ptr<const dialogue::TextEncoder> encoder() const override { return encoder_; }
  [[nodiscard]] std::string checksum() const override { return encoder_->checksum(); }
  // Contexts that were encoded because they were neither prepared nor kept.
  [[nodiscard]] std::size_t num_encoded() const;

 private:
  struct Place {
    std::size_t set;    // of sets_
    std::size_t index;  // context of that set
  };
  struct Kept {
    std::string key;
    torch::Tensor states;  // [T, D]
  };
  static std::string key_of(const Context& context);
  [[nodiscard]] torch::Tensor recall(const std::string& key) const;  // undefined when it is not kept
  void keep(const std::string& key, const torch::Tensor& states) const;
  [[nodiscard]] std::vector<torch::Tensor> rows_of(std::span<const Context> contexts) const;  // [T, D] each
  void encode_missing(std::span<const Context> contexts, std::span<const std::size_t> missing,
                      std::vector<torch::Tensor>& rows) const;

  std::shared_ptr<const dialogue::TextEncoder> encoder_;
  const graph::Store* read_;
  graph::Store* write_;
  std::vector<dialogue::TextStates> sets_;
  std::unordered_map<std::string, Place> places_;
  std::int64_t most_positions_;
  mutable std::mutex mutex_;      // of the following
  mutable std::list<Kept> kept_;  // asked for last, first
  mutable std::unordered_map<std::string_view, std::list<Kept>::iterator> kept_places_;  // keys lie in kept_
  mutable std::int64_t kept_positions_ = 0;
  mutable std::size_t num_encoded_ = 0;
};

}  // namespace kgwalk::walker
