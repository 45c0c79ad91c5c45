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
  [[nodiscard]] Hearing hearing(Act act, const char* asked) const {
    Hearing heard;
    heard.acts[static_cast<std::size_t>(act)] = 1;
    for (const graph::Edge& edge : graph_->out_edges(entity("Heat")))
      if (heard.present.empty() || heard.present.back().relation != edge.relation)
        heard.present.push_back({edge.relation, edge.relation == relation(asked) ? 0.9 : 0.02});
    return heard;
  }
  std::shared_ptr<const graph::KnowledgeGraph> graph_ = film_graph();
};

TEST_F(Answers, AListHoldsAllThatTheLikeliestWayReachesAndNoMore) {
  // The beam kept one of two actors.
  const std::vector<ScoredPath> paths{path("starred_actors", "Al Pacino", 0.4),
                                      path("has_genre", "Crime", 0.05)};
  const Answer answer =
      answer_of(*graph_, entity("Heat"), hearing(Act::kList, "starred_actors"), paths, {}, std::nullopt, {});
  ASSERT_EQ(answer.right, 2U);
  EXPECT_EQ(answer.entities[0].entity, entity("Al Pacino"));
  EXPECT_EQ(answer.entities[1].entity, entity("Robert De Niro"));
  EXPECT_EQ(answer.entities[1].path.num_hops, 1);
  EXPECT_EQ(answer.entities[2].entity, entity("Crime"));
}

TEST_F(Answers, AnEntityIsAsLikelyAsAllPathsToIt) {
  const std::vector<ScoredPath> paths{path("has_genre", "Crime", 0.4),
                                      path("directed_by", "Michael Mann", 0.3),
                                      path("starred_actors", "Michael Mann", 0.2)};
  const Answer answer =
      answer_of(*graph_, entity("Heat"), hearing(Act::kOne, "directed_by"), paths, {}, std::nullopt, {});
  EXPECT_EQ(answer.entities.front().entity, entity("Michael Mann"));
  EXPECT_NEAR(answer.entities.front().probability, 0.5, 1e-9);
}

TEST_F(Answers, AClaimIsVerifiedByTheRelationThatIsAskedFor) {
  const auto verified = [&](const char* asked, const char* claim) {
    return answer_of(*graph_, entity("Heat"), hearing(Act::kVerify, asked), {path("has_genre", "Crime", 1)},
                     {}, entity(claim), {});
  };
  EXPECT_GT(verified("directed_by", "Michael Mann").verified, 0.5);
  EXPECT_EQ(verified("directed_by", "Michael Mann").fact->tail, entity("Michael Mann"));
  EXPECT_LT(verified("directed_by", "Al Pacino").verified, 0.5);  // another relation joins them
  EXPECT_EQ(verified("directed_by", "Taxi Driver").verified, 0);  // none does
}

TEST_F(Answers, WhatIsMissingIsNotSaid) {
  Hearing heard = hearing(Act::kOne, "directed_by");
  heard.missing = 0.9;
  EXPECT_TRUE(answer_of(*graph_, entity("Heat"), heard, {path("has_genre", "Crime", 1)}, {}, std::nullopt, {})
                  .missing);
  heard.acts = {};
  heard.acts[static_cast<std::size_t>(Act::kNothing)] = 1;
  EXPECT_FALSE(
      answer_of(*graph_, entity("Heat"), heard, {path("has_genre", "Crime", 1)}, {}, std::nullopt, {})
          .missing);
}

}  // namespace
}  // namespace kgwalk::walker
