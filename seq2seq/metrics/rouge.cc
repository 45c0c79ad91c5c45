#include "seq2seq/metrics/rouge.h"

#include <algorithm>
#include <map>

#include "runtime/error.h"
#include "seq2seq/metrics/words.h"

namespace kgwalk::seq2seq {
namespace {

using Words = std::vector<std::string>;

RougeScore score_of(std::size_t matched, std::size_t target, std::size_t prediction) {
  RougeScore score;
  const auto m = static_cast<double>(matched);
  score.precision = m / static_cast<double>(std::max<std::size_t>(prediction, 1));
  score.recall = m / static_cast<double>(std::max<std::size_t>(target, 1));
  const double sum = score.precision + score.recall;
  score.f1 = sum > 0 ? 2 * score.precision * score.recall / sum : 0;
  return score;
}

RougeScore n_gram_score(const Words& target, const Words& prediction, std::size_t n) {
  const auto grams = [n](const Words& words) {
    std::map<Words, std::size_t> counts;
    for (std::size_t i = 0; i + n <= words.size(); ++i)
      ++counts[Words(words.begin() + static_cast<std::ptrdiff_t>(i),
                     words.begin() + static_cast<std::ptrdiff_t>(i + n))];
    return counts;
  };
  const auto size = [n](const Words& words) { return words.size() >= n ? words.size() - n + 1 : 0; };
  const auto expected = grams(target);
  std::size_t matched = 0;
  for (const auto& [gram, times] : grams(prediction))
    if (const auto it = expected.find(gram); it != expected.end()) matched += std::min(times, it->second);
  return score_of(matched, size(target), size(prediction));
}

std::size_t longest_common_subsequence(const Words& a, const Words& b) {
  std::vector<std::size_t> row(b.size() + 1, 0);
  for (const std::string& word : a) {
    std::size_t diagonal = 0;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = word == b[j - 1] ? diagonal + 1 : std::max(above, row[j - 1]);
      diagonal = above;
    }
  }
  return row.back();
}

void add(RougeScore& sum, const RougeScore& score) {
  sum.precision += score.precision;
  sum.recall += score.recall;
  sum.f1 += score.f1;
}

}  // namespace

RougeScores rouge_scores(std::string_view target, std::string_view prediction, bool stem) {
  const Words expected = rouge_words(target, stem), said = rouge_words(prediction, stem);
  RougeScores scores;
  scores.rouge1 = n_gram_score(expected, said, 1);
  scores.rouge2 = n_gram_score(expected, said, 2);
  scores.rouge_l = score_of(longest_common_subsequence(expected, said), expected.size(), said.size());
  return scores;
}

RougeScores mean_rouge(std::span<const std::string> targets, std::span<const std::string> predictions,
                       bool stem) {
  if (targets.size() != predictions.size() || targets.empty())
    throw ConfigError(std::to_string(predictions.size()) + " summaries cannot be compared with " +
                      std::to_string(targets.size()) + " references");
  RougeScores mean;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const RougeScores scores = rouge_scores(targets[i], predictions[i], stem);
    add(mean.rouge1, scores.rouge1);
    add(mean.rouge2, scores.rouge2);
    add(mean.rouge_l, scores.rouge_l);
  }
  const auto count = static_cast<double>(targets.size());
  for (RougeScore* score : {&mean.rouge1, &mean.rouge2, &mean.rouge_l})
    for (double* value : {&score->precision, &score->recall, &score->f1}) *value /= count;
  return mean;
}

}  // namespace kgwalk::seq2seq
