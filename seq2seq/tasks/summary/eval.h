// Evaluation of a summarizer on dialogues with summaries: ROUGE-1, ROUGE-2, ROUGE-L and, sentence by sentence
// (sentences_as_lines in metrics/words.h), ROUGE-Lsum F1 as rouge_score computes them, 95 % intervals, paired
// tests against another system's output, and what simple rules reach.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kgwalk/progress.h"
#include "seq2seq/metrics/bootstrap.h"
#include "seq2seq/tasks/summary/dialogue.h"
#include "seq2seq/tasks/summary/summarizer.h"

namespace kgwalk::seq2seq {

struct SummaryEvalOptions {
  bool stem = true;                                  // Porter's stemmer, as summaries are usually compared
  int batch = 32;                                    // dialogues decoded together
  int samples = 1000;                                // of the bootstrap
  std::uint64_t seed = 12345;                        // of the bootstrap
  std::optional<std::vector<std::string>> baseline;  // another system's output, line by line
};

// F1, times 100, by rouge_score's names.
inline constexpr std::array<const char*, 4> kRougeNames{"rouge1", "rouge2", "rougeL", "rougeLsum"};
using RougeF1 = std::array<double, kRougeNames.size()>;

struct SummaryEvalReport {
  DecodingReport decoding;
  std::array<BootstrapInterval, kRougeNames.size()> rouge;
  std::optional<std::array<PairedBootstrap, kRougeNames.size()>> against_baseline;
  std::vector<std::pair<std::string, RougeF1>> rules;  // the first three turns, the longest three
  bool stem = true;
  [[nodiscard]] Json to_json() const;  // without the hypotheses
};

// ConfigError when there is nothing to summarize or the baseline has another number of lines.
[[nodiscard]] SummaryEvalReport evaluate_summaries(const Summarizer& summarizer,
                                                   const std::vector<SummaryExample>& examples,
                                                   const SummaryEvalOptions& options, Reporter& reporter);

}  // namespace kgwalk::seq2seq
