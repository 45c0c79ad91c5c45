// Frozen text states of dialogue contexts: computed once per distinct context, kept in the database, handed
// out in padded batches.
//
// Shapes: B contexts, T positions, D width.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialogue/text/state_cache.h"
#include "dialogue/text/text_encoder.h"
#include "runtime/config.h"
#include "runtime/tensor/torch.h"

namespace kgwalk::dialogue {

struct TextStatesReport {
  std::size_t contexts = 0, distinct = 0, tokens = 0;  // tokens of the distinct ones
  std::size_t cut_contexts = 0, cut_pieces = 0;        // distinct ones that were too long, and what they lost
  bool from_cache = false;
  double seconds = 0;
  [[nodiscard]] Json to_json() const;
};

struct TextBatch {
  torch::Tensor states;  // float32 [B, T, D], zero where there is padding
  torch::Tensor keep;    // bool [B, T], false = padding
  torch::Tensor ids;     // int64 [B, T], piece ids; the padding id where there is padding
  torch::Tensor age;     // int64 [B, T], TokenSequence::age
};

// Immutable and thread-safe after load(). States are float16 in memory and in the database.
class TextStates {
 public:
  // contexts[i]: the utterances of context i, oldest first; equal ones are computed once. Reports truncation
  // and a damaged cache through `reporter`. Stopped when asked to stop.
  [[nodiscard]] static TextStates load(std::shared_ptr<const TextEncoder> encoder,
                                       std::span<const std::span<const graph::Chat>> contexts,
                                       const StateCache& cache, Reporter& reporter = silent_reporter(),
                                       const StopFlag& stop = never_stop());

  [[nodiscard]] std::int64_t width() const noexcept { return encoder_->width(); }
  [[nodiscard]] const TextStatesReport& report() const noexcept { return report_; }
  // Positions of context i, special ones included.
  [[nodiscard]] std::size_t num_tokens(std::size_t context) const { return sequence(context).ids.size(); }
  [[nodiscard]] const TokenSequence& sequence(std::size_t context) const {
    return sequences_[rows_[context]];
  }

  // The contexts at these places, in this order, on the device the states live on.
  [[nodiscard]] TextBatch batch(std::span<const std::size_t> contexts) const;
  // Moves the states to a device, for training there.
  void to(torch::Device device) { states_ = states_.to(device); }

 private:
  explicit TextStates(std::shared_ptr<const TextEncoder> encoder) : encoder_(std::move(encoder)) {}
  void tokenize(std::span<const std::span<const graph::Chat>> contexts);
  [[nodiscard]] std::string texts_checksum() const;
  void compute(Reporter& reporter, const StopFlag& stop);

  std::shared_ptr<const TextEncoder> encoder_;
  std::vector<TokenSequence> sequences_;  // distinct ones in order of first appearance
  std::vector<std::uint32_t> rows_;       // context -> sequence
  std::vector<std::int64_t> begins_;      // sequence -> first row of states_
  torch::Tensor states_;                  // float16 [N + 1, D]; the last row is zero
  TextStatesReport report_;
};

}  // namespace kgwalk::dialogue
