// ROUGE-1, ROUGE-2 and both forms of ROUGE-L (Lin, 2004) of one pair of texts as rouge_score computes them,
// and their means. Torch-free.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kgwalk::seq2seq {

struct RougeScore {
  double precision = 0, recall = 0, f1 = 0;  // 0 .. 1
};

struct RougeScores {
  RougeScore rouge1, rouge2;
  RougeScore rouge_l;  // longest common subsequence of the whole texts
  // For each sentence of the target, the union over the sentences of the prediction (section 3.2).
  RougeScore rouge_lsum;
};

// A line of a text is a sentence (rouge_lsum; sentences_as_lines in metrics/words.h cuts running text).
[[nodiscard]] RougeScores rouge_scores(std::string_view target, std::string_view prediction, bool stem);
// ConfigError when the numbers differ or there is none. The means of precision, recall and F1 over the pairs.
[[nodiscard]] RougeScores mean_rouge(std::span<const std::string> targets,
                                     std::span<const std::string> predictions, bool stem);

}  // namespace kgwalk::seq2seq
