// The embedded API of summaries: open a model's folder, summarize dialogues.
//
//   auto summarizer = Summarizer::open("runs/samsum");
//   for (const Decoded& d : summarizer.summarize(dialogues)) std::cout << d.hypotheses.front().text << '\n';
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "seq2seq/kernels/quantize.h"
#include "seq2seq/tasks/decoding.h"
#include "seq2seq/tasks/summary/coder.h"
#include "seq2seq/tasks/summary/config.h"
#include "seq2seq/text/sentencepiece.h"

namespace kgwalk::seq2seq {

// Among the hypotheses of the search, each gets
//   score + speaker_coverage * sum over the dialogue's speakers of log(min(1, max(0.1, m_s)))
// with m_s the attention that the summary's pieces gave, in all, to positions that copy the name of s: the
// coverage penalty of GNMT (Wu and others, 2016, Eq. 14) over speakers in place of words.
[[nodiscard]] double speaker_coverage_penalty(const std::vector<double>& masses);

// Safe for concurrent summarize() calls.
class Summarizer {
 public:
  // `path` is a model's folder or a finished run of `kgwalk task summarize train`.
  // Errors as read_model_files'.
  [[nodiscard]] static Summarizer open(const std::filesystem::path& path);
  // Borrows nothing; the model is put into evaluation mode. ConfigError when vocabulary and weights differ.
  Summarizer(SummaryConfig config, PointerGenerator model, SentencePiece vocabulary);

  // Dialogues as parse_dialogue() reads them; one result each, in order, up to `batch` decoded together.
  [[nodiscard]] std::vector<Decoded> summarize(std::span<const std::string> dialogues, int batch = 32) const;

  [[nodiscard]] const SummaryConfig& config() const noexcept { return config_; }
  // ConfigError for impossible options.
  void set_search(const TokenSearchOptions& search, double speaker_coverage);
  // Products of few rows in 8-bit integers from now on (kernels/quantize.h). Not beside summarize().
  void quantize() { (void)quantize_linears(*model_); }
  [[nodiscard]] const SentencePiece& vocabulary() const noexcept { return *vocabulary_; }
  [[nodiscard]] PointerGenerator model() const { return model_; }

 private:
  struct Source;
  void summarize_batch(std::span<const Source* const> sources, std::span<Decoded* const> results) const;
  void rescore(const EncodedPointedSource& encoded, std::span<const Source* const> sources,
               std::vector<std::vector<FoundSequence>>& found) const;

  SummaryConfig config_;
  mutable PointerGenerator model_;
  std::shared_ptr<const SentencePiece> vocabulary_;
  DialogueCoder coder_;
};

}  // namespace kgwalk::seq2seq
