// A language model of `kgwalk task lm` over a recognizer's units, for shallow fusion: its training text has
// the units of each transcript split by spaces (RUN/units.text of a recognizer's training).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "runtime/tensor/torch.h"
#include "seq2seq/search/ctc.h"
#include "seq2seq/tasks/language/language_model.h"
#include "seq2seq/tasks/recognition/units.h"

namespace kgwalk::seq2seq {

// Safe for concurrent use.
class UnitLanguage {
 public:
  // ConfigError when the model does not know every unit (blank, unknown and start apart): it was trained
  // on other units.
  UnitLanguage(const std::filesystem::path& model, const SpeechUnits& units);

  // Step by step, for the search over labels: ids int64 [N] (anything at the first step) -> log p [N, V] of
  // the recognizer's units; its end stands for the end of the line.
  [[nodiscard]] DecoderState start(std::int64_t rows) const { return model_->start(rows); }
  [[nodiscard]] torch::Tensor step(const torch::Tensor& ids, DecoderState& state) const;
  // Scores after whole prefixes, for CTC's prefix beam.
  [[nodiscard]] std::vector<std::vector<float>> after(std::span<const std::vector<int>> prefixes) const;

 private:
  mutable TransformerLanguageModel model_{nullptr};
  std::int64_t line_end_ = 0;
  torch::Tensor words_;  // int64 [V]: the model's word of each unit
};

}  // namespace kgwalk::seq2seq
