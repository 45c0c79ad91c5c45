// The count prior that no model should lose to: how often a relation was walked in training, given which
// relations the entity has, times how popular each tail is as a target; stopping has its training share.
// Reads no text.
#pragma once

#include "walker/model.h"
#include "walker/network/resources.h"

namespace kgwalk::walker {

class PriorWalker : public WalkModel {
 public:
  // `weights`: each tail counts by the weight of its fact too. ConfigError where the graph has none.
  explicit PriorWalker(Resources resources, bool weights = false);

  [[nodiscard]] const graph::KnowledgeGraph& graph() const override { return *resources_.graph; }
  [[nodiscard]] std::string describe() const override { return "count prior"; }
  [[nodiscard]] std::unique_ptr<Encoded> encode(std::span<const Example> examples) const override;
  [[nodiscard]] CandidateScores score(Encoded& encoded, std::span<const PartialPath> states) const override;

 private:
  void score_entity(graph::EntityId here, int hops, std::vector<float>& out) const;

  Resources resources_;
  bool weights_;
  std::vector<double> relation_chosen_;   // [R] times walked
  std::vector<double> relation_offered_;  // [R] times there was an edge of it to walk
  std::vector<double>
      stop_share_;  // [kMaxHops + 1] of training paths with at least h hops, those that stop there
};

}  // namespace kgwalk::walker
