// Text states from dialogue's frozen encoder: prepared contexts come from memory, others are encoded
// when asked for.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "dialogue/text/text_states.h"
#include "walker/network/text_source.h"

namespace kgwalk::walker {

class EncoderText : public TextSource {
 public:
  // `read` and `write` are the cache (dialogue::StateCache); either may be null. Borrowed.
  explicit EncoderText(std::shared_ptr<const dialogue::TextEncoder> encoder,
                       const graph::Store* read = nullptr, graph::Store* write = nullptr);

  [[nodiscard]] std::int64_t width() const override { return encoder_->width(); }
  [[nodiscard]] std::int64_t max_tokens() const override {
    return static_cast<std::int64_t>(encoder_->max_tokens());
  }
  [[nodiscard]] std::int64_t num_tokens(const Context& context) const override;
  [[nodiscard]] Batch batch(std::span<const Context> contexts) const override;
  void prepare(std::span<const Context> contexts, std::string_view slot, Reporter& reporter) override;
  [[nodiscard]] std::shared_ptr<const dialogue::TextEncoder> encoder() const override { return encoder_; }
  [[nodiscard]] std::string checksum() const override { return encoder_->checksum(); }

 private:
  struct Place {
    std::size_t set;    // of sets_
    std::size_t index;  // context of that set
  };
  static std::string key_of(const Context& context);
  void encode_missing(std::span<const Context> contexts, std::span<const std::size_t> missing,
                      std::vector<torch::Tensor>& rows) const;

  std::shared_ptr<const dialogue::TextEncoder> encoder_;
  const graph::Store* read_;
  graph::Store* write_;
  std::vector<dialogue::TextStates> sets_;
  std::unordered_map<std::string, Place> places_;
};

}  // namespace kgwalk::walker
