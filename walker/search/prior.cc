#include "walker/search/prior.h"

#include <algorithm>
#include <cmath>

#include "kgwalk/error.h"
#include "kgwalk/graph_details.h"
#include "walker/features/candidates.h"

namespace kgwalk::walker {
namespace {

constexpr double kSmoothing = 0.3;  // added to target counts and to relation counts
constexpr double kNever = 1e-6;     // probability of stopping where no training path did

struct PriorBatch : Encoded {
  std::vector<graph::EntityId> starts;
};

}  // namespace

PriorWalker::PriorWalker(Resources resources, bool weights)
    : resources_(std::move(resources)), weights_(weights) {
  const graph::KnowledgeGraph& graph = *resources_.graph;
  if (weights && !graph::details(graph).has_weights())
    throw ConfigError("the graph has no weights; ingest them, or leave prior_weights off");
  relation_chosen_.assign(graph.num_relations(), 0);
  relation_offered_.assign(graph.num_relations(), 0);
  std::vector<double> reached(kMaxHops + 1, 0), stopped(kMaxHops + 1, 0);
  for (const graph::Dialogue& dialogue : resources_.training) {
    for (const graph::DialogueEvent& event : dialogue.events) {
      const auto* path = std::get_if<graph::WalkedPath>(&event);
      if (path == nullptr || path->hops.empty() || path->hops.size() > kMaxHops) continue;
      for (std::size_t h = 1; h <= path->hops.size(); ++h) ++reached[h];
      ++stopped[path->hops.size()];
      for (const graph::Triple& hop : path->hops) {
        ++relation_chosen_[hop.relation];
        graph::RelationId last = graph.num_relations();
        for (const graph::Edge& edge : graph.out_edges(hop.head)) {
          if (edge.relation != last) ++relation_offered_[edge.relation];
          last = edge.relation;
        }
      }
    }
  }
  for (std::size_t h = 0; h <= kMaxHops; ++h)
    stop_share_.push_back(reached[h] > 0 && stopped[h] > 0 ? stopped[h] / reached[h] : kNever);
}

std::unique_ptr<Encoded> PriorWalker::encode(std::span<const Example> examples) const {
  auto batch = std::make_unique<PriorBatch>();
  for (const Example& example : examples) batch->starts.push_back(example.start);
  return batch;
}

// Appends the log-probabilities of the out-edges of `here` and of stopping.
void PriorWalker::score_entity(graph::EntityId here, int hops, std::vector<float>& out) const {
  const auto edges = resources_.graph->out_edges(here);
  const double stop = edges.empty() ? 1 : stop_share_[static_cast<std::size_t>(std::min(hops, kMaxHops))];
  const graph::GraphDetails& details = graph::details(*resources_.graph);
  const std::uint64_t first = resources_.graph->first_edge(here);
  std::vector<double> weights(edges.size());
  double total = 0;
  for (std::size_t begin = 0; begin < edges.size();) {
    std::size_t end = begin;
    double popularity = 0;
    while (end < edges.size() && edges[end].relation == edges[begin].relation) {
      weights[end] = resources_.statistics->targets(edges[end].tail, kNoGroup) + kSmoothing;
      // A fact of weight 0 is never quite impossible: logarithms are taken.
      if (weights_) weights[end] *= std::max(static_cast<double>(details.weight(first + end)), kNever);
      popularity += weights[end++];
    }
    const graph::RelationId r = edges[begin].relation;
    const double relation = (relation_chosen_[r] + kSmoothing) / (relation_offered_[r] + 10 * kSmoothing);
    for (std::size_t j = begin; j < end; ++j) weights[j] *= relation / popularity;
    total += relation;
    begin = end;
  }
  for (const double w : weights)
    out.push_back(static_cast<float>(std::log(w / total) + std::log1p(-std::min(stop, 1 - kNever))));
  out.push_back(static_cast<float>(edges.empty() ? 0 : std::log(stop)));
}

CandidateScores PriorWalker::score(Encoded& encoded, std::span<const PartialPath> states) const {
  const auto& batch = static_cast<const PriorBatch&>(encoded);
  CandidateScores scores;
  scores.offsets.push_back(0);
  for (const PartialPath& path : states) {
    score_entity(entity_of(path, batch.starts[static_cast<std::size_t>(path.example)]), path.num_hops,
                 scores.log_probs);
    scores.offsets.push_back(static_cast<std::int64_t>(scores.log_probs.size()));
  }
  return scores;
}

}  // namespace kgwalk::walker
