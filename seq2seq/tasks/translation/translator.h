// The embedded API of translation: open a model's folder, translate lines.
//
//   auto translator = Translator::open("runs/en-de");
//   for (const Decoded& t : translator.translate(lines)) std::cout << t.hypotheses.front().text << '\n';
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "seq2seq/kernels/quantize.h"
#include "seq2seq/tasks/decoding.h"
#include "seq2seq/tasks/translation/config.h"
#include "seq2seq/text/sentencepiece.h"

namespace kgwalk::seq2seq {

// Safe for concurrent translate() calls.
class Translator {
 public:
  // `path` is a model's folder or a finished run of `kgwalk task mt train`. Errors as read_model_folder's.
  [[nodiscard]] static Translator open(const std::filesystem::path& path);
  // Borrows nothing; the model is put into evaluation mode.
  Translator(TranslationConfig config, EncoderDecoder model, SentencePiece vocabulary);

  // One result a line, in order. Lines are gathered by length into batches of up to `batch` lines.
  [[nodiscard]] std::vector<Decoded> translate(std::span<const std::string> lines, int batch = 64) const;

  [[nodiscard]] const TranslationConfig& config() const noexcept { return config_; }
  void set_search(const TokenSearchOptions& search);  // ConfigError for impossible options
  // Only these groups of decoder layers speak from now on (GTRANS; ascending, from 0; empty = all).
  // ConfigError for a model without groups. Not beside translate().
  void keep_groups(const std::vector<int>& kept) { model_->keep_groups(kept); }
  // Products of few rows in 8-bit integers from now on (kernels/quantize.h). Not beside translate().
  void quantize() { (void)quantize_linears(*model_); }
  [[nodiscard]] const SentencePiece& vocabulary() const noexcept { return *vocabulary_; }
  [[nodiscard]] EncoderDecoder model() const { return model_; }

 private:
  void translate_batch(std::span<const std::vector<int>* const> lines,
                       std::span<Decoded* const> results) const;

  TranslationConfig config_;
  mutable EncoderDecoder model_;
  std::shared_ptr<const SentencePiece> vocabulary_;
};

}  // namespace kgwalk::seq2seq
