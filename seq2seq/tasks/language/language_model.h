// A trained language model over words: how likely a text is, and how a line may go on.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "seq2seq/models/transformer_language_model.h"
#include "seq2seq/tasks/language/config.h"
#include "seq2seq/tasks/language/likelihood.h"
#include "seq2seq/tasks/word_vocabulary.h"

namespace kgwalk::seq2seq {

// Safe for concurrent calls of the const functions.
class LanguageModel {
 public:
  // A model's folder or a finished run of `kgwalk task lm train`. Errors as read_model_files'.
  [[nodiscard]] static LanguageModel open(const std::filesystem::path& path);
  // ConfigError when vocabulary and weights differ.
  LanguageModel(LanguageConfig config, TransformerLanguageModel model, WordVocabulary vocabulary);

  [[nodiscard]] Likelihood likelihood(std::span<const std::string> lines) const;
  // What may follow `text` on its line, best first; the unknown word is never written. Of a longer text its
  // last words are seen: as many as leave room for search.max_pieces in eval_window, half of it at least.
  [[nodiscard]] std::vector<std::string> continue_line(const std::string& text) const;

  [[nodiscard]] LanguageConfig& config() noexcept { return config_; }
  [[nodiscard]] TransformerLanguageModel model() const { return model_; }
  [[nodiscard]] const WordVocabulary& vocabulary() const noexcept { return vocabulary_; }

 private:
  LanguageConfig config_;
  mutable TransformerLanguageModel model_;
  WordVocabulary vocabulary_;
};

}  // namespace kgwalk::seq2seq
