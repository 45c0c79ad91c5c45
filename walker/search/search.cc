#include "walker/search/search.h"

#include <algorithm>

#include "kgwalk/error.h"
#include "seq2seq/search/beam_search.h"

namespace kgwalk::walker {
namespace {

using seq2seq::BeamChoices;
using seq2seq::BeamNode;
using seq2seq::LiveHypothesis;

// Partial paths of all beam nodes, grown beside the search.
class PathBook {
 public:
  explicit PathBook(const WalkModel& model, std::span<const Example> examples) : graph_(model.graph()) {
    for (std::size_t i = 0; i < examples.size(); ++i) {
      paths_.push_back({.example = static_cast<std::int32_t>(i)});
      starts_.push_back(examples[i].start);
    }
  }

  const PartialPath& at(const std::vector<BeamNode>& nodes, std::int32_t node) {
    while (paths_.size() < nodes.size()) append(nodes[paths_.size()]);
    return paths_[static_cast<std::size_t>(node)];
  }

 private:
  void append(const BeamNode& node) {
    PartialPath path = paths_[static_cast<std::size_t>(node.parent)];
    const graph::EntityId at = path.num_hops == 0
                                   ? starts_[static_cast<std::size_t>(path.example)]
                                   : path.hops[static_cast<std::size_t>(path.num_hops - 1)].tail;
    path.hops[static_cast<std::size_t>(path.num_hops++)] =
        graph_.out_edges(at)[static_cast<std::size_t>(node.choice)];
    paths_.push_back(path);
  }

  const graph::KnowledgeGraph& graph_;
  std::vector<PartialPath> paths_;
  std::vector<graph::EntityId> starts_;
};

// What the length head says of each example, [examples x kMaxHops]; nothing where its weight is 0.
std::vector<float> weighed_lengths(const WalkModel& model, std::span<const Example> examples,
                                   Encoded& encoded, const SearchConfig& config) {
  if (config.length_weight == 0 || examples.empty()) return {};
  std::vector<float> lengths = model.length_log_probs(encoded);
  if (lengths.empty())
    throw ConfigError(
        "search.length_weight is set, but this walker has no length head: set it to 0, or train "
        "a network that has one (walker.model hitkg or lstm, with walker.length_head)");
  return lengths;
}

double length_term(std::span<const float> lengths, const SearchConfig& config, const PartialPath& path) {
  if (lengths.empty() || config.length_weight == 0) return 0;
  return config.length_weight *
         lengths[static_cast<std::size_t>(path.example * kMaxHops + path.num_hops - 1)];
}

void append(const std::vector<PartialPath>& states, const CandidateScores& scores, SearchTrace& trace) {
  trace.states.insert(trace.states.end(), states.begin(), states.end());
  CandidateScores& all = trace.scores;
  if (all.offsets.empty()) all.offsets.push_back(0);
  const std::int64_t base = all.offsets.back();
  for (std::size_t i = 1; i < scores.offsets.size(); ++i) all.offsets.push_back(base + scores.offsets[i]);
  all.log_probs.insert(all.log_probs.end(), scores.log_probs.begin(), scores.log_probs.end());
}

}  // namespace

std::vector<std::vector<ScoredPath>> beam_paths(const WalkModel& model, std::span<const Example> examples,
                                                const SearchConfig& config, SearchTrace* trace) {
  const std::unique_ptr<Encoded> encoded = model.encode(examples);
  return beam_paths(model, examples, *encoded, {.config = config, .trace = trace});
}

std::vector<std::vector<ScoredPath>> beam_paths(const WalkModel& model, std::span<const Example> examples,
                                                Encoded& encoded, const PathSearch& search) {
  const SearchConfig& config = search.config;
  PathBook book(model, examples);
  std::vector<PartialPath> states;
  const auto expand = [&](std::span<const LiveHypothesis> live, const std::vector<BeamNode>& nodes) {
    states.clear();
    for (const LiveHypothesis& h : live) states.push_back(book.at(nodes, h.node));
    CandidateScores scores = model.score(encoded, states);
    if (search.trace != nullptr) append(states, scores, *search.trace);
    BeamChoices choices{std::move(scores.offsets), std::move(scores.log_probs), {}, {}};
    for (std::size_t i = 0; i < live.size(); ++i)
      choices.endings.push_back(choices.offsets[i + 1] - choices.offsets[i] - 1);  // eop comes last
    return choices;
  };
  const bool by_length = config.length_weight != 0;  // which only whole paths are weighed by
  const seq2seq::BeamOptions options{.width = config.beam,
                                     .max_steps = config.max_hops,
                                     .min_steps = 1,
                                     .max_finished = by_length ? 0 : search.most};
  const seq2seq::BeamResult found =
      seq2seq::beam_search(static_cast<std::int32_t>(examples.size()), options, expand);

  const std::vector<float> lengths = weighed_lengths(model, examples, encoded, config);
  std::vector<std::vector<ScoredPath>> result(examples.size());
  for (std::size_t i = 0; i < examples.size(); ++i) {
    for (const seq2seq::FinishedHypothesis& f : found.finished[i]) {
      const PartialPath& path = book.at(found.nodes, f.node);
      result[i].push_back({path.hops, path.num_hops, f.log_prob + length_term(lengths, config, path)});
    }
    if (!lengths.empty())
      std::stable_sort(result[i].begin(), result[i].end(),
                       [](const ScoredPath& a, const ScoredPath& b) { return a.log_prob > b.log_prob; });
    if (search.most > 0) result[i].resize(std::min(result[i].size(), static_cast<std::size_t>(search.most)));
  }
  return result;
}

std::vector<std::vector<ScoredPath>> all_paths(const WalkModel& model, std::span<const Example> examples,
                                               const SearchConfig& config) {
  std::vector<std::vector<ScoredPath>> result(examples.size());
  const std::unique_ptr<Encoded> encoded = model.encode(examples);
  const std::vector<float> lengths = weighed_lengths(model, examples, *encoded, config);
  for (std::size_t e = 0; e < examples.size(); ++e) {
    struct Open {
      PartialPath path;
      double log_prob;
    };
    std::vector<Open> open{{{.example = static_cast<std::int32_t>(e)}, 0.0}};
    while (!open.empty()) {
      const Open here = open.back();
      open.pop_back();
      const CandidateScores scores = model.score(*encoded, {&here.path, 1});
      const int hops = here.path.num_hops;
      const graph::EntityId at =
          hops == 0 ? examples[e].start : here.path.hops[static_cast<std::size_t>(hops - 1)].tail;
      const auto edges = model.graph().out_edges(at);
      const auto emit = [&](const PartialPath& path, double log_prob) {
        result[e].push_back({path.hops, path.num_hops, log_prob + length_term(lengths, config, path)});
      };
      if (hops > 0) emit(here.path, here.log_prob + scores.log_probs[edges.size()]);
      for (std::size_t j = 0; j < edges.size(); ++j) {
        Open next{here.path, here.log_prob + scores.log_probs[j]};
        next.path.hops[static_cast<std::size_t>(next.path.num_hops++)] = edges[j];
        if (next.path.num_hops == config.max_hops) {
          emit(next.path, next.log_prob);
        } else {
          open.push_back(next);
        }
      }
    }
    std::stable_sort(result[e].begin(), result[e].end(),
                     [](const ScoredPath& a, const ScoredPath& b) { return a.log_prob > b.log_prob; });
  }
  return result;
}

}  // namespace kgwalk::walker
