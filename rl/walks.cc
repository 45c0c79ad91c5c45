#include "rl/walks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "runtime/error.h"
#include "walker/candidates.h"

namespace kgwalk::rl {
namespace {

using graph::Edge;
using walker::CandidateScores;
using walker::Example;

CandidateScores first_hop_scores(const walker::WalkModel& model, std::span<const Example> examples) {
  std::vector<walker::PartialPath> states;
  for (std::size_t i = 0; i < examples.size(); ++i)
    states.push_back({.example = static_cast<std::int32_t>(i)});
  const auto encoded = model.encode(examples);
  return model.score(*encoded, states);
}

std::vector<Example> without_goals(std::span<const Example* const> situations) {
  std::vector<Example> examples;
  for (const Example* s : situations) {
    examples.push_back(*s);
    examples.back().goal.reset();
  }
  return examples;
}

std::pair<double, double> wilson(std::int64_t hits, std::int64_t n) {
  if (n == 0) return {0, 0};
  const double z = 1.959964, p = static_cast<double>(hits) / static_cast<double>(n),
               m = static_cast<double>(n);
  const double centre = (p + z * z / (2 * m)) / (1 + z * z / m);
  const double half = z * std::sqrt(p * (1 - p) / m + z * z / (4 * m * m)) / (1 + z * z / m);
  return {100 * (centre - half), 100 * (centre + half)};
}

double percent(std::int64_t hits, std::int64_t n) {
  return n == 0 ? 0 : 100.0 * static_cast<double>(hits) / static_cast<double>(n);
}

int hops_allowed(const Pair& pair, const WalkConfig& config) {
  return std::max(static_cast<int>(std::ceil(config.budget * pair.distance)), pair.distance + config.slack);
}

}  // namespace

Chooser greedy(const walker::WalkModel& model) {
  return [&model](std::span<const Example* const> situations) {
    std::vector<Example> examples;
    for (const Example* s : situations) examples.push_back(*s);
    const CandidateScores scores = first_hop_scores(model, examples);
    std::vector<Edge> hops;
    for (std::size_t i = 0; i < situations.size(); ++i) {
      const auto begin = scores.log_probs.begin() + scores.offsets[i];
      const auto last = scores.log_probs.begin() + scores.offsets[i + 1] - 1;  // stopping is no hop
      const auto best = static_cast<std::size_t>(std::max_element(begin, last) - begin);
      hops.push_back(model.graph().out_edges(situations[i]->start)[best]);
    }
    return hops;
  };
}

Chooser shortest(const graph::KnowledgeGraph& graph, const graph::DistanceIndex& index, Random& random) {
  return [&graph, &index, &random](std::span<const Example* const> situations) {
    std::vector<Edge> hops;
    for (const Example* s : situations) {
      const graph::Distance here = index.distance(s->start, *s->goal);
      std::vector<Edge> nearer;
      for (const Edge& edge : graph.out_edges(s->start))
        if (index.distance(edge.tail, *s->goal) < here) nearer.push_back(edge);
      if (nearer.empty()) throw Error("a goal cannot be reached from where the walk stands");
      hops.push_back(nearer[random.below(nearer.size())]);
    }
    return hops;
  };
}

Chooser natural_shortest(const walker::WalkModel& model, const graph::DistanceIndex& index) {
  return [&model, &index](std::span<const Example* const> situations) {
    const CandidateScores scores = first_hop_scores(model, without_goals(situations));
    std::vector<Edge> hops;
    for (std::size_t i = 0; i < situations.size(); ++i) {
      const Example& s = *situations[i];
      const graph::Distance here = index.distance(s.start, *s.goal);
      const float* p = scores.log_probs.data() + scores.offsets[i];
      std::optional<std::size_t> best;
      const auto edges = model.graph().out_edges(s.start);
      for (std::size_t e = 0; e < edges.size(); ++e)
        if ((!best || p[e] > p[*best]) && index.distance(edges[e].tail, *s.goal) < here) best = e;
      if (!best) throw Error("a goal cannot be reached from where the walk stands");
      hops.push_back(edges[*best]);
    }
    return hops;
  };
}

std::vector<float> hop_log_probs(const walker::WalkModel& model, std::span<const Example* const> situations,
                                 std::span<const Edge> hops) {
  const CandidateScores scores = first_hop_scores(model, without_goals(situations));
  std::vector<float> result;
  for (std::size_t i = 0; i < situations.size(); ++i) {
    const std::int64_t place = walker::place_of(model.graph(), situations[i]->start, hops[i]);
    if (place < 0) throw Error("a hop of a walk is no edge of the graph");
    const float stop = scores.log_probs[static_cast<std::size_t>(scores.offsets[i + 1] - 1)];
    result.push_back(scores.log_probs[static_cast<std::size_t>(scores.offsets[i] + place)] -
                     std::log1p(-std::min(std::exp(stop), 0.999999F)));
  }
  return result;
}

std::vector<Walk> walk_pairs(std::span<const Pair> pairs, const Chooser& choose, const UserVoice& user,
                             const graph::DistanceIndex& index, const walker::WalkModel* stage1,
                             const WalkConfig& config, std::uint64_t seed, Reporter& reporter,
                             const StopFlag& stop) {
  std::vector<Walk> walks;
  for (const Pair& pair : pairs) walks.push_back({begin_episode(pair), 0});
  Random random(seed, 23);
  const auto progress = reporter.start("walk", static_cast<std::int64_t>(pairs.size()), "walks");
  for (std::size_t begin = 0; begin < walks.size(); begin += static_cast<std::size_t>(config.batch)) {
    const std::size_t end = std::min(walks.size(), begin + static_cast<std::size_t>(config.batch));
    std::vector<Walk*> open;
    for (std::size_t i = begin; i < end; ++i) open.push_back(&walks[i]);
    while (!open.empty()) {
      if (stop.requested()) throw Interrupted("stopped while walking towards goals");
      std::vector<Episode*> episodes;
      std::vector<const Example*> situations;
      for (Walk* w : open) {
        episodes.push_back(&w->episode);
        situations.push_back(&w->episode.situation);
      }
      let_user_speak(episodes, user, random);
      const std::vector<Edge> hops = choose(situations);
      if (stage1 != nullptr) {
        const std::vector<float> natural = hop_log_probs(*stage1, situations, hops);
        for (std::size_t i = 0; i < open.size(); ++i) open[i]->log_prob += natural[i];
      }
      for (std::size_t i = 0; i < open.size(); ++i) take_hop(open[i]->episode, hops[i], index);
      std::erase_if(open, [&](const Walk* w) {
        return w->reached() || w->episode.hops >= hops_allowed(w->episode.pair, config);
      });
    }
    progress->add(static_cast<std::int64_t>(end - begin));
  }
  return walks;
}

SuccessRow success_row(int distance, std::span<const Walk> walks, std::int64_t infeasible) {
  SuccessRow row;
  row.distance = distance;
  row.infeasible = infeasible;
  std::int64_t reached = 0, hops = 0;
  for (const Walk& w : walks) {
    ++row.pairs;
    row.log_prob += w.log_prob;
    hops += w.episode.hops;
    if (!w.reached()) continue;
    ++reached;
    row.turn_ratio += static_cast<double>(w.episode.hops) / distance;
    const int budgets[3] = {distance, distance + 2, 2 * distance};
    for (int b = 0; b < 3; ++b) row.within[b] += w.episode.hops <= budgets[b];
  }
  if (reached > 0) row.turn_ratio /= static_cast<double>(reached);
  if (hops > 0) row.log_prob /= static_cast<double>(hops);
  return row;
}

Json SuccessRow::to_json() const {
  Json json = {{"distance", distance}, {"pairs", pairs}, {"infeasible_goals", infeasible}};
  const char* names[3] = {"within_d", "within_d_plus_2", "within_2d"};
  for (int b = 0; b < 3; ++b) {
    const auto [low, high] = wilson(within[b], pairs);
    json[names[b]] = {{"percent", percent(within[b], pairs)}, {"low", low}, {"high", high}};
  }
  json["turn_ratio"] = turn_ratio;
  json["log_prob_per_hop"] = log_prob;
  return json;
}

std::string success_table(std::span<const SuccessRow> rows) {
  std::string text =
      "distance  pairs    within d            within d + 2        within 2 d          hops/d  log p/hop\n";
  for (const SuccessRow& row : rows) {
    text += fmt::format("{:8}  {:5}", row.distance, row.pairs);
    for (const std::int64_t hits : row.within) {
      const auto [low, high] = wilson(hits, row.pairs);
      text += fmt::format("  {:5.1f} % [{:4.1f}, {:5.1f}]", percent(hits, row.pairs), low, high);
    }
    text += fmt::format("  {:6.2f}  {:9.2f}", row.turn_ratio, row.log_prob);
    if (row.infeasible > 0) text += fmt::format("   ({} goals have nothing so far away)", row.infeasible);
    text += '\n';
  }
  return text;
}

}  // namespace kgwalk::rl
