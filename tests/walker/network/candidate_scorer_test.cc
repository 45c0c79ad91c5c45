// The terms of a candidate's score, one candidate at a time by plain sums.
#include "walker/network/candidate_scorer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/tensor/torch.h"
#include "runtime/tensor/torch_threads.h"
#include "tests/seq2seq/golden.h"
#include "walker/features/features.h"
#include "walker/features/goal_features.h"
#include "walker/network/ragged.h"

namespace kgwalk::walker {
namespace {

using seq2seq::testing::largest_difference;
using torch::Tensor;

constexpr std::int64_t kNames = 6, kKinds = 3, kStateWidth = 7, kHopRows = 2;  // entities, relations

// Two states, with three candidates and one, and eop last in both.
CandidateTensors five_candidates(const ScoringConfig& config) {
  Candidates c;
  c.offsets = {0, 4, 6};
  c.relations = {0, 0, 2, kKinds, 1, kKinds};
  c.tails = {1, 4, 5, kNames, 3, kNames};
  c.states = {0, 0, 0, 0, 1, 1};
  c.entities = {2, 5};
  const std::vector<std::int32_t> hops{0, 1};
  return to_tensors(c, hops, config);
}

struct Scored {
  Scored(const ScoringConfig& scoring, const MetaPathConfig& metapath)
      : tables(metapath, random_graph_tables(kNames, kKinds, metapath, 1)),
        scorer(scoring, tables, kStateWidth, kHopRows) {
    const torch::NoGradGuard no_grad;
    for (torch::nn::Module* m :
         {static_cast<torch::nn::Module*>(tables.get()), static_cast<torch::nn::Module*>(scorer.get())})
      for (Tensor& weights : m->parameters()) weights.normal_();
    scorer->eval();
  }
  MetaPathTables tables;
  CandidateScorer scorer;
};

MetaPathConfig narrow() {
  MetaPathConfig config;
  config.kg_width = 4;
  return config;
}

// Eq. 5.7 for [relation; tail], 2EMP's [head; relation; tail] and entities with trained columns.
TEST(CandidateScorer, ScoresAreProductsWithTheMetaPathsOfTheCandidates) {
  const torch::NoGradGuard no_grad;
  for (const bool head : {false, true})
    for (const int trained : {0, 3}) {
      seed_torch(4);
      MetaPathConfig metapath = narrow();
      metapath.head = head;
      metapath.trained_width = trained;
      Scored s(ScoringConfig{}, metapath);
      const CandidateTensors c = five_candidates(ScoringConfig{});
      const Tensor states = torch::randn({2, kStateWidth}), t = s.scorer->project(states);
      const Tensor own = segments_of(c.offsets), heads = c.entities.index_select(0, own);
      std::vector<Tensor> wanted;
      for (std::int64_t k = 0; k < c.relations.size(0); ++k) {
        const Tensor relation = c.relations.narrow(0, k, 1), tail = c.tails.narrow(0, k, 1);
        Tensor path = s.tables->vectors({relation, tail, heads.narrow(0, k, 1)})[0];
        if (relation.item<std::int64_t>() == kKinds) {
          path = torch::cat({s.tables->special[0], s.tables->entity_vectors(tail)[0] + s.tables->eop});
          if (head) path = torch::cat({s.tables->eop_head, path});
        }
        const Tensor hop = c.hops[own[k].item<std::int64_t>()];
        wanted.push_back(torch::dot(t[own[k].item<std::int64_t>()], path) +
                         s.scorer->relation_bias[hop.item<std::int64_t>()][relation.item<std::int64_t>()]);
      }
      EXPECT_LT(largest_difference(ragged_log_softmax(s.scorer(states, c), c.offsets),
                                   ragged_log_softmax(torch::stack(wanted), c.offsets)),
                1e-4)
          << "head " << head << ", trained " << trained;
    }
}

// What a goal adds: both of its networks read how natural a candidate is without it.
TEST(CandidateScorer, AGoalAddsWhatItsFeaturesAndTheNaturalProbabilitySay) {
  const torch::NoGradGuard no_grad;
  seed_torch(5);
  ScoringConfig scoring;
  scoring.goal = true;
  scoring.goal_hidden = 3;
  Scored s(scoring, narrow());
  CandidateTensors c = five_candidates(scoring);
  const Tensor states = torch::randn({2, kStateWidth}), natural = s.scorer(states, c);
  const Tensor log_p = ragged_log_softmax(natural, c.offsets) / 5;
  c.goal_features = torch::randn({6, kNumGoalFeatures});
  c.goal_given = torch::tensor({1.0F, 0.0F});  // the second state has none
  const Tensor scores = s.scorer(states, c), own = segments_of(c.offsets);
  CandidateScorerImpl& w = *s.scorer;
  for (std::int64_t k = 0; k < 6; ++k) {
    const std::int64_t state = own[k].item<std::int64_t>();
    const Tensor p = state == 0 ? log_p[k] : torch::zeros({}), f = c.goal_features[k];
    const Tensor hidden =
        torch::relu(torch::matmul(w.goal_in->weight, f) + w.goal_in->bias +
                    torch::matmul(w.goal_state->weight, states[state]) + p * w.goal_natural_in);
    const Tensor more = torch::dot(w.goal_out, hidden) + torch::dot(w.goal_weight, f) + p * w.goal_natural[0];
    EXPECT_NEAR(scores[k].item<double>(), (natural[k] + more).item<double>(), 1e-4) << k;
  }
}

// Two states with many candidates between them, with features.
CandidateTensors many_candidates(const ScoringConfig& config, std::int64_t first, std::int64_t second) {
  Candidates c;
  c.offsets = {0, first, first + second};
  c.entities = {2, 5};
  for (std::int64_t k = 0; k < first + second; ++k) {
    const bool stop = k + 1 == first || k + 1 == first + second;
    c.relations.push_back(stop ? kKinds : k % kKinds);
    c.tails.push_back(stop ? kNames : k % kNames);
    c.states.push_back(k < first ? 0 : 1);
  }
  const std::vector<std::int32_t> hops{0, 1};
  CandidateTensors tensors = to_tensors(c, hops, config);
  tensors.features = torch::randn({first + second, kNumFeatures});
  tensors.state_features = torch::randn({2, kNumStateFeatures});
  return tensors;
}

// Inference goes over features block by block, training over all of them at once.
TEST(CandidateScorer, WithoutGradientsScoresTheSame) {
  seed_torch(6);
  ScoringConfig scoring;
  scoring.features = true;
  scoring.feature_hidden = 5;
  Scored s(scoring, narrow());
  s.scorer->set_feature_scale(torch::randn({kNumFeatures}), torch::rand({kNumFeatures}) + 0.5);
  for (const auto& [first, second] : {std::pair{1, 1}, {3, 573}, {575, 577}, {700, 1200}, {2600, 30}}) {
    const CandidateTensors c = many_candidates(scoring, first, second);
    const Tensor states = torch::randn({2, kStateWidth}), with = s.scorer(states, c).detach();
    const torch::NoGradGuard no_grad;
    EXPECT_LT(largest_difference(s.scorer(states, c), with), 1e-4) << first << " and " << second;
  }
}

// Names are part of the format of checkpoints.
TEST(CandidateScorer, HasTheWeightsOfItsTermsAndNoOthers) {
  ScoringConfig scoring;
  scoring.features = true;
  const auto hidden = [&] {
    std::size_t count = 0;
    for (const auto& item : Scored(scoring, narrow()).scorer->named_parameters())
      count += item.key().starts_with("hidden");
    return count;
  };
  EXPECT_EQ(hidden(), 0U);
  scoring.feature_hidden = 5;
  EXPECT_EQ(hidden(), 6U);
}

}  // namespace
}  // namespace kgwalk::walker
