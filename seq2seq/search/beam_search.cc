#include "seq2seq/search/beam_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kgwalk/error.h"

namespace kgwalk::seq2seq {
namespace {

struct Ending {
  double log_prob;  // the ending choice included
  std::int32_t node;
};

struct Extension {  // a choice that could go on, before the cut to the beam's width
  double log_prob;
  std::int32_t live;  // place of its parent among the live hypotheses
  std::int64_t choice;
};

class Search {
 public:
  Search(std::int32_t num_groups, const BeamOptions& options) : options_(options), unended_(num_groups) {
    result_.finished.resize(static_cast<std::size_t>(num_groups));
    for (std::int32_t g = 0; g < num_groups; ++g) {
      result_.nodes.push_back({.group = g});
      live_.push_back({.node = g, .group = g, .previous = -1});
    }
  }

  BeamResult run(const BeamExpand& expand) {
    for (int step = 0; step <= options_.max_steps && !live_.empty(); ++step) {
      const bool at_end = step == options_.max_steps;
      if (at_end && options_.finish_at_max) break;  // those hypotheses have finished at the step before
      const BeamChoices choices = expand(live_, result_.nodes);
      check(choices);
      advance(choices, step);
    }
    for (std::size_t g = 0; g < unended_.size(); ++g)
      if (result_.finished[g].empty()) result_.finished[g] = std::move(unended_[g]);
    for (auto& list : result_.finished) keep_best(list);
    return std::move(result_);
  }

 private:
  void check(const BeamChoices& choices) const {
    const std::size_t n = live_.size();
    const bool fits = choices.offsets.size() == n + 1 && choices.endings.size() == n &&
                      choices.offsets.front() == 0 &&
                      choices.offsets.back() == static_cast<std::int64_t>(choices.log_probs.size()) &&
                      (choices.tokens.empty() || choices.tokens.size() == choices.log_probs.size()) &&
                      std::is_sorted(choices.offsets.begin(), choices.offsets.end());
    if (!fits)
      throw ShapeError(
          "beam search: the model's choices do not fit its live hypotheses; give one segment each");
  }

  [[nodiscard]] double score_of(double log_prob, int steps) const {
    if (options_.length_penalty == 0) return log_prob;
    return log_prob / std::pow((5.0 + steps) / 6.0, options_.length_penalty);
  }

  [[nodiscard]] double log_prob_of(const LiveHypothesis& h) const {
    return result_.nodes[static_cast<std::size_t>(h.node)].log_prob;
  }

  void finish(std::vector<FinishedHypothesis>& list, std::int32_t node, bool ended, double log_prob) {
    const int steps = result_.nodes[static_cast<std::size_t>(node)].steps;
    list.push_back({node, ended, log_prob, score_of(log_prob, steps)});
  }

  // Takes endings, cuts what goes on to the width, and makes the next live hypotheses.
  void advance(const BeamChoices& choices, int step) {
    std::vector<LiveHypothesis> next;
    for (std::size_t begin = 0; begin < live_.size();) {
      std::size_t end = begin;
      while (end < live_.size() && live_[end].group == live_[begin].group) ++end;
      advance_group(choices, begin, end, step, next);
      begin = end;
    }
    live_ = std::move(next);
  }

  void advance_group(const BeamChoices& choices, std::size_t begin, std::size_t end, int step,
                     std::vector<LiveHypothesis>& next) {
    extensions_.clear();
    endings_.clear();
    auto& finished = result_.finished[static_cast<std::size_t>(live_[begin].group)];
    for (std::size_t i = begin; i < end; ++i) collect(choices, i, step);
    for (const Ending& ending : endings_)
      if (!options_.endings_compete || is_among_best(ending))
        finish(finished, ending.node, true, ending.log_prob);
    const bool last = step + 1 >= options_.max_steps && options_.finish_at_max;
    if (step >= options_.max_steps) return;  // only endings counted at this step
    if (!last) {
      cut_to(static_cast<std::size_t>(options_.width));
    } else if (options_.max_finished > 0 && options_.length_penalty == 0 && choices.tokens.empty()) {
      cut_to(static_cast<std::size_t>(options_.max_finished));  // the others cannot be among the best
    }
    const std::size_t first = next.size();
    for (const Extension& e : extensions_) {
      const LiveHypothesis& parent = live_[static_cast<std::size_t>(e.live)];
      const auto node = static_cast<std::int32_t>(result_.nodes.size());
      result_.nodes.push_back({parent.group, parent.node, e.choice, e.log_prob, step + 1});
      if (last) {
        finish(finished, node, false, e.log_prob);
      } else {
        next.push_back({node, parent.group, e.live});
      }
    }
    if (step + 1 == options_.max_steps && !options_.finish_at_max)
      for (std::size_t i = first; i < next.size(); ++i)
        finish(unended_[static_cast<std::size_t>(next[i].group)], next[i].node, false, log_prob_of(next[i]));
    if (options_.stop_early) drop_beaten_group(finished, next);
  }

  void collect(const BeamChoices& choices, std::size_t i, int step) {
    const double base = log_prob_of(live_[i]);
    for (std::int64_t j = choices.offsets[i]; j < choices.offsets[i + 1]; ++j) {
      const float log_prob = choices.log_probs[static_cast<std::size_t>(j)];
      if (log_prob == -std::numeric_limits<float>::infinity()) continue;
      const std::int64_t choice =
          choices.tokens.empty() ? j - choices.offsets[i] : choices.tokens[static_cast<std::size_t>(j)];
      if (choice == choices.endings[i]) {
        if (step >= options_.min_steps) endings_.push_back({base + log_prob, live_[i].node});
      } else {
        extensions_.push_back({base + log_prob, static_cast<std::int32_t>(i), choice});
      }
    }
  }

  // Of the choices of a group at this step, endings among them.
  [[nodiscard]] bool is_among_best(const Ending& ending) const {
    const auto better = [&](const auto& other) { return other.log_prob > ending.log_prob; };
    return std::count_if(extensions_.begin(), extensions_.end(), better) +
               std::count_if(endings_.begin(), endings_.end(), better) <
           options_.width;
  }

  void cut_to(std::size_t width) {
    const auto better = [](const Extension& a, const Extension& b) {
      if (a.log_prob != b.log_prob) return a.log_prob > b.log_prob;
      return a.live != b.live ? a.live < b.live : a.choice < b.choice;
    };
    const std::size_t keep = std::min(extensions_.size(), width);
    std::partial_sort(extensions_.begin(), extensions_.begin() + static_cast<std::ptrdiff_t>(keep),
                      extensions_.end(), better);
    extensions_.resize(keep);
  }

  // Probabilities only fall, so without a length penalty a live hypothesis cannot overtake; with one this is
  // the usual heuristic of comparing at the present length.
  void drop_beaten_group(std::vector<FinishedHypothesis>& finished, std::vector<LiveHypothesis>& next) {
    const auto wanted =
        static_cast<std::size_t>(options_.max_finished > 0 ? options_.max_finished : options_.width);
    if (finished.size() < wanted || next.empty()) return;
    keep_best(finished);
    const std::int32_t group = result_.nodes[static_cast<std::size_t>(finished.front().node)].group;
    double best_live = -std::numeric_limits<double>::infinity();
    for (const LiveHypothesis& h : next) {
      const BeamNode& node = result_.nodes[static_cast<std::size_t>(h.node)];
      if (h.group == group) best_live = std::max(best_live, score_of(node.log_prob, node.steps));
    }
    if (finished[wanted - 1].score >= best_live)
      std::erase_if(next, [group](const LiveHypothesis& h) { return h.group == group; });
  }

  void keep_best(std::vector<FinishedHypothesis>& list) const {
    const auto most = static_cast<std::size_t>(options_.max_finished);
    if (most > 0 && list.size() > most) return keep_best_of_many(list, most);
    std::stable_sort(list.begin(), list.end(), [](const FinishedHypothesis& a, const FinishedHypothesis& b) {
      return a.score > b.score;
    });
  }

  // Ties in order of creation, as above.
  static void keep_best_of_many(std::vector<FinishedHypothesis>& list, std::size_t most) {
    std::vector<std::size_t> order(list.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
                      [&](std::size_t a, std::size_t b) {
                        return list[a].score > list[b].score || (list[a].score == list[b].score && a < b);
                      });
    std::vector<FinishedHypothesis> best;
    for (std::size_t i = 0; i < most; ++i) best.push_back(list[order[i]]);
    list = std::move(best);
  }

  const BeamOptions options_;
  BeamResult result_;
  std::vector<LiveHypothesis> live_;
  std::vector<std::vector<FinishedHypothesis>> unended_;  // at max_steps without an ending, a list a group
  std::vector<Extension> extensions_;                     // of a group at a step
  std::vector<Ending> endings_;                           // likewise
};

}  // namespace

std::vector<std::int64_t> BeamResult::choices_of(std::int32_t node) const {
  std::vector<std::int64_t> choices;
  for (std::int32_t n = node; nodes[static_cast<std::size_t>(n)].parent >= 0;
       n = nodes[static_cast<std::size_t>(n)].parent)
    choices.push_back(nodes[static_cast<std::size_t>(n)].choice);
  std::reverse(choices.begin(), choices.end());
  return choices;
}

BeamResult beam_search(std::int32_t num_groups, const BeamOptions& options, const BeamExpand& expand) {
  if (options.width < 1 || options.max_steps < 1 || options.min_steps < 0 || num_groups < 0)
    throw ConfigError(
        "beam search: width and max_steps must be at least 1, min_steps and the groups at least 0");
  return Search(num_groups, options).run(expand);
}

}  // namespace kgwalk::seq2seq
