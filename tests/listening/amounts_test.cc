// Sums, averages and differences among candidates, things told apart by who does what, and flags alone.
#include <gtest/gtest.h>

#include <set>

#include <cmath>

#include "kgwalk/form_text.h"
#include "listening/candidates/feature_list.h"
#include "listening/words/voices.h"
#include "tests/listening/world.h"

namespace kgwalk::listening {
namespace {

const testing::World& peaks() {
  static const testing::World world({{"Ahorn", "type", "mountain"},
                                     {"Birke", "type", "mountain"},
                                     {"Cedro", "type", "mountain"},
                                     {"Ahorn", "height", "1200"},
                                     {"Birke", "height", "1800"},
                                     {"Cedro", "height", "900"},
                                     {"Ahorn", "country", "Lunden"},
                                     {"Birke", "country", "Lunden"},
                                     {"Cedro", "country", "Marvia"},
                                     {"Ahorn", "is active", "1"},
                                     {"Birke", "is active", "1"},
                                     {"Cedro", "is active", "0"},
                                     {"Ahorn", "is landlocked", "true"},
                                     {"Birke", "is landlocked", "true"},
                                     {"Cedro", "is landlocked", "false"},
                                     {"Ada Blom", "influenced by", "Ben Carr"},
                                     {"Cid Dorn", "influenced by", "Ada Blom"},
                                     {"Ada Blom", "type", "painter"},
                                     {"Ben Carr", "type", "painter"},
                                     {"Ada Blom", "birth year", "1900"},
                                     {"Ben Carr", "birth year", "1870"}});
  return world;
}

// The form in words of the candidate that asks so and comes to the amount; empty where there is none.
std::string asked_for(const std::string& text, Asked asked, double amount) {
  const Prepared heard = peaks().prepared(text);
  for (const Candidate& c : heard.candidates)
    if (c.asked == asked && c.amount && std::abs(*c.amount - amount) < 1e-9)
      return forms::in_words(form_of(c, heard.parts, peaks().lexicon, false), peaks().values);
  return "";
}

TEST(Amounts, ValuesOfASetAreAddedUpAndAveraged) {
  EXPECT_NE(asked_for("What is the average height of the mountains in Lunden?", Asked::kAverage, 1500), "");
  EXPECT_NE(asked_for("the total height of all mountains in Lunden", Asked::kSum, 3000), "");
  EXPECT_NE(asked_for("what is the average height of mountains", Asked::kAverage, 1300), "");
}

TEST(Amounts, OfTwoTheDifferenceIsTaken) {
  EXPECT_NE(asked_for("How much higher is Birke than Ahorn?", Asked::kDifference, 600), "");
  EXPECT_NE(asked_for("How much higher is Ahorn than Birke?", Asked::kDifference, 600), "");
  EXPECT_NE(asked_for("how many years older is Ben Carr than Ada Blom", Asked::kDifference, 30), "");
}

TEST(Amounts, YearsHaveAnAverageAndNoSum) {
  EXPECT_NE(asked_for("the average birth year of the painters", Asked::kAverage, 1885), "");
  for (const Candidate& c : peaks().prepared("the total birth year of the painters").candidates)
    EXPECT_FALSE(c.amount);
}

TEST(Amounts, WhoNamesTwoComparesThemByWhatTheWordSays) {
  const SaidBefore focus{.focus = {{peaks().entity("Birke"), {.topic = true}}}};
  for (const char* text :
       {"How much higher is Ahorn than Cedro?", "How much older is Ada Blom than Ahorn?"}) {
    const Prepared heard = peaks().prepared(text, focus);
    for (const Candidate& c : heard.candidates) {
      if (c.shape != Shape::kPair) continue;
      EXPECT_FALSE(c.by_count) << text;
      for (const std::uint32_t m : c.mentions) EXPECT_FALSE(heard.parts.mentions[m].focus) << text;
    }
  }
}

TEST(Amounts, NobodyIsOfferedAnAmountWithoutAWordForIt) {
  for (const char* text :
       {"Which mountains are in Lunden?", "Is Birke higher than Ahorn?", "What is the height of Birke?"})
    for (const Candidate& c : peaks().prepared(text).candidates) EXPECT_FALSE(c.amount) << text;
}

TEST(Amounts, WhatAFlagSaysYesOfIsASetAlone) {
  for (const char* text : {"which are active", "which are landlocked"}) {
    const Prepared heard = peaks().prepared(text);
    const auto right = peaks().all({"Ahorn", "Birke"});
    const auto found =
        std::find_if(heard.candidates.begin(), heard.candidates.end(),
                     [&](const Candidate& c) { return !c.truth && c.answers == right && c.slots.empty(); });
    ASSERT_NE(found, heard.candidates.end()) << text;
    const forms::Query form = form_of(*found, heard.parts, peaks().lexicon, false);
    EXPECT_EQ(peaks().engine.answer(form).entities, right) << text;
  }
}

// Whether the candidate that asks for them fits the voice of the sentence; nullopt without one.
std::optional<bool> voice(const std::string& text, const std::vector<std::string>& answers) {
  const Prepared heard = peaks().prepared(text);
  const auto right = peaks().all(answers);
  for (std::size_t i = 0; i < heard.candidates.size(); ++i) {
    if (heard.candidates[i].answers != right || heard.candidates[i].shape != Shape::kOne) continue;
    const float* row = heard.features.data() + i * kNumFeatures;
    if (row[static_cast<std::size_t>(Feature::kVoiceFits)] > 0) return true;
    if (row[static_cast<std::size_t>(Feature::kVoiceNot)] > 0) return false;
  }
  return std::nullopt;
}

TEST(Orders, TheOldestWasBornFirst) {
  std::vector<graph::NamedTriple> facts;
  for (int i = 0; i < 4; ++i) {
    const std::string clerk = "Clerk " + std::string(1, static_cast<char>('A' + i));
    facts.push_back({clerk, "type", "clerk"});
    facts.push_back({clerk, "birth date", "19" + std::to_string(50 + i) + "-01-02"});
    facts.push_back({clerk, "hire date", "201" + std::to_string(9 - i) + "-01-02"});
  }
  const testing::World world(facts);
  const auto ordered_by = [&](const std::string& text) {
    std::set<std::string> names;
    for (const Candidate& candidate : world.prepared(text).candidates)
      if (candidate.asked == Asked::kFirst || candidate.asked == Asked::kLast)
        names.insert(std::string(world.graph.relation_name(candidate.slots.back().relation)));
    return names;
  };
  EXPECT_EQ(ordered_by("Who is the oldest clerk?"), std::set<std::string>{"birth date"});
  EXPECT_TRUE(ordered_by("Who is the newest clerk by hire date?").contains("hire date"));
}

TEST(Voices, WhoDoesItIsToldFromWhomItIsDoneTo) {
  EXPECT_EQ(voice("Who did Ada Blom influence?", {"Cid Dorn"}), true);
  EXPECT_EQ(voice("Who did Ada Blom influence?", {"Ben Carr"}), false);
  EXPECT_EQ(voice("Who influenced Ada Blom?", {"Ben Carr"}), true);
  EXPECT_EQ(voice("Who influenced Ada Blom?", {"Cid Dorn"}), false);
  EXPECT_EQ(voice("Who was Ada Blom influenced by?", {"Ben Carr"}), true);
  EXPECT_EQ(voice("people that Ada Blom has influenced", {"Cid Dorn"}), true);
  EXPECT_EQ(voice("the influence of Ada Blom", {"Ben Carr"}), std::nullopt);
}

TEST(Voices, OfNamesAlone) {
  const std::vector<std::string> words = {"reviewed", "by"};
  const RelationVoices voices = voices_of(words, nullptr);
  const VerbEnds* reviews = voices.of(verb_stem("reviews"));
  ASSERT_NE(reviews, nullptr);
  EXPECT_TRUE(reviews->acts[VerbEnds::kTail] && reviews->takes[VerbEnds::kHead] &&
              !reviews->acts[VerbEnds::kHead]);
  EXPECT_TRUE(verb_stem("reviewer").empty());
}

class Checks : public ::testing::Test {
 protected:
  // The truths of the checks that the relation is asked of, with how many mentions each.
  [[nodiscard]] std::vector<std::pair<std::size_t, bool>> checks(const std::string& text,
                                                                 const SaidBefore& before = {}) const {
    const Prepared heard = world_.prepared(text, before);
    std::vector<std::pair<std::size_t, bool>> out;
    for (const Candidate& c : heard.candidates)
      if (c.asked == Asked::kCheck && c.truth &&
          world_.graph.relation_name(c.slots.front().relation).ends_with("starring"))
        out.emplace_back(c.mentions.size(), *c.truth);
    return out;
  }
  testing::World world_;
};

TEST_F(Checks, OfTwoThatAreBothSo) {
  const auto yes = checks("Are Carla Venn and Dario Pohl both in Silver Harbor?"),
             no = checks("Are Carla Venn and Dario Pohl both in Night Ferry?");
  EXPECT_NE(std::find(yes.begin(), yes.end(), std::pair(std::size_t{3}, true)), yes.end());
  EXPECT_NE(std::find(no.begin(), no.end(), std::pair(std::size_t{3}, false)), no.end());
  EXPECT_EQ(std::find(no.begin(), no.end(), std::pair(std::size_t{3}, true)), no.end());
}

TEST_F(Checks, WhoNamesTwoAsksAboutBothWhateverWasSpokenOf) {
  const SaidBefore focus{.focus = {{world_.entity("Silver Harbor"), {.topic = true}}}};
  const auto all = checks("Is Dario Pohl in Night Ferry too?", focus);
  ASSERT_FALSE(all.empty());  // from either end
  for (const auto& check : all) EXPECT_EQ(check, std::pair(std::size_t{2}, false));
  EXPECT_FALSE(checks("Is Dario Pohl in it?", focus).empty());
}

}  // namespace
}  // namespace kgwalk::listening
