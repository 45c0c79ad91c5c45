// A small graph with hubs and parallel edges, dialogues over it and models for tests.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "kgwalk/knowledge_graph.h"
#include "runtime/random.h"
#include "tests/walker/remembering_walker.h"
#include "walker/features/candidates.h"
#include "walker/model.h"

namespace kgwalk::walker::testing {

inline std::shared_ptr<const graph::KnowledgeGraph> graph_of(const std::vector<graph::NamedTriple>& triples) {
  return std::make_shared<const graph::KnowledgeGraph>(graph::KnowledgeGraph::from_triples(triples));
}

// Random triples over few names, so that parallel edges and hubs occur.
inline std::shared_ptr<const graph::KnowledgeGraph> random_graph(std::uint64_t seed, int entities = 12,
                                                                 int triples = 30) {
  Random random(seed);
  std::vector<graph::NamedTriple> list;
  for (int i = 0; i < triples; ++i) {
    const auto pick = [&](int n) {
      return random.below(static_cast<std::uint64_t>(n)) % 7 == 0
                 ? 0
                 : random.below(static_cast<std::uint64_t>(n));
    };
    list.push_back({"entity " + std::to_string(pick(entities)), "relation " + std::to_string(random.below(4)),
                    "entity " + std::to_string(pick(entities))});
  }
  return graph_of(list);
}

// Films, people and years; small enough to reason about.
inline std::shared_ptr<const graph::KnowledgeGraph> film_graph() {
  return graph_of({{"Heat", "starred_actors", "Al Pacino"},
                   {"Heat", "starred_actors", "Robert De Niro"},
                   {"Heat", "directed_by", "Michael Mann"},
                   {"Heat", "release_year", "1995"},
                   {"Heat", "has_genre", "Crime"},
                   {"Collateral", "directed_by", "Michael Mann"},
                   {"Collateral", "written_by", "Michael Mann"},
                   {"Collateral", "release_year", "2004"},
                   {"Collateral", "has_genre", "Crime"},
                   {"Scarface (1983 Film)", "starred_actors", "Al Pacino"},
                   {"Scarface (1983 Film)", "has_genre", "Crime"},
                   {"Taxi Driver", "starred_actors", "Robert De Niro"},
                   {"Taxi Driver", "has_genre", "Drama"}});
}

// Log-probabilities that depend on the seed, the path so far and the candidate alone.
class HashedWalker : public RememberingWalker {
 public:
  HashedWalker(std::shared_ptr<const graph::KnowledgeGraph> graph, std::uint64_t seed)
      : graph_(std::move(graph)), seed_(seed) {}
  [[nodiscard]] const graph::KnowledgeGraph& graph() const override { return *graph_; }
  [[nodiscard]] std::string describe() const override { return "hashed"; }
  [[nodiscard]] CandidateScores score(Encoded& encoded, std::span<const PartialPath> states) const override {
    CandidateScores scores;
    scores.offsets.push_back(0);
    for (const PartialPath& path : states) {
      std::uint64_t stream = 17;
      for (int h = 0; h < path.num_hops; ++h) {
        const graph::Edge& e = path.hops[static_cast<std::size_t>(h)];
        stream = stream * 1000003 + e.relation * 131 + e.tail;
      }
      Random random(seed_, stream);
      const graph::EntityId here = entity_of(path, example_of(encoded, path).start);
      std::vector<double> weights;
      double total = 0;
      for (std::size_t j = 0; j <= graph_->out_edges(here).size(); ++j) {
        weights.push_back(std::exp(2 * random.normal()));
        total += weights.back();
      }
      for (const double w : weights) scores.log_probs.push_back(static_cast<float>(std::log(w / total)));
      scores.offsets.push_back(static_cast<std::int64_t>(scores.log_probs.size()));
    }
    return scores;
  }

 private:
  std::shared_ptr<const graph::KnowledgeGraph> graph_;
  std::uint64_t seed_;
};

}  // namespace kgwalk::walker::testing
