// Single texts through the frozen text encoder, each text once: what was said with the names taken out, and
// the words of relations.
//
// Shapes: B texts, T positions, D width.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>

#include "dialogue/text/text_encoder.h"
#include "runtime/tensor/torch.h"

namespace kgwalk::walker {

// Thread-safe. Keeps the states of the last texts, float16, [CLS] and [SEP] left out.
class PhraseStates {
 public:
  // `most`: texts that are kept; when there are more, all are forgotten and the memory fills anew.
  explicit PhraseStates(std::shared_ptr<const dialogue::TextEncoder> encoder, std::size_t most = 200000)
      : encoder_(std::move(encoder)), most_(most) {}

  [[nodiscard]] std::int64_t width() const { return encoder_->width(); }

  struct Batch {
    torch::Tensor states;  // float32 [B, T, D], zero at padding
    torch::Tensor keep;    // bool [B, T]; a text without pieces keeps one position, which is zero
  };
  // Texts longer than `most_positions` lose their end.
  [[nodiscard]] Batch batch(std::span<const std::string> texts, std::int64_t most_positions) const;
  // Means of the states, [B, D].
  [[nodiscard]] torch::Tensor means(std::span<const std::string> texts) const;
  // Encodes those that are not kept yet, many at once.
  void prepare(std::span<const std::string> texts) const;

 private:
  std::shared_ptr<const dialogue::TextEncoder> encoder_;
  std::size_t most_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::string, torch::Tensor> kept_;  // [T, D]
};

}  // namespace kgwalk::walker
