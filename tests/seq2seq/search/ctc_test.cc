// CTC decoding against the enumeration of all paths.
#include "seq2seq/search/ctc.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "kgwalk/error.h"
#include "runtime/random.h"

namespace kgwalk::seq2seq {
namespace {

// Random distributions of [frames, units]; unit 0 is the blank.
std::vector<float> random_scores(std::int64_t frames, std::int64_t units, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values;
  for (std::int64_t t = 0; t < frames; ++t) {
    std::vector<double> row;
    double sum = 0;
    for (std::int64_t v = 0; v < units; ++v) {
      row.push_back(std::exp(1.5 * random.normal()));
      sum += row.back();
    }
    for (const double x : row) values.push_back(static_cast<float>(std::log(x / sum)));
  }
  return values;
}

std::vector<int> collapsed(const std::vector<int>& path) {
  std::vector<int> units;
  int last = 0;
  for (const int v : path) {
    if (v != 0 && v != last) units.push_back(v);
    last = v;
  }
  return units;
}

// All paths: probability of each labeling, and each labeling's best path.
struct Enumeration {
  std::map<std::vector<int>, double> probability;
  std::map<std::vector<int>, std::pair<double, std::vector<int>>> best;
};
Enumeration enumerate(const FrameScores& scores) {
  Enumeration all;
  std::vector<int> path(static_cast<std::size_t>(scores.frames), 0);
  for (;;) {
    double log_prob = 0;
    for (std::int64_t t = 0; t < scores.frames; ++t)
      log_prob += scores.at(t, path[static_cast<std::size_t>(t)]);
    const std::vector<int> units = collapsed(path);
    all.probability[units] += std::exp(log_prob);
    auto [it, added] = all.best.try_emplace(units, log_prob, path);
    if (log_prob > it->second.first) it->second = {log_prob, path};
    std::size_t at = 0;
    while (at < path.size() && ++path[at] == scores.units) path[at++] = 0;
    if (at == path.size()) return all;
  }
}

class AllPaths : public ::testing::TestWithParam<int> {
 protected:
  std::vector<float> values_ = random_scores(6, 4, static_cast<std::uint64_t>(GetParam()));
  FrameScores scores_{values_, 6, 4, 0};
  Enumeration all_ = enumerate(scores_);
};

TEST_P(AllPaths, LogProbabilityOfALabelingIsTheSumOverItsPaths) {
  for (const auto& [units, probability] : all_.probability)
    EXPECT_NEAR(std::exp(ctc_log_prob(scores_, units)), probability, 1e-9);
}

TEST_P(AllPaths, PrefixScoresSumOverAllLabelingsThatBeginSo) {
  const CtcPrefixScorer scorer(scores_);
  const std::vector<std::vector<int>> prefixes{{}, {1}, {2, 2}, {3, 1}, {1, 1, 2}};
  for (const std::vector<int>& prefix : prefixes) {
    auto state = scorer.start();
    for (const int unit : prefix) state = scorer.advance(state, unit);
    for (int next = 1; next < 4; ++next) {
      double sum = 0;
      for (const auto& [units, probability] : all_.probability)
        if (units.size() > prefix.size() && std::equal(prefix.begin(), prefix.end(), units.begin()) &&
            units[prefix.size()] == next)
          sum += probability;
      EXPECT_NEAR(std::exp(scorer.extended(state, next)), sum, 1e-6) << "float32 rows sum to one only so far";
      EXPECT_NEAR(scorer.advance(state, next).log_prob, scorer.extended(state, next), 1e-12);
    }
  }
}

TEST_P(AllPaths, WideBeamFindsTheLikeliestLabelingsAndTheirProbabilities) {
  CtcBeamOptions options;
  options.beam = 2000;
  options.nbest = 5;
  options.threshold = 1000;
  const auto found = ctc_prefix_beam(scores_, options);
  std::vector<std::pair<double, std::vector<int>>> wanted;
  for (const auto& [units, probability] : all_.probability) wanted.emplace_back(probability, units);
  std::sort(wanted.rbegin(), wanted.rend());
  ASSERT_EQ(found.size(), 5u);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].units, wanted[i].second);
    EXPECT_NEAR(std::exp(found[i].log_prob), wanted[i].first, 1e-6);
  }
}

TEST_P(AllPaths, LanguageModelAndBonusJoinAsIfEveryLabelingWereScored) {
  const auto next_of = [](const std::vector<int>& prefix) {
    const float last = prefix.empty() ? 0.0F : static_cast<float>(prefix.back());
    return std::vector<float>{-0.5F - 0.1F * last, -1.0F, -0.2F * last, -1.5F + 0.3F * last};
  };
  CtcBeamOptions options;
  options.beam = 2000;
  options.threshold = 1000;
  options.lm_weight = 0.8;
  options.unit_bonus = 0.4;
  options.end = 3;  // never said by CTC's search, ends the language model's sentence
  const auto found = ctc_prefix_beam(scores_, options, [&](std::span<const std::vector<int>> prefixes) {
    std::vector<std::vector<float>> scores;
    for (const std::vector<int>& prefix : prefixes) scores.push_back(next_of(prefix));
    return scores;
  });
  double best = -1e300;
  std::vector<int> wanted;
  for (const auto& [units, probability] : all_.probability) {
    if (std::find(units.begin(), units.end(), 3) != units.end()) continue;
    double score = std::log(probability);
    std::vector<int> prefix;
    for (const int unit : units) {
      score += 0.8 * next_of(prefix)[static_cast<std::size_t>(unit)] + 0.4;
      prefix.push_back(unit);
    }
    score += 0.8 * next_of(prefix)[3];
    if (score > best) best = score, wanted = units;
  }
  EXPECT_EQ(found.front().units, wanted);
  EXPECT_NEAR(found.front().score, best, 1e-5);
}

TEST_P(AllPaths, GreedyTakesTheBestPathAndAlignmentEachLabelingsBest) {
  const CtcHypothesis greedy = ctc_greedy(scores_);
  double best = -1e300;
  for (const auto& [units, path] : all_.best) best = std::max(best, path.first);
  EXPECT_NEAR(greedy.log_prob, best, 1e-9);
  for (const auto& [units, path] : all_.best) {
    const auto spans = ctc_align(scores_, units);
    ASSERT_TRUE(spans);
    double log_prob = 0;
    std::vector<int> aligned(6, 0);
    for (std::size_t i = 0; i < units.size(); ++i)
      for (std::int64_t t = (*spans)[i].begin; t < (*spans)[i].end; ++t)
        aligned[static_cast<std::size_t>(t)] = units[i];
    for (std::int64_t t = 0; t < 6; ++t) log_prob += scores_.at(t, aligned[static_cast<std::size_t>(t)]);
    EXPECT_EQ(collapsed(aligned), units);
    EXPECT_NEAR(log_prob, path.first, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, AllPaths, ::testing::Values(1, 2, 3));

TEST(CtcAlign, ToldWhenFramesAreTooFew) {
  const std::vector<float> values = random_scores(3, 4, 7);
  const FrameScores scores{values, 3, 4, 0};
  EXPECT_EQ(ctc_frames_needed(std::vector<int>{1, 1}), 3);
  EXPECT_TRUE(ctc_align(scores, std::vector<int>{1, 1}));
  EXPECT_FALSE(ctc_align(scores, std::vector<int>{1, 1, 2}));
  EXPECT_TRUE(ctc_align(scores, std::vector<int>{})->empty());
  EXPECT_EQ(ctc_log_prob(scores, std::vector<int>{1, 1, 2}), -INFINITY);
}

TEST(CtcBeam, OfNoFramesIsTheEmptyLabeling) {
  const FrameScores scores{{}, 0, 4, 0};
  EXPECT_TRUE(ctc_prefix_beam(scores, {}).front().units.empty());
  EXPECT_THROW((void)ctc_prefix_beam(scores, {.beam = 2, .nbest = 3}), ConfigError);
}

}  // namespace
}  // namespace kgwalk::seq2seq
