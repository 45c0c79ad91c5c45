// From a translator trained in groups of heads (GHT) to one with a single head a group (GHT-PS): the vote of
// seq2seq/attention/grouped_heads.h over the training data, then the smaller model as the start of another
// training.
#pragma once

#include <filesystem>

#include "runtime/reporter.h"
#include "runtime/signals.h"
#include "seq2seq/tasks/translation_config.h"
#include "seq2seq/tasks/translation_task.h"
#include "seq2seq/text/sentencepiece.h"

namespace kgwalk::seq2seq {

// A run of kind "task-mt" that was trained with heads.groups > 0; ConfigError when it was not.
class GroupedRun {
 public:
  [[nodiscard]] static GroupedRun open(const std::filesystem::path& run);

  [[nodiscard]] const SentencePiece& vocabulary() const noexcept { return vocabulary_; }
  // Its model with one head a group in every attention.
  [[nodiscard]] EncoderDecoderOptions pillar_model() const;
  // Lets every batch of `train` vote and copies the weights of the heads that stay into `to`, a
  // pillar_model(). Interrupted when `stop` is set.
  void copy_pillars_to(EncoderDecoder& to, const PieceData& train, Reporter& reporter,
                       const StopFlag& stop) const;

 private:
  GroupedRun(TranslationConfig config, SentencePiece vocabulary, std::filesystem::path checkpoint);
  TranslationConfig config_;
  SentencePiece vocabulary_;
  std::filesystem::path checkpoint_;
};

}  // namespace kgwalk::seq2seq
