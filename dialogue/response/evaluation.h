// How well sentences say messages: against what people said (BLEU-4, chrF, ROUGE-L, with bootstrap
// intervals), how varied they are (distinct-1 and -2) and which names they hold (name_check.h). Torch-free.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dialogue/response/examples.h"
#include "dialogue/response/name_check.h"
#include "seq2seq/metrics/bootstrap.h"

namespace kgwalk::dialogue {

struct ResponseScores {
  std::string system;
  std::int64_t sentences = 0;
  seq2seq::BootstrapInterval bleu, chrf;  // as sacreBLEU counts them, 0 to 100
  seq2seq::BootstrapInterval rouge_l;     // mean F1, 0 to 100
  double distinct_1 = 0, distinct_2 = 0;  // different words and pairs of words, as a share of all
  double named = 0;                       // share of the messages' names that are said
  double all_named = 0;                   // share of sentences that say all of them
  double wrong = 0;  // share of sentences with a name that is neither of message nor context
  std::vector<std::string> wrong_examples = {};  // a few of these sentences
  [[nodiscard]] Json to_json() const;
};

struct ResponseScoring {
  int samples = 1000;  // of the bootstrap
  std::uint64_t seed = 12345;
};

// texts[i] says examples[i].message and is compared with examples[i].text. ConfigError when the numbers
// differ or there are none.
[[nodiscard]] ResponseScores score_responses(std::string system, std::span<const std::string> texts,
                                             std::span<const ResponseExample> examples,
                                             const NameChecker& checker, const ResponseScoring& scoring);

}  // namespace kgwalk::dialogue
