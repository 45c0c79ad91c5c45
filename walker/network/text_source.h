// Where the frozen text states of a dialogue context come from: dialogue's encoder with its cache, or
// nothing. An interface, so that walkers run without a text encoder and tests can put in their own.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/dialogue.h"
#include "kgwalk/progress.h"
#include "runtime/tensor/torch.h"

namespace kgwalk::dialogue {
class TextEncoder;
}

namespace kgwalk::walker {

// The utterances of one example that are heard, oldest first.
using Context = std::vector<graph::Chat>;

class TextSource {
 public:
  struct Batch {
    torch::Tensor states;  // float32 [B, T, width()], zero at padding
    torch::Tensor keep;    // bool [B, T]
  };

  virtual ~TextSource() = default;
  [[nodiscard]] virtual std::int64_t width() const = 0;
  // No context takes more positions.
  [[nodiscard]] virtual std::int64_t max_tokens() const = 0;
  [[nodiscard]] virtual std::int64_t num_tokens(const Context& context) const = 0;
  // States of the contexts, computed when they have not been prepared. Thread-safe.
  [[nodiscard]] virtual Batch batch(std::span<const Context> contexts) const = 0;
  // Computes (or reads from the cache's `slot`) the states of many contexts. Not while others
  // use this object.
  virtual void prepare(std::span<const Context> contexts, std::string_view slot, Reporter& reporter) = 0;
  // What computes them; null without text.
  [[nodiscard]] virtual std::shared_ptr<const dialogue::TextEncoder> encoder() const { return nullptr; }
  // Checksum of the weights behind the states; a run remembers it. "none" without text.
  [[nodiscard]] virtual std::string checksum() const = 0;
};

// No text: every context is one empty position.
class NoText : public TextSource {
 public:
  [[nodiscard]] std::int64_t width() const override { return 1; }
  [[nodiscard]] std::int64_t max_tokens() const override { return 1; }
  [[nodiscard]] std::int64_t num_tokens(const Context& /*context*/) const override { return 1; }
  [[nodiscard]] Batch batch(std::span<const Context> contexts) const override {
    const auto n = static_cast<std::int64_t>(contexts.size());
    return {torch::zeros({n, 1, 1}), torch::ones({n, 1}, torch::kBool)};
  }
  void prepare(std::span<const Context> /*contexts*/, std::string_view /*slot*/,
               Reporter& /*reporter*/) override {}
  [[nodiscard]] std::string checksum() const override { return "none"; }
};

}  // namespace kgwalk::walker
