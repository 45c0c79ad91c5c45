#include "seq2seq/search/ctc.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "kgwalk/error.h"

namespace kgwalk::seq2seq {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kNever ? a : a + std::log1p(std::exp(b - a));
}

// ---- prefix beam search ----

// A prefix as a chain of nodes; equal prefixes are one node.
struct Node {
  int parent = -1, unit = -1;
  std::vector<float> next;  // of the language model; asked for when the prefix is first extended
  double extra = 0;         // weighted language model and bonus of the whole prefix
};

struct Paths {
  double in_blank = kNever, in_unit = kNever;
  [[nodiscard]] double total() const { return log_add(in_blank, in_unit); }
};

class PrefixBeam {
 public:
  PrefixBeam(const FrameScores& scores, const CtcBeamOptions& options, const PrefixScores& language)
      : scores_(scores), options_(options), language_(language), nodes_(1) {
    beam_.emplace_back(0, Paths{0, kNever});
  }

  std::vector<CtcHypothesis> run() {
    for (std::int64_t t = 0; t < scores_.frames; ++t) step(t);
    ask_language();
    std::vector<CtcHypothesis> found;
    for (const auto& [node, paths] : beam_) {
      CtcHypothesis h{prefix_of(node), paths.total(), 0};
      h.score = h.log_prob + nodes_[index(node)].extra;
      if (uses_language() && options_.end >= 0)
        h.score += options_.lm_weight * nodes_[index(node)].next[index(options_.end)];
      found.push_back(std::move(h));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const CtcHypothesis& a, const CtcHypothesis& b) { return a.score > b.score; });
    found.resize(std::min(found.size(), index(options_.nbest)));
    return found;
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  [[nodiscard]] bool uses_language() const { return language_ && options_.lm_weight != 0; }

  std::vector<int> prefix_of(int node) const {
    std::vector<int> units;
    for (; nodes_[index(node)].parent >= 0; node = nodes_[index(node)].parent)
      units.push_back(nodes_[index(node)].unit);
    std::reverse(units.begin(), units.end());
    return units;
  }

  // Language scores of the beam's prefixes that have none yet, in one call.
  void ask_language() {
    if (!uses_language()) return;
    std::vector<int> asked;
    std::vector<std::vector<int>> prefixes;
    for (const auto& [node, paths] : beam_)
      if (nodes_[index(node)].next.empty()) {
        asked.push_back(node);
        prefixes.push_back(prefix_of(node));
      }
    if (asked.empty()) return;
    std::vector<std::vector<float>> scores = language_(prefixes);
    for (std::size_t i = 0; i < asked.size(); ++i) nodes_[index(asked[i])].next = std::move(scores[i]);
  }

  int child_of(int node, int unit) {
    const auto [it, added] = children_.try_emplace({node, unit}, static_cast<int>(nodes_.size()));
    if (added) {
      Node child{node, unit, {}, nodes_[index(node)].extra + options_.unit_bonus};
      if (uses_language()) child.extra += options_.lm_weight * nodes_[index(node)].next[index(unit)];
      nodes_.push_back(std::move(child));
    }
    return it->second;
  }

  void step(std::int64_t t) {
    ask_language();
    double best = kNever;
    for (std::int64_t v = 0; v < scores_.units; ++v) best = std::max(best, scores_.at(t, v));
    std::map<int, Paths> next;  // by node, so that equal scores keep one order
    for (const auto& [node, paths] : beam_) {
      const double total = paths.total();
      Paths& same = next[node];
      same.in_blank = log_add(same.in_blank, total + scores_.at(t, scores_.blank));
      const int last = nodes_[index(node)].unit;
      if (last >= 0) same.in_unit = log_add(same.in_unit, paths.in_unit + scores_.at(t, last));
      for (int v = 0; v < scores_.units; ++v) {
        if (v == scores_.blank || v == options_.end || scores_.at(t, v) < best - options_.threshold) continue;
        const double from = v == last ? paths.in_blank : total;
        if (from == kNever) continue;
        Paths& longer = next[child_of(node, v)];
        longer.in_unit = log_add(longer.in_unit, from + scores_.at(t, v));
      }
    }
    keep_best(next);
  }

  void keep_best(const std::map<int, Paths>& next) {
    beam_.assign(next.begin(), next.end());
    const auto score = [&](const std::pair<int, Paths>& item) {
      return item.second.total() + nodes_[index(item.first)].extra;
    };
    std::stable_sort(beam_.begin(), beam_.end(),
                     [&](const auto& a, const auto& b) { return score(a) > score(b); });
    if (beam_.size() > index(options_.beam)) beam_.resize(index(options_.beam));
  }

  const FrameScores& scores_;
  const CtcBeamOptions& options_;
  const PrefixScores& language_;
  std::vector<Node> nodes_;
  std::map<std::pair<int, int>, int> children_;
  std::vector<std::pair<int, Paths>> beam_;
};

}  // namespace

CtcHypothesis ctc_greedy(const FrameScores& scores) {
  CtcHypothesis found;
  int last = scores.blank;
  for (std::int64_t t = 0; t < scores.frames; ++t) {
    int best = 0;
    for (int v = 1; v < scores.units; ++v)
      if (scores.at(t, v) > scores.at(t, best)) best = v;
    found.log_prob += scores.at(t, best);
    if (best != scores.blank && best != last) found.units.push_back(best);
    last = best;
  }
  found.score = found.log_prob;
  return found;
}

std::vector<CtcHypothesis> ctc_prefix_beam(const FrameScores& scores, const CtcBeamOptions& options,
                                           const PrefixScores& language) {
  if (options.beam < 1 || options.nbest < 1 || options.nbest > options.beam)
    throw ConfigError("a prefix beam needs 1 <= nbest <= beam");
  return PrefixBeam(scores, options, language).run();
}

std::int64_t ctc_frames_needed(std::span<const int> units) {
  auto needed = static_cast<std::int64_t>(units.size());
  for (std::size_t i = 1; i < units.size(); ++i) needed += units[i] == units[i - 1];
  return needed;
}

std::optional<std::vector<UnitSpan>> ctc_align(const FrameScores& scores, std::span<const int> units) {
  if (ctc_frames_needed(units) > scores.frames) return std::nullopt;
  // States 2 i are blanks, 2 i + 1 is unit i; came[t][s] is how many states back the best path was.
  const std::size_t states = 2 * units.size() + 1;
  const auto unit_of = [&](std::size_t s) { return s % 2 == 0 ? scores.blank : units[s / 2]; };
  std::vector<double> best(states, kNever), next(states);
  best[0] = 0;
  std::vector<std::uint8_t> came(static_cast<std::size_t>(scores.frames) * states);
  for (std::int64_t t = 0; t < scores.frames; ++t) {
    for (std::size_t s = 0; s < states; ++s) {
      std::size_t back = 0;
      // Before the first frame only state 0 counts, from which the first unit may begin at once.
      if (s >= 1 && best[s - 1] > best[s]) back = 1;
      if (s >= 2 && s % 2 == 1 && unit_of(s) != unit_of(s - 2) && best[s - 2] > best[s - back]) back = 2;
      next[s] = best[s - back] + scores.at(t, unit_of(s));
      came[static_cast<std::size_t>(t) * states + s] = static_cast<std::uint8_t>(back);
    }
    best.swap(next);
  }
  std::size_t s = states - 1;
  if (states > 1 && best[s - 1] > best[s]) --s;
  std::vector<UnitSpan> spans(units.size(), UnitSpan{-1, -1});
  for (std::int64_t t = scores.frames; t-- > 0;) {
    if (s % 2 == 1) {
      UnitSpan& span = spans[s / 2];
      if (span.end < 0) span.end = t + 1;
      span.begin = t;
    }
    s -= came[static_cast<std::size_t>(t) * states + s];
  }
  return spans;
}

double ctc_log_prob(const FrameScores& scores, std::span<const int> units) {
  const CtcPrefixScorer scorer(scores);
  CtcPrefixScorer::State state = scorer.start();
  for (const int unit : units) state = scorer.advance(state, unit);
  return scorer.ended(state);
}

CtcPrefixScorer::State CtcPrefixScorer::start() const {
  State state;
  state.in_unit.assign(static_cast<std::size_t>(scores_.frames) + 1, kNever);
  state.in_blank.assign(1, 0);
  for (std::int64_t t = 0; t < scores_.frames; ++t)
    state.in_blank.push_back(state.in_blank.back() + scores_.at(t, scores_.blank));
  return state;
}

double CtcPrefixScorer::extended(const State& state, int unit) const {
  double psi = kNever;
  for (std::int64_t t = 0; t < scores_.frames; ++t) {
    const auto i = static_cast<std::size_t>(t);
    const double before =
        state.last == unit ? state.in_blank[i] : log_add(state.in_blank[i], state.in_unit[i]);
    psi = log_add(psi, before + scores_.at(t, unit));
  }
  return psi;
}

double CtcPrefixScorer::ended(const State& state) const {
  return log_add(state.in_blank.back(), state.in_unit.back());
}

CtcPrefixScorer::State CtcPrefixScorer::advance(const State& state, int unit) const {
  State next;
  next.last = unit;
  next.in_unit.assign(1, kNever);
  next.in_blank.assign(1, kNever);
  next.log_prob = kNever;
  for (std::int64_t t = 0; t < scores_.frames; ++t) {
    const auto i = static_cast<std::size_t>(t);
    const double p = scores_.at(t, unit);
    const double before =
        state.last == unit ? state.in_blank[i] : log_add(state.in_blank[i], state.in_unit[i]);
    next.log_prob = log_add(next.log_prob, before + p);
    next.in_blank.push_back(log_add(next.in_blank[i], next.in_unit[i]) + scores_.at(t, scores_.blank));
    next.in_unit.push_back(log_add(before, next.in_unit[i]) + p);
  }
  return next;
}

}  // namespace kgwalk::seq2seq
