#include "walker/evaluation/path_metrics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kgwalk/error.h"
#include "walker/evaluation/link_ranks.h"

namespace kgwalk::walker {
namespace {

ScoredPath path(std::vector<graph::Edge> hops, double probability) {
  ScoredPath p;
  std::copy(hops.begin(), hops.end(), p.hops.begin());
  p.num_hops = static_cast<std::int32_t>(hops.size());
  p.log_prob = std::log(probability);
  return p;
}

TEST(PathMetrics, ParallelEdgesAreOneSequenceWithSummedProbability) {
  // Apart, the two edges to 5 (0.2 and 0.15) lose to the edge to 6 (0.3); together they win.
  const std::vector<ScoredPath> paths{path({{1, 6}}, 0.3), path({{1, 5}}, 0.2), path({{2, 5}}, 0.15)};
  const std::vector<graph::Edge> gold{{2, 5}};
  const GoldRanks ranks = rank_gold(paths, gold);
  EXPECT_EQ(ranks.path, 1);
  EXPECT_EQ(ranks.relation, 3);
  EXPECT_EQ(ranks.target, 1);
}

TEST(PathMetrics, TiesTakeTheExpectedRank) {
  const std::vector<ScoredPath> paths{path({{1, 1}}, 0.4), path({{1, 2}}, 0.2), path({{1, 3}}, 0.2),
                                      path({{1, 4}}, 0.2)};
  const std::vector<graph::Edge> gold{{1, 3}};
  const GoldRanks ranks = rank_gold(paths, gold);
  EXPECT_EQ(ranks.path, 1 + 1 + 2 / 2.0);
  EXPECT_EQ(ranks.relation, 3);
  EXPECT_EQ(ranks.target, 3);
}

TEST(PathMetrics, TargetTakesTheBestPathOfEachLastEntity) {
  // 9 is reached three ways; only the best (0.25) counts, so 8 (0.3) stays first.
  const std::vector<ScoredPath> paths{path({{1, 8}}, 0.3), path({{1, 9}}, 0.25), path({{1, 7}, {1, 9}}, 0.2),
                                      path({{1, 6}, {1, 9}}, 0.2), path({{1, 4}}, 0.05)};
  const std::vector<graph::Edge> gold{{1, 6}, {1, 9}};
  const GoldRanks ranks = rank_gold(paths, gold);
  EXPECT_EQ(ranks.target, 2);
  EXPECT_EQ(ranks.path, 3 + 0.5);  // tied with the path over 7
}

TEST(PathMetrics, OneHopCountsAsPaddedByASelfLoop) {
  const std::vector<ScoredPath> paths{path({{1, 3}}, 0.5), path({{1, 2}}, 0.3), path({{1, 2}, {4, 2}}, 0.25)};
  const std::vector<graph::Edge> gold{{1, 2}};
  EXPECT_EQ(rank_gold(paths, gold).path, 1);  // 0.3 + 0.25
  EXPECT_EQ(rank_gold(paths, gold).relation, 2);
}

TEST(PathMetrics, UnreachedIsAMiss) {
  const std::vector<ScoredPath> paths{path({{1, 3}}, 0.5)};
  const std::vector<graph::Edge> gold{{1, 2}};
  const GoldRanks ranks = rank_gold(paths, gold);
  EXPECT_EQ(ranks.path, kUnreached);
  EXPECT_EQ(ranks.relation, kUnreached);
  EXPECT_EQ(ranks.target, kUnreached);
  EXPECT_EQ(rank_gold(std::span<const ScoredPath>{}, gold).path, kUnreached);
  const RecallRow row = recall(std::vector<GoldRanks>{ranks, {1, 2, 3}}, std::vector<std::uint32_t>{0, 1}, 0);
  EXPECT_EQ(row.unreached, 1);
  EXPECT_DOUBLE_EQ(row.path[4].percent, 50);
}

TEST(PathMetrics, PathsFromAnotherStartCompeteButAreNotTheGoldPath) {
  const std::vector<StartedPath> paths{
      {7, path({{1, 2}}, 0.6)}, {8, path({{1, 2}}, 0.1)}, {8, path({{1, 3}}, 0.3)}};
  const std::vector<graph::Edge> gold{{1, 2}};
  const GoldRanks ranks = rank_gold(paths, 8, gold);
  EXPECT_EQ(ranks.path, 3);
  EXPECT_EQ(ranks.target, 1);  // whoever reaches it
  EXPECT_EQ(rank_gold(paths, 9, gold).path, kUnreached);
}

TEST(PathMetrics, RecallCountsRanksUpToK) {
  const std::vector<GoldRanks> ranks{{1, 1, 1}, {3, 4, 2}, {3.5, 6, 3}, {26, 30, 25}};
  const RecallRow row = recall(ranks, std::vector<std::uint32_t>{0, 0, 1, 2}, 200);
  EXPECT_DOUBLE_EQ(row.path[0].percent, 25);
  EXPECT_DOUBLE_EQ(row.path[1].percent, 50);
  EXPECT_DOUBLE_EQ(row.path[2].percent, 75);
  EXPECT_DOUBLE_EQ(row.relation[2].percent, 50);
  EXPECT_DOUBLE_EQ(row.target[4].percent, 100);
  EXPECT_LE(row.path[1].low, 50);
  EXPECT_GE(row.path[1].high, 50);
  EXPECT_GT(row.path[1].high, row.path[1].low);
}

TEST(PathMetrics, BootstrapIsTheSameForTheSameSeedAndHasRightWidth) {
  std::vector<GoldRanks> ranks;
  std::vector<std::uint32_t> dialogues;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    ranks.push_back({i % 2 == 0 ? 1.0 : 100.0, 1, 1});
    dialogues.push_back(i);
  }
  const RecallRow a = recall(ranks, dialogues, 500, 3), b = recall(ranks, dialogues, 500, 3);
  EXPECT_EQ(a.path[0].low, b.path[0].low);
  // Normal approximation: 50 +- 1.96 * sqrt(0.25 / 1000) * 100 = 50 +- 3.1.
  EXPECT_NEAR(a.path[0].low, 46.9, 0.7);
  EXPECT_NEAR(a.path[0].high, 53.1, 0.7);
}

TEST(PathMetrics, GoldWithoutHopsIsRefused) {
  EXPECT_THROW((void)rank_gold(std::span<const ScoredPath>{}, {}), ShapeError);
}

// Eleven entities; 1, 2 and 3 are right, 3 is not found. Beside a right one stand 4 to 11.
TEST(LinkRanks, AreFilteredTiesCountHalfAndWhatWasNotFoundSharesTheRest) {
  const std::vector<FoundEnd> found{{4, 0.4}, {1, 0.3}, {2, 0.2}, {5, 0.2}, {6, 0.1}};
  const std::vector<double> ranks = end_ranks(found, {1, 2, 3}, 11);
  EXPECT_EQ(ranks[0], 2);              // behind 4
  EXPECT_EQ(ranks[1], 2.5);            // behind 4, beside 5; 1 is right as well
  EXPECT_EQ(ranks[2], (4 + 9) / 2.0);  // places 4 to 9 of the nine candidates: 4, 5 and 6 were found
  const std::vector<LinkRank> rows{{"a", "r", "b", 1}, {"a", "r", "c", 4}};
  EXPECT_EQ(table_of(rows), "head\trelation\ttail\thead_rank\ttail_rank\na\tr\tb\t\t1\na\tr\tc\t\t4\n");
  EXPECT_EQ(summarize(rows).mrr, (1 + 0.25) / 2);
  EXPECT_EQ(summarize(rows).hits3, 0.5);
}

}  // namespace
}  // namespace kgwalk::walker
