// Beam search over pieces of a vocabulary: turns a model that scores the next piece of each row into the
// choices that the one beam search asks for.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "runtime/config.h"
#include "runtime/tensor/torch.h"

namespace kgwalk::seq2seq {

struct TokenSearchOptions {
  int beam = 5;
  double length_penalty = 0.6;  // score = log_prob / ((5 + pieces) / 6)^length_penalty
  int nbest = 1;
  int max_pieces = 200;  // pieces at most, the end not counted
  double max_ratio = 2;  // and at most this many a source piece, plus ten
  int min_pieces = 0;
  int no_repeat_ngram = 0;  // 0 = off; otherwise no n-gram comes twice in a hypothesis
  template <class F>
  void fields(F& f) {
    f("beam", beam, "Number of hypotheses that are kept; 1 is greedy.").range(1, 1000);
    f("length_penalty", length_penalty, "Exponent of the length penalty; 0 means none.").range(-5, 10);
    f("nbest", nbest, "Number of hypotheses given for a line.").range(1, 1000);
    f("max_pieces", max_pieces, "Longest output, in pieces.").range(1, 1 << 20);
    f("max_ratio", max_ratio, "The longest output is this times the source's pieces, plus ten.")
        .range(0.1, 1000);
    f("min_pieces", min_pieces, "Shortest output, in pieces.").range(0, 1 << 20);
    f("no_repeat_ngram", no_repeat_ngram, "Length of the n-grams that may come once only; 0 forbids none.")
        .range(0, 100);
  }
};

// One finished hypothesis: pieces without the end, and its scores (natural logarithms).
struct FoundSequence {
  std::vector<std::int64_t> pieces;
  double log_prob = 0, score = 0;
  bool ended = false;  // false: cut at the length limit
};

// Scores of the next piece, unnormalized (unless the task says final_scores), float32 [N, V] on the CPU: row
// i continues row parents[i] of the step before with piece pieces[i] (int64 [N] both; at the first step
// pieces are the start piece and parents are the groups themselves). The result is overwritten.
using ScoreStep = std::function<torch::Tensor(const torch::Tensor& pieces, const torch::Tensor& parents)>;

// What may not follow, whatever the model says. Called for several rows at once from several threads.
class PieceGuard {
 public:
  virtual ~PieceGuard() = default;
  // `pieces`: of a hypothesis of `group` so far, without the start. Scores [V] of what may not follow, the
  // end among them, become minus infinity and are never chosen; the others are left as they are.
  virtual void forbid(std::int32_t group, std::span<const std::int64_t> pieces,
                      std::span<float> scores) const = 0;
};

// limits[g]: longest output of group g in pieces. `never` are pieces that are not chosen
// (padding, unknown, start).
struct TokenSearchTask {
  std::int64_t start_piece, end_piece;
  std::vector<std::int64_t> never;
  std::vector<int> limits;
  bool final_scores = false;  // what the model gives is added up as it is, not made a distribution first
  const PieceGuard* guard = nullptr;  // borrowed; null = everything may follow
};

// For each group up to nbest hypotheses, best first (at least one). Deterministic.
[[nodiscard]] std::vector<std::vector<FoundSequence>> search_tokens(const TokenSearchTask& task,
                                                                    const TokenSearchOptions& options,
                                                                    const ScoreStep& step);

}  // namespace kgwalk::seq2seq
