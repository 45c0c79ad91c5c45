#include "walker/search/answers.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/walker/small_world.h"

namespace kgwalk::walker {
namespace {

using graph::EntityId;
using testing::film_graph;

class Answers : public ::testing::Test {
 protected:
  [[nodiscard]] EntityId entity(const char* name) const { return *graph_->find_entity(name); }
  [[nodiscard]] graph::RelationId relation(const char* name) const { return *graph_->find_relation(name); }
  [[nodiscard]] ScoredPath path(const char* name, const char* tail, double probability) const {
    ScoredPath path;
    path.num_hops = 1;
    path.hops[0] = {relation(name), entity(tail)};
    path.log_prob = std::log(probability);
    return path;
  }
  [[nodiscard]] static Hearing hearing(Act act) {
    Hearing heard;
    heard.acts[static_cast<std::size_t>(act)] = 1;
    return heard;
  }
  // All ends of one relation of Heat's.
  [[nodiscard]] Way way(const char* name, double probability) const {
    Way way{{relation(name)}, probability, {}};
    for (const graph::Edge& edge : graph_->out_edges(entity("Heat")))
      if (edge.relation == way.relations.front()) {
        way.ends.push_back({edge.tail, 1, {}});
        way.ends.back().path.num_hops = 1;
        way.ends.back().path.hops[0] = edge;
      }
    std::sort(way.ends.begin(), way.ends.end(),
              [](const WayEnd& a, const WayEnd& b) { return a.entity < b.entity; });
    for (WayEnd& end : way.ends) end.share = 1.0 / static_cast<double>(way.ends.size());
    return way;
  }
  [[nodiscard]] Answer answer(Act act, const std::vector<ScoredPath>& paths, const std::vector<Way>& ways,
                              std::optional<EntityId> claim = std::nullopt) const {
    return answer_of(entity("Heat"), hearing(act), paths, ways, claim, {});
  }
  std::shared_ptr<const graph::KnowledgeGraph> graph_ = film_graph();
};

TEST_F(Answers, AListHoldsAllThatTheLikeliestWayReachesAndNoMore) {
  // The beam kept one of two actors.
  const Answer found = answer(Act::kList, {path("starred_actors", "Robert De Niro", 0.4)},
                              {way("starred_actors", 0.9), way("has_genre", 0.1)});
  ASSERT_EQ(found.right, 2U);
  EXPECT_EQ(found.entities[0].entity, entity("Robert De Niro"));  // by habit
  EXPECT_EQ(found.entities[1].entity, entity("Al Pacino"));
  EXPECT_EQ(found.entities[1].path.num_hops, 1);
  EXPECT_EQ(found.entities[2].entity, entity("Crime"));
  EXPECT_NEAR(found.entities[1].probability, 0.9, 1e-9);
}

// Who may be right by a second way is listed where that promises more than it costs: two relations of one
// meaning.
TEST_F(Answers, AListHoldsASecondWayThatIsNearlyAsLikely) {
  const Answer found = answer(Act::kList, {}, {way("starred_actors", 0.55), way("has_genre", 0.45)});
  EXPECT_EQ(found.right, 3U);
}

// Two actors share what the walk gives their relation, and each is as right as it was heard.
TEST_F(Answers, ManyRightAnswersAreNoLessRightThanOne) {
  const Answer found =
      answer(Act::kOne, {path("has_genre", "Crime", 0.4), path("starred_actors", "Al Pacino", 0.3)},
             {way("starred_actors", 0.55), way("has_genre", 0.45)});
  EXPECT_EQ(found.entities.front().entity, entity("Al Pacino"));
  EXPECT_EQ(found.right, 1U);
}

TEST_F(Answers, WhereNothingIsAskedAnEntityIsAsLikelyAsAllPathsToIt) {
  const std::vector<ScoredPath> paths{path("has_genre", "Crime", 0.4),
                                      path("directed_by", "Michael Mann", 0.3),
                                      path("starred_actors", "Michael Mann", 0.2)};
  const Answer found = answer(Act::kNothing, paths, {way("has_genre", 1)});
  EXPECT_EQ(found.entities.front().entity, entity("Michael Mann"));
  EXPECT_NEAR(found.entities.front().probability, 0.5, 1e-9);
}

TEST_F(Answers, AClaimIsVerifiedByTheRelationThatIsAskedFor) {
  const auto verified = [&](const char* asked, const char* claim) {
    std::vector<Way> ways;
    for (const char* name : {"directed_by", "starred_actors", "has_genre"})
      ways.push_back(way(name, name == std::string_view(asked) ? 0.9 : 0.05));
    return answer(Act::kVerify, {}, ways, entity(claim));
  };
  EXPECT_GT(verified("directed_by", "Michael Mann").verified, 0.5);
  EXPECT_EQ(verified("directed_by", "Michael Mann").fact->tail, entity("Michael Mann"));
  EXPECT_LT(verified("directed_by", "Al Pacino").verified, 0.5);  // another relation joins them
  EXPECT_EQ(verified("directed_by", "Taxi Driver").verified, 0);  // none does
}

TEST_F(Answers, WhatIsMissingIsNotSaid) {
  Hearing heard = hearing(Act::kOne);
  heard.missing = 0.9;
  EXPECT_TRUE(answer_of(entity("Heat"), heard, {}, {way("has_genre", 1)}, std::nullopt, {}).missing);
  heard = hearing(Act::kNothing);
  heard.missing = 0.9;
  EXPECT_FALSE(answer_of(entity("Heat"), heard, {}, {way("has_genre", 1)}, std::nullopt, {}).missing);
}

}  // namespace
}  // namespace kgwalk::walker
