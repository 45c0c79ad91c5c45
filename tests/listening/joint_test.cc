// What one name is in by two relations, what two are in together, and measures that their values say.
#include <gtest/gtest.h>

#include "listening/candidates/candidate_sets.h"
#include "tests/listening/world.h"

namespace kgwalk::listening {
namespace {

std::vector<graph::NamedTriple> films_and_players() {
  std::vector<graph::NamedTriple> facts = testing::films_and_people();
  facts.push_back({"Night Ferry", "starring", "Ada Lindqvist"});
  facts.push_back({"Paper Moons", "genre", "Comedy"});
  for (int i = 0; i < 30; ++i) facts.push_back({"Short " + std::to_string(i), "genre", "Comedy"});
  return facts;
}

class Joint : public ::testing::Test {
 protected:
  [[nodiscard]] bool has(const std::string& text, const std::vector<std::string>& names) const {
    const auto right = world_.all(names);
    const Prepared heard = world_.prepared(text);
    return std::any_of(heard.candidates.begin(), heard.candidates.end(), [&](const Candidate& c) {
      return c.shape == Shape::kAnd && c.asked == Asked::kSet && c.answers == right;
    });
  }
  // What the graph says of the two being in something together; nullopt where that is not asked.
  [[nodiscard]] std::optional<bool> met(const std::string& text) const {
    const Prepared heard = world_.prepared(text);
    for (const Candidate& candidate : heard.candidates)
      if (candidate.shape == Shape::kAnd && candidate.asked == Asked::kCheck) {
        const forms::Query form = form_of(candidate, heard.parts, world_.lexicon, false);
        EXPECT_EQ(world_.engine.answer(form).truth, candidate.truth) << text;
        return candidate.truth;
      }
    return std::nullopt;
  }
  testing::World world_{films_and_players()};
};

TEST_F(Joint, OneNameByTwoRelationsThatAreSaid) {
  EXPECT_TRUE(has("Which films did Ada Lindqvist direct and star in?", {"Night Ferry"}));
  EXPECT_FALSE(has("Which films did Ada Lindqvist direct?", {"Night Ferry"}));
}

TEST_F(Joint, WhetherTwoWereInAnythingTogether) {
  EXPECT_EQ(met("Did Carla Venn ever work with Ada Lindqvist?"), true);
  EXPECT_EQ(met("Have Bruno Castell and Ada Lindqvist worked together?"), false);
  EXPECT_EQ(met("Is Oslo with Girona?"), std::nullopt) << "no work leads to them";
  EXPECT_EQ(met("Did Carla Venn direct Night Ferry?"), std::nullopt);
}

TEST_F(Joint, WhetherARelationLeadsFromTwoToTheSame) {
  EXPECT_EQ(met("Do Silver Harbor and Night Ferry have the same director?"), true);
  EXPECT_EQ(met("Do Silver Harbor and Paper Moons have the same director?"), false);
}

TEST_F(Joint, AGeneralWordIsWrittenSmallBesideNames) {
  EXPECT_TRUE(world_.lexicon.is_general(world_.entity("Comedy")));
  EXPECT_FALSE(world_.lexicon.is_general(world_.entity("Carla Venn")));
  const HeardParts parts = heard_parts(world_.lexicon, world_.finder, "Is Paper Moons a comedy?");
  EXPECT_TRUE(std::any_of(parts.mentions.begin(), parts.mentions.end(), [&](const HeardMention& mention) {
    return mention.entity == world_.entity("Comedy");
  }));
}

TEST(Measures, AreThoseThatTheValueSays) {
  std::vector<graph::NamedTriple> facts;
  for (int car = 0; car < 12; ++car) {
    const std::string name = "Car " + std::string(1, static_cast<char>('A' + car));
    facts.push_back({name, "type", "car"});
    for (const char* measure : {"bore", "bulk", "girth", "grip", "heft", "pull", "span"})
      facts.push_back({name, measure, std::to_string(100 + 7 * car)});
    facts.push_back({name, "zone year", std::to_string(1970 + car % 3)});
  }
  const testing::World world(facts);
  const Prepared heard = world.prepared("How many cars are from 1971?");
  const graph::RelationId year = *world.graph.find_relation("zone year");
  EXPECT_TRUE(std::any_of(heard.candidates.begin(), heard.candidates.end(), [&](const Candidate& c) {
    return c.asked == Asked::kAt && c.slots.back().relation == year && c.answers.size() == 4;
  })) << "a year limits years, however many measures there are";
}

TEST(Types, OfTheOnlyKindAnyNounMayBeSaid) {
  std::vector<graph::NamedTriple> facts;
  for (const char* name : {"Brask", "Orme", "Tell"}) {
    facts.push_back({name, "type", "zrow"});
    facts.push_back({name, "species", "Ewok"});
    facts.push_back({name, "home", "Endor"});
  }
  const testing::World world(facts);
  const auto types = [&](const char* text) { return types_said(world.lexicon, read_said(text)).size(); };
  EXPECT_EQ(types("how many characters are there"), 1U);
  EXPECT_EQ(types("which character is from Endor"), 1U);
  EXPECT_EQ(types("list the beings"), 1U);
  EXPECT_EQ(types("which species is Brask"), 0U) << "a relation is called so";
  EXPECT_EQ(types("who is Brask"), 0U);
}

TEST_F(Joint, WhereAndWhenAskForNobody) {
  const auto of_a_person = [&](const std::string& text) {
    const Prepared heard = world_.prepared(text);
    return std::any_of(heard.candidates.begin(), heard.candidates.end(), [&](const Candidate& c) {
      return !c.answers.empty() && world_.lexicon.kind_of(c.answers.front()) == EndKind::kPerson;
    });
  };
  EXPECT_TRUE(of_a_person("who directed Silver Harbor"));
  EXPECT_FALSE(of_a_person("where was Silver Harbor"));
  EXPECT_FALSE(of_a_person("and when was Silver Harbor"));
  EXPECT_TRUE(of_a_person("who was there when Silver Harbor came out"));
}

}  // namespace
}  // namespace kgwalk::listening
