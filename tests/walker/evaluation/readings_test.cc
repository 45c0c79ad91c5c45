// Other readings of path@k and tgt@k, on a handful of paths whose ranks can be told by hand.
#include "walker/evaluation/readings.h"

#include <gtest/gtest.h>

#include <cmath>

namespace kgwalk::walker {
namespace {

StartedPath from(std::vector<graph::Edge> hops, double probability) {
  StartedPath p;
  std::copy(hops.begin(), hops.end(), p.path.hops.begin());
  p.path.num_hops = static_cast<std::int32_t>(hops.size());
  p.path.log_prob = std::log(probability);
  return p;
}

// Start 0. 3 is reached in three ways, the gold one by 2; 4 lies one hop away by two relations.
class Reads : public ::testing::Test {
 protected:
  GoldRanks by(Reading reading) const {
    return rank_by(reading, paths_,
                   {.start = 0, .gold = gold_, .turn = turn_, .dialogue = dialogue_, .likeliest_length = 1});
  }
  std::vector<StartedPath> paths_{from({{1, 4}}, 0.2),          from({{2, 4}}, 0.1),
                                  from({{1, 2}}, 0.22),         from({{1, 5}, {1, 3}}, 0.16),
                                  from({{1, 2}, {1, 3}}, 0.17), from({{1, 3}}, 0.1),
                                  from({{1, 6}, {1, 0}}, 0.05)};
  std::vector<graph::Edge> gold_{{1, 2}, {1, 3}};
  std::vector<graph::EntityId> turn_{3}, dialogue_{3, 4};
};

TEST_F(Reads, AsStatedTheBestPathCounts) {
  EXPECT_EQ(by(Reading::kStated).path, 3);    // after 4 (0.3) and 2 (0.22)
  EXPECT_EQ(by(Reading::kStated).target, 3);  // 3 by its best, 0.17
}

TEST_F(Reads, TheLengthLeavesPathsOut) {
  EXPECT_EQ(by(Reading::kLengthKnown).path, 1);
  EXPECT_EQ(by(Reading::kLengthKnown).target, 1);
  EXPECT_EQ(by(Reading::kLengthByHead).path, kUnreached);
  EXPECT_EQ(by(Reading::kLengthByHead).target, 3);  // 4, 2, 3
}

TEST_F(Reads, ASumOfPathsRaisesATarget) {
  EXPECT_EQ(by(Reading::kSummed).target, 1);  // 0.43
  EXPECT_EQ(by(Reading::kSummed).path, 3);
  EXPECT_EQ(by(Reading::kRelationsSummed).path, by(Reading::kStated).relation);
}

TEST_F(Reads, MoreTargetsMayBeRight) {
  EXPECT_EQ(by(Reading::kAnyOfGold).target, 2);        // 2 by 0.22, after 4
  EXPECT_EQ(by(Reading::kTurnTargets).target, 3);      // as stated
  EXPECT_EQ(by(Reading::kDialogueTargets).target, 1);  // 4
  EXPECT_EQ(by(Reading::kOnTheWay).target, 3);         // 4, 2, then 3 by 0.17
}

TEST_F(Reads, TheFirstHopAloneSumsWhatFollows) {
  EXPECT_EQ(by(Reading::kFirstHop).path, 1);  // 2 by 0.22 + 0.17, 4 by 0.3
  EXPECT_EQ(by(Reading::kFirstHop).target, 1);
}

TEST(OtherTargets, AreThoseOfTheTurnAndOfTheDialogue) {
  std::vector<Example> examples(3);
  for (Example& example : examples) example.gold = {{1, 7}};
  examples[1].gold = {{1, 5}};
  examples[2].gold = {{1, 9}};
  examples[2].context.push_back({graph::Speaker::kUser, "And?"});
  const OtherTargets targets = other_targets(examples);
  EXPECT_EQ(targets.turn[0], (std::vector<graph::EntityId>{5, 7}));
  EXPECT_EQ(targets.turn[2], std::vector<graph::EntityId>{9});
  EXPECT_EQ(targets.dialogue[1], (std::vector<graph::EntityId>{5, 7, 9}));
}

}  // namespace
}  // namespace kgwalk::walker
