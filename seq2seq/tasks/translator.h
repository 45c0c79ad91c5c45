// The embedded API of translation: open a model's folder, translate lines.
//
//   auto translator = Translator::open("runs/en-de");
//   for (const Translation& t : translator.translate(lines)) std::cout << t.hypotheses.front().text << '\n';
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "seq2seq/tasks/translation_config.h"
#include "seq2seq/text/sentencepiece.h"

namespace kgwalk::seq2seq {

struct Hypothesis {
  std::string text;
  double log_prob = 0;  // natural logarithm, of all pieces and the end
  double score = 0;     // after the length penalty
};

struct Translation {
  std::vector<Hypothesis> hypotheses;  // best first; of an empty line one empty hypothesis
  bool cut = false;                    // the line was longer than the model's limit, the rest was left out
  bool repaired = false;               // bytes that were no UTF-8 were read as U+FFFD
};

// Safe for concurrent translate() calls.
class Translator {
 public:
  // `path` is a model's folder or a finished run of `kgwalk task mt train`. Errors as read_model_folder's.
  [[nodiscard]] static Translator open(const std::filesystem::path& path);
  // Borrows nothing; the model is put into evaluation mode.
  Translator(TranslationConfig config, EncoderDecoder model, SentencePiece vocabulary);

  // One result a line, in order. Lines are gathered by length into batches of up to `batch` lines.
  [[nodiscard]] std::vector<Translation> translate(std::span<const std::string> lines, int batch = 64) const;

  [[nodiscard]] const TranslationConfig& config() const noexcept { return config_; }
  void set_search(const TokenSearchOptions& search);  // ConfigError for impossible options
  [[nodiscard]] const SentencePiece& vocabulary() const noexcept { return *vocabulary_; }
  [[nodiscard]] EncoderDecoder model() const { return model_; }

 private:
  struct Line;
  void translate_batch(std::span<Line* const> lines, std::vector<Translation>& results) const;

  TranslationConfig config_;
  mutable EncoderDecoder model_;
  std::shared_ptr<const SentencePiece> vocabulary_;
};

}  // namespace kgwalk::seq2seq
