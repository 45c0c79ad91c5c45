// Whether something is so, in a conversation: who and what is meant by "he" and "it", and what is no such
// question.
#include <gtest/gtest.h>

#include "listening/candidates/candidate_sets.h"
#include "tests/listening/world.h"

namespace kgwalk::listening {
namespace {

class ChecksInTalk : public ::testing::Test {
 protected:
  // After who directed Night Ferry was asked and told.
  [[nodiscard]] SaidBefore after_the_director() const {
    SaidBefore before;
    remember({.named = std::array{world_.entity("Night Ferry")},
              .answers = std::array{world_.entity("Ada Lindqvist")},
              .told = std::array{world_.entity("Ada Lindqvist")},
              .relations = {*world_.graph.find_relation("directed by")}},
             before);
    return before;
  }
  [[nodiscard]] std::vector<Candidate> checks(const std::string& text, const SaidBefore& before) const {
    std::vector<Candidate> found = world_.prepared(text, before).candidates;
    std::erase_if(found, [](const Candidate& c) { return c.asked != Asked::kCheck; });
    return found;
  }
  [[nodiscard]] References references(const std::string& text) const {
    return references_said(world_.lexicon, heard_parts(world_.lexicon, world_.finder, text, {}));
  }
  testing::World world_;
};

TEST_F(ChecksInTalk, ReferencesAreCounted) {
  EXPECT_EQ(references("Did he write it?").least, 2U);
  EXPECT_EQ(references("Does he love his job?").least, 1U);
  EXPECT_EQ(references("Is it true that he left?").least, 1U);
  EXPECT_EQ(references("Did Ada Lindqvist die?").most, 0U);
  EXPECT_EQ(references("Was the film a hit?").most, 1U);
  EXPECT_EQ(references("Did he sleep in the bathtub?").most, 1U);
  EXPECT_EQ(references("Is he the director?").most, 2U);
  EXPECT_GE(references("Are they of the same year?").most, 2U);
}

TEST_F(ChecksInTalk, WhatIsNotReferredToIsNotMeant) {
  for (const Candidate& check : checks("Did Carla Venn direct anything?", after_the_director()))
    for (const std::uint32_t m : check.mentions)
      EXPECT_FALSE(
          world_.prepared("Did Carla Venn direct anything?", after_the_director()).parts.mentions[m].focus);
}

TEST_F(ChecksInTalk, HeAndItAreBothMeant) {
  const HeardParts parts =
      heard_parts(world_.lexicon, world_.finder, "Did she direct it?", after_the_director());
  bool both = false;
  for (const Candidate& check : checks("Did she direct it?", after_the_director())) {
    if (check.slots.front().relation != *world_.graph.find_relation("directed by")) continue;
    EXPECT_EQ(check.mentions.size(), 2U);  // not whether anybody directed it
    both = both || (check.mentions.size() == 2 && check.truth == true);
  }
  EXPECT_TRUE(both);
}

// "Ranged" is what the hero is not, and asks for no range.
TEST_F(ChecksInTalk, AWordThatNamesSomethingAsksForNoRelation) {
  const testing::World heroes({{"Axwell", "attack type", "Melee"},
                               {"Snipo", "attack type", "Ranged"},
                               {"Axwell", "attack range", "150"},
                               {"Snipo", "attack range", "550"}});
  for (const Candidate& each : heroes.prepared("Is Axwell ranged?").candidates)
    EXPECT_FALSE(each.asked == Asked::kCheck && each.truth == true);
}

TEST_F(ChecksInTalk, AnOpenQuestionHasNoYes) {
  EXPECT_TRUE(checks("How did Carla Venn get into Night Ferry?", after_the_director()).empty());
  EXPECT_FALSE(checks("What about Bruno Castell?", after_the_director()).empty());
}

TEST_F(ChecksInTalk, NobodyIsAskedForByNoWord) {
  EXPECT_TRUE(checks("Was the film a hit?", after_the_director()).empty());
  EXPECT_FALSE(checks("Does Night Ferry have a director?", {}).empty());
}

// Nobody in the graph directed Oslo, and Ada directed no city: it is not so, whatever else joins them.
TEST_F(ChecksInTalk, ARelationThatNeitherHasIsNotSo) {
  const testing::World books({{"Ada Lindqvist", "type", "person"},
                              {"Ada Lindqvist", "birth place", "Oslo"},
                              {"Bruno Castell", "birth place", "Oslo"},
                              {"Grey Water", "type", "book"},
                              {"Grey Water", "written by", "Ada Lindqvist"},
                              {"Night Ferry", "type", "film"},
                              {"Night Ferry", "directed by", "Bruno Castell"}});
  const auto directed = *books.graph.find_relation("directed by");
  bool denied = false;
  for (const Candidate& each : books.prepared("Did Ada Lindqvist direct Grey Water?").candidates)
    denied = denied || (each.asked == Asked::kCheck && each.slots.front().relation == directed &&
                        each.truth == false && each.mentions.size() == 2);
  EXPECT_TRUE(denied);
}

TEST_F(ChecksInTalk, AnHourIsNoYear) {
  for (const Candidate& each : world_.prepared("Is Night Ferry longer than two hours?").candidates)
    EXPECT_FALSE(is_whether(each.asked)) << "a release year is no duration";
}

TEST_F(ChecksInTalk, OfOneOnlyNoTwoAreCompared) {
  SaidBefore before = after_the_director();
  remember({.named = std::array{world_.entity("Paper Moons")},
            .relations = {*world_.graph.find_relation("directed by")}},
           before);
  for (const Candidate& each : world_.prepared("Is it older than my car?", before).candidates)
    EXPECT_NE(each.shape, Shape::kPair);
}

TEST(Orders, TheSizeIsMeantBeforeANumberThatIsNone) {
  std::vector<graph::NamedTriple> facts;
  const char* const names[] = {"Ardel", "Borune", "Castir"};
  for (int i = 0; i < 3; ++i) {
    facts.push_back({names[i], "type", "country"});
    facts.push_back({names[i], "continent", "Nordia"});
    facts.push_back({names[i], "area", std::to_string(100 + i)});
    facts.push_back({names[i], "dialing code", std::to_string(90 - i)});
  }
  const testing::World countries(facts);
  const auto area = *countries.graph.find_relation("area");
  bool any = false;
  for (const Candidate& each : countries.prepared("What is the largest country in Nordia?").candidates)
    if (each.asked == Asked::kLast && !each.by_count) {
      EXPECT_EQ(each.slots.back().relation, area);
      any = true;
    }
  EXPECT_TRUE(any);
}

}  // namespace
}  // namespace kgwalk::listening
