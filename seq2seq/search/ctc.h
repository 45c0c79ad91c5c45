// Decoding of connectionist temporal classification (Graves et al., ICML 2006): best path, prefix beam
// search, alignment, and the prefix scores that join it to an attention decoder (Watanabe et al., IEEE JSTSP
// 2017, section II-D). Torch-free.
//
// T frames, V units, one of them the blank. Log-probabilities are natural logarithms.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace kgwalk::seq2seq {

// log p(unit | frame), row-major [T, V]; borrowed.
struct FrameScores {
  std::span<const float> values;
  std::int64_t frames = 0, units = 0;
  int blank = 0;
  [[nodiscard]] double at(std::int64_t frame, std::int64_t unit) const {
    return values[static_cast<std::size_t>(frame * units + unit)];
  }
};

struct CtcHypothesis {
  std::vector<int> units;
  double log_prob = 0;  // of the labeling: the sum over all its paths that the search kept
  double score = 0;     // with the language model and the bonus a unit
};

// The best unit of every frame, repetitions merged, blanks left out; score and log_prob are the path's.
[[nodiscard]] CtcHypothesis ctc_greedy(const FrameScores& scores);

// log p of what may follow each prefix, [V] floats each, of which only the units and, if there is one,
// `end` are read.
using PrefixScores = std::function<std::vector<std::vector<float>>(std::span<const std::vector<int>>)>;

struct CtcBeamOptions {
  int beam = 10;  // prefixes kept after each frame
  int nbest = 1;
  double threshold = 12;  // a frame's units this far (natural logarithm) below its best one are not tried
  double lm_weight = 0;   // of `language`
  double unit_bonus = 0;  // added to the score for every unit
  int end = -1;           // the unit by which the language model ends a sentence; -1 = none
};

// Prefix beam search; at least one hypothesis (which may be empty), best score first. `language` may be null.
[[nodiscard]] std::vector<CtcHypothesis> ctc_prefix_beam(const FrameScores& scores,
                                                         const CtcBeamOptions& options,
                                                         const PrefixScores& language = {});

// Frames [begin, end) in which a unit stands on the likeliest path of a labeling.
struct UnitSpan {
  std::int64_t begin = 0, end = 0;
};
// One span a unit; nullopt when the frames are too few for the units (a blank is needed between equal ones).
[[nodiscard]] std::optional<std::vector<UnitSpan>> ctc_align(const FrameScores& scores,
                                                             std::span<const int> units);
// Frames that a labeling needs at least.
[[nodiscard]] std::int64_t ctc_frames_needed(std::span<const int> units);
// log of the summed probability of all paths of a labeling.
[[nodiscard]] double ctc_log_prob(const FrameScores& scores, std::span<const int> units);

// Scores of label prefixes: psi(g) = log p(the labeling begins with g). Borrows the frames' scores.
class CtcPrefixScorer {
 public:
  // Forward variables of one prefix: after each of 0 .. T frames, ending in its last unit or in a blank.
  struct State {
    std::vector<double> in_unit, in_blank;  // [T + 1]
    int last = -1;                          // last unit; -1 for the empty prefix
    double log_prob = 0;                    // psi
  };
  explicit CtcPrefixScorer(const FrameScores& scores) : scores_(scores) {}

  [[nodiscard]] State start() const;
  // psi of the prefix with `unit` behind it.
  [[nodiscard]] double extended(const State& state, int unit) const;
  // log p(the labeling is exactly this prefix).
  [[nodiscard]] double ended(const State& state) const;
  [[nodiscard]] State advance(const State& state, int unit) const;

 private:
  FrameScores scores_;
};

}  // namespace kgwalk::seq2seq
