#include "seq2seq/metrics/rouge.h"

#include <algorithm>
#include <map>
#include <utility>

#include "kgwalk/error.h"
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

// Lengths of the longest common subsequences of all beginnings: a.size() + 1 rows of b.size() + 1.
class CommonLengths {
 public:
  CommonLengths(const Words& a, const Words& b)
      : columns_(b.size() + 1), lengths_((a.size() + 1) * (b.size() + 1), 0) {
    for (std::size_t i = 1; i <= a.size(); ++i)
      for (std::size_t j = 1; j <= b.size(); ++j)
        lengths_[i * columns_ + j] =
            a[i - 1] == b[j - 1] ? (*this)(i - 1, j - 1) + 1 : std::max((*this)(i - 1, j), (*this)(i, j - 1));
  }
  [[nodiscard]] std::size_t operator()(std::size_t i, std::size_t j) const {
    return lengths_[i * columns_ + j];
  }
  [[nodiscard]] std::size_t whole() const { return lengths_.back(); }

 private:
  std::size_t columns_;
  std::vector<std::size_t> lengths_;
};

// Marks the words of `a` that one of the longest common subsequences uses; among equals rouge_score's: from
// the end, a word of `a` is given up before one of `b`.
void mark_common(const Words& a, const Words& b, std::vector<bool>& marks) {
  const CommonLengths lengths(a, b);
  for (std::size_t i = a.size(), j = b.size(); i > 0 && j > 0;) {
    if (a[i - 1] == b[j - 1]) {
      marks[--i] = true;
      --j;
    } else if (lengths(i, j - 1) > lengths(i - 1, j)) {
      --j;
    } else {
      --i;
    }
  }
}

std::vector<Words> words_of_lines(std::string_view text, bool stem) {
  std::vector<Words> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(rouge_words(text.substr(0, end), stem));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

Words joined(const std::vector<Words>& lines) {
  Words words;
  for (const Words& line : lines) words.insert(words.end(), line.begin(), line.end());
  return words;
}

// Lin (2004), section 3.2, each word counted no more often than both texts have it, as ROUGE-1.5.5 does.
std::size_t union_of_common(const std::vector<Words>& target, const std::vector<Words>& prediction) {
  std::map<std::string, std::pair<std::size_t, std::size_t>> left;  // in the target, in the prediction
  for (const Words& line : target)
    for (const std::string& word : line) ++left[word].first;
  for (const Words& line : prediction)
    for (const std::string& word : line) ++left[word].second;
  std::size_t matched = 0;
  for (const Words& line : target) {
    std::vector<bool> marks(line.size(), false);
    for (const Words& said : prediction) mark_common(line, said, marks);
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (!marks[i]) continue;
      auto& [of_target, of_prediction] = left[line[i]];
      if (of_target == 0 || of_prediction == 0) continue;
      --of_target;
      --of_prediction;
      ++matched;
    }
  }
  return matched;
}

void add(RougeScore& sum, const RougeScore& score) {
  sum.precision += score.precision;
  sum.recall += score.recall;
  sum.f1 += score.f1;
}

}  // namespace

RougeScores rouge_scores(std::string_view target, std::string_view prediction, bool stem) {
  const std::vector<Words> target_lines = words_of_lines(target, stem);
  const std::vector<Words> said_lines = words_of_lines(prediction, stem);
  const Words expected = joined(target_lines), said = joined(said_lines);
  RougeScores scores;
  scores.rouge1 = n_gram_score(expected, said, 1);
  scores.rouge2 = n_gram_score(expected, said, 2);
  scores.rouge_l = score_of(CommonLengths(expected, said).whole(), expected.size(), said.size());
  scores.rouge_lsum = score_of(union_of_common(target_lines, said_lines), expected.size(), said.size());
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
    add(mean.rouge_lsum, scores.rouge_lsum);
  }
  const auto count = static_cast<double>(targets.size());
  for (RougeScore* score : {&mean.rouge1, &mean.rouge2, &mean.rouge_l, &mean.rouge_lsum})
    for (double* value : {&score->precision, &score->recall, &score->f1}) *value /= count;
  return mean;
}

}  // namespace kgwalk::seq2seq
