#include "walker/search/search.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kgwalk/error.h"
#include "seq2seq/search/beam_search.h"
#include "tests/walker/small_world.h"
#include "walker/search/ensemble.h"

namespace kgwalk::walker {
namespace {

using testing::HashedWalker;
using testing::random_graph;

using Key = std::vector<std::uint32_t>;

Key key_of(const ScoredPath& path) {
  Key key;
  for (int h = 0; h < path.num_hops; ++h) {
    key.push_back(path.hops[static_cast<std::size_t>(h)].relation);
    key.push_back(path.hops[static_cast<std::size_t>(h)].tail);
  }
  return key;
}

std::vector<std::pair<Key, double>> sorted(const std::vector<ScoredPath>& paths) {
  std::vector<std::pair<Key, double>> list;
  for (const ScoredPath& p : paths) list.emplace_back(key_of(p), p.log_prob);
  std::sort(list.begin(), list.end());
  return list;
}

void expect_same(const std::vector<ScoredPath>& a, const std::vector<ScoredPath>& b) {
  const auto x = sorted(a), y = sorted(b);
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(x[i].first, y[i].first);
    EXPECT_NEAR(x[i].second, y[i].second, 1e-5);
  }
}

TEST(BeamPaths, AWideBeamFindsEveryPathThatEnumerationFinds) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto graph = random_graph(seed);
    const HashedWalker model(graph, seed);
    std::vector<Example> examples(3);
    for (std::size_t i = 0; i < 3; ++i) examples[i].start = static_cast<graph::EntityId>(i);
    for (const int hops : {1, 2, 3}) {
      const SearchConfig config{.beam = 100000, .max_hops = hops};
      const auto beam = beam_paths(model, examples, config), all = all_paths(model, examples, config);
      for (std::size_t i = 0; i < 3; ++i) expect_same(beam[i], all[i]);
    }
  }
}

TEST(BeamPaths, TheTraceHoldsTheScoresOfEveryPrefixThatAPathWentOnFrom) {
  const auto graph = random_graph(5);
  const HashedWalker model(graph, 5);
  std::vector<Example> examples(2);
  examples[1].start = 1;
  SearchTrace trace;
  const auto found = beam_paths(model, examples, {.beam = 3, .max_hops = 3}, &trace);
  ASSERT_EQ(trace.scores.offsets.size(), trace.states.size() + 1);
  const auto encoded = model.encode(examples);
  const CandidateScores again = model.score(*encoded, trace.states);
  EXPECT_EQ(trace.scores.offsets, again.offsets);
  EXPECT_EQ(trace.scores.log_probs, again.log_probs);
  for (std::size_t i = 0; i < 2; ++i) {
    for (const ScoredPath& path : found[i]) {
      for (int hops = 0; hops < path.num_hops; ++hops) {
        EXPECT_TRUE(std::any_of(trace.states.begin(), trace.states.end(), [&](const PartialPath& state) {
          return state.example == static_cast<std::int32_t>(i) && state.num_hops == hops &&
                 std::equal(state.hops.begin(), state.hops.begin() + hops, path.hops.begin());
        }));
      }
    }
  }
}

TEST(BeamPaths, TheBestPathsOfEnumerationSurviveANarrowBeam) {
  // With one hop to go after the cut, a path of enumeration is missing only when its first hop was cut.
  const auto graph = random_graph(5, 20, 120);
  const HashedWalker model(graph, 5);
  Example example;
  const SearchConfig narrow{.beam = 4, .max_hops = 2}, wide{.beam = 100000, .max_hops = 2};
  const auto some = beam_paths(model, {&example, 1}, narrow).front();
  const auto all = all_paths(model, {&example, 1}, wide).front();
  ASSERT_LT(some.size(), all.size());
  std::vector<std::pair<Key, double>> first_hops;
  const auto one_hop = all_paths(model, {&example, 1}, {.beam = 1, .max_hops = 1}).front();
  for (const auto& p : one_hop) first_hops.emplace_back(key_of(p), -p.log_prob);
  std::sort(first_hops.begin(), first_hops.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
  first_hops.resize(4);
  std::vector<ScoredPath> wanted;
  for (const ScoredPath& p : all) {
    const Key key = key_of(p);
    const Key first(key.begin(), key.begin() + 2);
    if (std::any_of(first_hops.begin(), first_hops.end(), [&](const auto& f) { return f.first == first; }))
      wanted.push_back(p);
  }
  expect_same(some, wanted);
}

// With a length head, which foresees seven walks of one hop in ten.
class MeasuredWalker : public HashedWalker {
 public:
  using HashedWalker::HashedWalker;
  [[nodiscard]] std::vector<float> length_log_probs(Encoded& encoded) const override {
    std::vector<float> lengths;
    for (std::size_t i = 0; i < examples_of(encoded).size(); ++i) {
      lengths.push_back(std::log(0.7F));
      lengths.push_back(std::log(0.3F));
      lengths.resize((i + 1) * kMaxHops, -1e9F);
    }
    return lengths;
  }
};

TEST(BeamPaths, FewerPathsAreTheFirstOfAllOfThem) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto graph = random_graph(seed, 20, 120);
    const MeasuredWalker model(graph, seed);
    std::vector<Example> examples(2);
    examples[1].start = 1;
    const auto encoded = model.encode(examples);
    for (const double length_weight : {0.0, 0.5}) {
      const SearchConfig config{.beam = 4, .max_hops = 2, .length_weight = length_weight};
      const auto all = beam_paths(model, examples, *encoded, {.config = config});
      for (const std::int64_t most : {1, 5, 1000}) {
        const auto some = beam_paths(model, examples, *encoded, {.config = config, .most = most});
        for (std::size_t i = 0; i < examples.size(); ++i) {
          ASSERT_EQ(some[i].size(), std::min(all[i].size(), static_cast<std::size_t>(most)));
          for (std::size_t k = 0; k < some[i].size(); ++k) {
            EXPECT_EQ(key_of(some[i][k]), key_of(all[i][k]));
            EXPECT_EQ(some[i][k].log_prob, all[i][k].log_prob);
          }
        }
      }
    }
  }
}

TEST(BeamPaths, ProbabilitiesOfAllPathsSumToOneWhenWalksMayNotStopAtTheStart) {
  const auto graph = random_graph(9);
  const HashedWalker model(graph, 9);
  Example example;
  const auto encoded = model.encode({&example, 1});
  const PartialPath start{};
  const double at_start = model.score(*encoded, {&start, 1}).log_probs.back();
  double sum = 0;
  const auto paths = all_paths(model, {&example, 1}, {.beam = 1, .max_hops = 2}).front();
  for (const ScoredPath& p : paths) sum += std::exp(p.log_prob);
  EXPECT_NEAR(sum, 1 - std::exp(at_start), 1e-5);
}

// One way of one hop, one of two: a - b - c. The scores leave it open how far to go, the length head does
// not.
class TwoLengths : public testing::RememberingWalker {
 public:
  explicit TwoLengths(float two_hops)
      : graph_(testing::graph_of({{"a", "r", "b"}, {"b", "r", "c"}})), two_hops_(two_hops) {}
  [[nodiscard]] const graph::KnowledgeGraph& graph() const override { return *graph_; }
  [[nodiscard]] std::string describe() const override { return "two lengths"; }
  // To b: 0.9; there stopping 0.6, on to c 0.3, back to a 0.1.
  [[nodiscard]] CandidateScores score(Encoded& encoded, std::span<const PartialPath> states) const override {
    CandidateScores scores;
    scores.offsets.push_back(0);
    for (const PartialPath& path : states) {
      const graph::EntityId here = entity_of(path, example_of(encoded, path).start);
      for (const graph::Edge& edge : graph_->out_edges(here))
        scores.log_probs.push_back(std::log(path.num_hops == 0                       ? 0.9F
                                            : edge.tail == *graph_->find_entity("c") ? 0.3F
                                                                                     : 0.1F));
      scores.log_probs.push_back(std::log(path.num_hops == 0 ? 0.1F : 0.6F));
      scores.offsets.push_back(static_cast<std::int64_t>(scores.log_probs.size()));
    }
    return scores;
  }
  [[nodiscard]] std::vector<float> length_log_probs(Encoded& encoded) const override {
    std::vector<float> lengths;
    for (std::size_t i = 0; i < examples_of(encoded).size(); ++i) {
      lengths.push_back(std::log(1 - two_hops_));
      lengths.push_back(std::log(two_hops_));
      lengths.resize((i + 1) * kMaxHops, -1e9F);
    }
    return lengths;
  }

 private:
  std::shared_ptr<const graph::KnowledgeGraph> graph_;
  float two_hops_;
};

TEST(BeamPaths, ALengthWeightPutsFirstWhatTheLengthHeadSays) {
  for (const bool beam : {true, false}) {
    const auto first = [&](double two_hops, double weight) {
      const TwoLengths model(static_cast<float>(two_hops));
      std::vector<Example> examples(2);
      for (Example& example : examples) example.start = *model.graph().find_entity("a");
      const SearchConfig config{.beam = 8, .max_hops = 2, .length_weight = weight};
      return (beam ? beam_paths(model, examples, config) : all_paths(model, examples, config))[1].front();
    };
    EXPECT_EQ(first(0.9, 0).num_hops, 1) << "no weight, no length head";
    EXPECT_EQ(first(0.9, 1).num_hops, 2);
    EXPECT_EQ(first(0.1, 1).num_hops, 1);
    EXPECT_NEAR(first(0.9, 1).log_prob, std::log(0.9 * 0.3) + std::log(0.9), 1e-5);
    // (0.6 / 0.3) against (0.9 / 0.1)^w: equal at w = log 2 / log 9 = 0.315.
    EXPECT_EQ(first(0.9, 0.31).num_hops, 1);
    EXPECT_EQ(first(0.9, 0.32).num_hops, 2);
  }
}

TEST(BeamPaths, ALengthWeightWithoutALengthHeadIsRefused) {
  const auto graph = random_graph(2);
  const HashedWalker model(graph, 2);
  const Example example;
  const SearchConfig config{.length_weight = 0.5};
  EXPECT_THROW(static_cast<void>(beam_paths(model, {&example, 1}, config)), ConfigError);
  EXPECT_THROW(static_cast<void>(all_paths(model, {&example, 1}, config)), ConfigError);
}

TEST(BeamPaths, AStartWithoutEdgesHasNoPaths) {
  const std::vector<graph::NamedTriple> triples{{"a", "r", "b"}};
  const std::vector<std::string> extra{"alone"};
  const auto graph =
      std::make_shared<const graph::KnowledgeGraph>(graph::KnowledgeGraph::from_triples(triples, extra));
  const HashedWalker model(graph, 1);
  Example example;
  example.start = *graph->find_entity("alone");
  EXPECT_TRUE(beam_paths(model, {&example, 1}, {}).front().empty());
  EXPECT_TRUE(all_paths(model, {&example, 1}, {}).front().empty());
}

TEST(BeamPaths, BatchedAndSingleSearchesAgree) {
  const auto graph = random_graph(3);
  const HashedWalker model(graph, 3);
  std::vector<Example> examples(5);
  for (std::size_t i = 0; i < 5; ++i) examples[i].start = static_cast<graph::EntityId>(i);
  const auto batched = beam_paths(model, examples, {.beam = 3});
  for (std::size_t i = 0; i < 5; ++i)
    expect_same(batched[i], beam_paths(model, {&examples[i], 1}, {.beam = 3}).front());
}

TEST(Ensemble, AveragesProbabilitiesOfEachStep) {
  const auto graph = random_graph(4);
  std::vector<std::unique_ptr<WalkModel>> models;
  models.push_back(std::make_unique<HashedWalker>(graph, 1));
  models.push_back(std::make_unique<HashedWalker>(graph, 2));
  const HashedWalker a(graph, 1), b(graph, 2);
  const EnsembleWalker both(std::move(models));
  Example example;
  const PartialPath start{};
  const auto score = [&](const WalkModel& m) {
    const auto encoded = m.encode({&example, 1});
    return m.score(*encoded, {&start, 1}).log_probs;
  };
  const auto x = score(a), y = score(b), z = score(both);
  for (std::size_t i = 0; i < z.size(); ++i)
    EXPECT_NEAR(std::exp(z[i]), (std::exp(x[i]) + std::exp(y[i])) / 2, 1e-6);
}

// A chain of coin tosses: tokens 0 and 1, 2 ends. log-probabilities depend on nothing.
seq2seq::BeamChoices tosses(std::span<const seq2seq::LiveHypothesis> live) {
  seq2seq::BeamChoices choices;
  choices.offsets.push_back(0);
  for (std::size_t i = 0; i < live.size(); ++i) {
    for (const double p : {0.6, 0.3, 0.1}) choices.log_probs.push_back(static_cast<float>(std::log(p)));
    choices.offsets.push_back(static_cast<std::int64_t>(choices.log_probs.size()));
    choices.endings.push_back(2);
  }
  return choices;
}

TEST(BeamSearch, EndsHypothesesAndKeepsTheBest) {
  seq2seq::BeamOptions options{.width = 2, .max_steps = 3, .min_steps = 1, .max_finished = 2};
  options.finish_at_max = false;
  const auto result = seq2seq::beam_search(
      1, options, [](std::span<const seq2seq::LiveHypothesis> live, const auto&) { return tosses(live); });
  ASSERT_EQ(result.finished[0].size(), 2U);
  EXPECT_EQ(result.choices_of(result.finished[0][0].node), (std::vector<std::int64_t>{0}));
  EXPECT_NEAR(result.finished[0][0].log_prob, std::log(0.6 * 0.1), 1e-6);
  EXPECT_TRUE(result.finished[0][0].ended);
}

TEST(BeamSearch, LengthPenaltyPrefersLongerHypotheses) {
  seq2seq::BeamOptions options{.width = 2, .max_steps = 3, .length_penalty = 5, .max_finished = 1};
  options.finish_at_max = false;
  const auto result = seq2seq::beam_search(
      2, options, [](std::span<const seq2seq::LiveHypothesis> live, const auto&) { return tosses(live); });
  for (const auto& list : result.finished) EXPECT_EQ(result.choices_of(list[0].node).size(), 3U);
}

TEST(BeamSearch, AModelThatAnswersForTooFewHypothesesIsRefused) {
  EXPECT_THROW((void)seq2seq::beam_search(1, {},
                                          [](std::span<const seq2seq::LiveHypothesis>, const auto&) {
                                            return seq2seq::BeamChoices{{0}, {}, {}, {}};
                                          }),
               ShapeError);
}

}  // namespace
}  // namespace kgwalk::walker
