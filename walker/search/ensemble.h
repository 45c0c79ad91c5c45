// Several walkers as one: the candidates' probabilities are averaged at every step.
#pragma once

#include <memory>
#include <vector>

#include "walker/model.h"

namespace kgwalk::walker {

class EnsembleWalker : public WalkModel {
 public:
  // At least one model, all on one graph (ConfigError otherwise). Length heads are averaged when
  // all have one.
  explicit EnsembleWalker(std::vector<std::unique_ptr<WalkModel>> models);

  [[nodiscard]] const graph::KnowledgeGraph& graph() const override { return models_.front()->graph(); }
  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] std::unique_ptr<Encoded> encode(std::span<const Example> examples) const override;
  [[nodiscard]] CandidateScores score(Encoded& encoded, std::span<const PartialPath> states) const override;
  [[nodiscard]] std::vector<float> length_log_probs(Encoded& encoded) const override;
  // As the first of them that listens.
  [[nodiscard]] std::vector<ChosenStart> choose_start(const Example& example) const override;
  [[nodiscard]] std::vector<Hearing> hear(Encoded& encoded) const override;
  [[nodiscard]] RelationHearing relation_hearing(Encoded& encoded, std::size_t example) const override;

 private:
  std::vector<std::unique_ptr<WalkModel>> models_;
};

}  // namespace kgwalk::walker
