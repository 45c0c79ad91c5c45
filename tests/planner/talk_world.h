// A graph to talk about, with what a goal can do wrong, and a walker that knows the way.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/distances.h"
#include "kgwalk/guide.h"
#include "kgwalk/knowledge_graph.h"
#include "planner/guide_core.h"
#include "tests/walker/remembering_walker.h"
#include "walker/model.h"

namespace kgwalk::testing {

// Films around Michael Mann; another component around Mars; a name without edges; two films of one name.
inline std::shared_ptr<const graph::KnowledgeGraph> talk_graph() {
  const std::vector<graph::NamedTriple> triples{{"Heat (1995 Film)", "starred_actors", "Al Pacino"},
                                                {"Heat (1995 Film)", "starred_actors", "Robert De Niro"},
                                                {"Heat (1995 Film)", "directed_by", "Michael Mann"},
                                                {"Heat (1986 Film)", "starred_actors", "Burt Reynolds"},
                                                {"Heat (1986 Film)", "has_genre", "Crime"},
                                                {"Collateral", "directed_by", "Michael Mann"},
                                                {"Collateral", "has_genre", "Crime"},
                                                {"Scarface", "starred_actors", "Al Pacino"},
                                                {"Scarface", "has_genre", "Gangster film"},
                                                {"Taxi Driver", "starred_actors", "Robert De Niro"},
                                                {"Phobos", "moon_of", "Mars"}};
  return std::make_shared<const graph::KnowledgeGraph>(
      graph::KnowledgeGraph::from_triples(triples, std::vector<std::string>{"Planet X"}));
}

// exp(-2 d) of the tail's distance d to the goal; without a goal all out-edges alike. Stopping has a little.
class CompassWalker : public walker::testing::RememberingWalker {
 public:
  explicit CompassWalker(std::shared_ptr<const graph::KnowledgeGraph> graph)
      : graph_(std::move(graph)), index_(graph::DistanceIndex::build(*graph_)) {}
  [[nodiscard]] const graph::KnowledgeGraph& graph() const override { return *graph_; }
  [[nodiscard]] std::string describe() const override { return "compass"; }
  [[nodiscard]] walker::CandidateScores score(walker::Encoded& encoded,
                                              std::span<const walker::PartialPath> states) const override {
    walker::CandidateScores scores;
    scores.offsets.push_back(0);
    for (const walker::PartialPath& path : states) {
      const walker::Example& example = example_of(encoded, path);
      const graph::EntityId here =
          path.num_hops == 0 ? example.start : path.hops[static_cast<std::size_t>(path.num_hops - 1)].tail;
      std::vector<double> weights;
      for (const graph::Edge& edge : graph_->out_edges(here))
        weights.push_back(example.goal
                              ? std::exp(-2.0 * std::min<int>(index_.distance(edge.tail, *example.goal), 20))
                              : 1.0);
      weights.push_back(1e-12);
      double total = 0;
      for (const double w : weights) total += w;
      for (const double w : weights) scores.log_probs.push_back(static_cast<float>(std::log(w / total)));
      scores.offsets.push_back(static_cast<std::int64_t>(scores.log_probs.size()));
    }
    return scores;
  }

 private:
  std::shared_ptr<const graph::KnowledgeGraph> graph_;
  graph::DistanceIndex index_;
};

// The same, and it listens: to "starred" as a question for actors, about Scarface where that is named and
// else about where the walk has come to.
class ListeningCompass : public CompassWalker {
 public:
  using CompassWalker::CompassWalker;
  [[nodiscard]] std::vector<walker::ChosenStart> choose_start(const walker::Example& example) const override {
    if (!example.context.empty() && example.context.back().text.find("Scarface") != std::string::npos)
      return {{.entity = *graph().find_entity("Scarface"), .named = true}};
    return {{.entity =
                 example.walked.empty() ? *graph().find_entity("Taxi Driver") : example.walked.back().tail}};
  }
  [[nodiscard]] std::vector<walker::Hearing> hear(walker::Encoded& encoded) const override {
    std::vector<walker::Hearing> heard;
    for (const walker::Example& example : examples_of(encoded))
      heard.emplace_back()
          .acts[static_cast<std::size_t>(asks(example) ? walker::Act::kOne : walker::Act::kNothing)] = 1;
    return heard;
  }
  [[nodiscard]] walker::RelationHearing relation_hearing(walker::Encoded& /*encoded*/,
                                                         std::size_t /*example*/) const override {
    return [this](int hop, std::span<const graph::RelationId> before) {
      std::vector<float> row(graph().num_relations() + 1, 0.0F);
      (hop == 0 ? row[*graph().find_relation("starred_actors")] : row.back()) = 20;
      return std::vector<std::vector<float>>(before.size(), row);
    };
  }

 private:
  static bool asks(const walker::Example& example) {
    return !example.context.empty() && example.context.back().text.find("starred") != std::string::npos;
  }
};

// Says where the walk stands and how often it was asked before.
class EchoUser : public rl::UserVoice {
 public:
  explicit EchoUser(std::shared_ptr<const graph::KnowledgeGraph> graph) : graph_(std::move(graph)) {}
  [[nodiscard]] std::vector<std::string> speak(std::span<const walker::Example* const> situations,
                                               Random& /*random*/) const override {
    std::vector<std::string> said;
    for (const walker::Example* s : situations)
      said.push_back(std::string(graph_->entity_name(s->start)) + "? " + std::to_string(s->context.size()));
    return said;
  }
  [[nodiscard]] std::string checksum() const override { return "echo"; }

 private:
  std::shared_ptr<const graph::KnowledgeGraph> graph_;
};

inline Guide compass_guide(Planner::Stage stage = Planner::Stage::kTwo,
                           const std::shared_ptr<const graph::KnowledgeGraph>& graph = talk_graph()) {
  Planner planner(std::make_unique<const PlannerCore>(std::make_unique<CompassWalker>(graph), stage));
  return Guide(std::make_unique<const GuideCore>(std::move(planner), std::make_unique<EchoUser>(graph)));
}

// Nobody speaks but those who type.
inline Guide listening_guide() {
  const auto graph = talk_graph();
  Planner planner(
      std::make_unique<const PlannerCore>(std::make_unique<ListeningCompass>(graph), Planner::Stage::kTwo));
  return Guide(std::make_unique<const GuideCore>(std::move(planner), std::make_unique<rl::SilentUser>()));
}

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace kgwalk::testing
