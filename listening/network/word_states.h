// The states of the words of a text from a frozen text encoder: what relations and types are compared with.
//
// Shapes: T words, N texts, E width.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dialogue/text/text_encoder.h"
#include "runtime/tensor/torch.h"

namespace kgwalk::listening {

// Words are split into pieces one by one and read as one sequence; a word's state is the mean of its
// pieces'. Thread-safe.
class WordStates {
 public:
  explicit WordStates(std::shared_ptr<const dialogue::TextEncoder> encoder) : encoder_(std::move(encoder)) {}

  [[nodiscard]] std::int64_t width() const { return encoder_->width(); }
  [[nodiscard]] const std::string& checksum() const { return encoder_->checksum(); }

  // States of each text, [T, E], float16 on the processor; words that the encoder has no room for are zero.
  [[nodiscard]] std::vector<torch::Tensor> of(std::span<const std::vector<std::string>> texts,
                                              Reporter& reporter = silent_reporter(),
                                              const StopFlag& stop = never_stop()) const;
  // Means over all pieces, [N, E] float32.
  [[nodiscard]] torch::Tensor means(std::span<const std::vector<std::string>> texts) const;

 private:
  struct Pieces {
    dialogue::TokenSequence tokens;
    std::vector<std::int64_t> word;  // of each token; -1: none
  };
  [[nodiscard]] Pieces pieces_of(const std::vector<std::string>& words) const;

  std::shared_ptr<const dialogue::TextEncoder> encoder_;
};

}  // namespace kgwalk::listening
