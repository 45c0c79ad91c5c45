#include "listening/candidates/candidates.h"

#include <gtest/gtest.h>

#include <set>

#include "kgwalk/form_text.h"
#include "listening/candidates/feature_list.h"
#include "listening/words/families.h"
#include "listening/words/likeness.h"
#include "listening/words/meanings.h"
#include "listening/words/relation_words.h"
#include "listening/words/word_lists.h"
#include "tests/listening/world.h"

namespace kgwalk::listening {
namespace {

class Candidates : public ::testing::Test {
 protected:
  // Whether a candidate of this asking has just these answers.
  [[nodiscard]] bool has(const std::string& text, Asked asked, const std::vector<std::string>& names) const {
    const Prepared heard = world_.prepared(text);
    const auto right = world_.all(names);
    return std::any_of(heard.candidates.begin(), heard.candidates.end(), [&](const Candidate& c) {
      return c.asked == asked && !c.truth && c.answers == right;
    });
  }
  [[nodiscard]] bool tells(const std::string& text, Asked asked, bool truth) const {
    const Prepared heard = world_.prepared(text);
    return std::any_of(heard.candidates.begin(), heard.candidates.end(),
                       [&](const Candidate& c) { return c.asked == asked && c.truth == truth; });
  }

  testing::World world_;
};

TEST_F(Candidates, StepsAndConjunctionsAreAmongThem) {
  EXPECT_TRUE(has("Who directed Silver Harbor?", Asked::kSet, {"Ada Lindqvist"}));
  EXPECT_TRUE(has("What did Ada Lindqvist direct?", Asked::kSet, {"Silver Harbor", "Night Ferry"}));
  EXPECT_TRUE(has("Where was the director of Night Ferry born?", Asked::kSet, {"Oslo"}));
  EXPECT_TRUE(has("films with Carla Venn and Dario Pohl", Asked::kSet, {"Silver Harbor", "Paper Moons"}));
}

TEST_F(Candidates, WhatIsNotMeantIsLeftOutWhereWordsSaySo) {
  EXPECT_TRUE(has("films with Carla Venn but not Dario Pohl", Asked::kSet, {"Night Ferry"}));
  const Prepared plain = world_.prepared("films with Carla Venn and Dario Pohl");
  for (const Candidate& candidate : plain.candidates) EXPECT_NE(candidate.shape, Shape::kBut);
}

TEST_F(Candidates, SetsAreOrderedAndFilteredByTheirValues) {
  EXPECT_TRUE(has("What is the oldest film with Carla Venn?", Asked::kFirst, {"Silver Harbor"}));
  EXPECT_TRUE(has("the latest film with Carla Venn", Asked::kLast, {"Paper Moons"}));
  EXPECT_TRUE(has("films with Carla Venn after 2000", Asked::kAfter, {"Night Ferry", "Paper Moons"}));
  EXPECT_TRUE(has("films with Carla Venn from the 1990s", Asked::kAt, {"Silver Harbor"}));
  EXPECT_TRUE(has("films with Carla Venn between 2000 and 2005", Asked::kAt, {"Night Ferry"}));
}

TEST_F(Candidates, SeveralOfTheFirstAndTheSecondAloneAreRanked) {
  EXPECT_TRUE(has("the two newest films with Carla Venn", Asked::kLast, {"Night Ferry", "Paper Moons"}));
  EXPECT_TRUE(
      has("What are the first 2 films with Carla Venn?", Asked::kFirst, {"Silver Harbor", "Night Ferry"}));
  EXPECT_TRUE(has("the second oldest film with Carla Venn", Asked::kFirst, {"Night Ferry"}));
  EXPECT_TRUE(has("the 3rd latest film with Carla Venn", Asked::kLast, {"Silver Harbor"}));
}

TEST_F(Candidates, WhatSomethingNamedHasLimitsToo) {
  EXPECT_TRUE(
      has("Which films are newer than Silver Harbor?", Asked::kAfter, {"Night Ferry", "Paper Moons"}));
  EXPECT_TRUE(has("films with Carla Venn released before Night Ferry", Asked::kBefore, {"Silver Harbor"}));
}

TEST_F(Candidates, CountsLimit) {
  EXPECT_TRUE(
      has("Which films have at least two starring actors?", Asked::kAfter, {"Silver Harbor", "Paper Moons"}));
  EXPECT_TRUE(has("films with fewer than 2 starring actors", Asked::kBefore, {"Night Ferry"}));
}

TEST_F(Candidates, CountriesAreHeardAsAdjectives) {
  EXPECT_TRUE(has("Which Norwegian cities do you know?", Asked::kSet, {"Oslo"}));
  EXPECT_TRUE(has("spanish cities", Asked::kSet, {"Girona"}));
}

// "How many inhabitants has X" asks for the number, which is not counted.
TEST(CandidatesOfNumbers, AreNotCounted) {
  const testing::World small({{"Oslo", "population", "700000"},
                              {"Girona", "population", "104000"},
                              {"Rome", "population", "2800000"},
                              {"Oslo", "twin town", "Girona"},
                              {"Oslo", "twin town", "Rome"}});
  const Prepared heard = small.prepared("How many inhabitants does Oslo have?");
  for (const Candidate& candidate : heard.candidates) {
    if (candidate.asked != Asked::kSet || candidate.slots.size() != 1) continue;
    EXPECT_EQ(candidate.countable, candidate.answers.size() == 2) << "only twin towns are counted";
  }
}

// Of each candidate that asks so and is no yes or no, what answers it.
std::vector<std::string> answers(const testing::World& world, const std::string& text, Asked asked) {
  std::vector<std::string> found;
  for (const Candidate& each : world.prepared(text).candidates) {
    std::string names;
    for (const graph::EntityId answer : each.answers)
      names += std::string(names.empty() ? "" : ", ") + std::string(world.graph.entity_name(answer));
    if (each.asked == asked && !each.truth) found.push_back(names);
  }
  return found;
}

bool has_one(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

TEST(CandidatesOfTypes, TellWhatSomebodyDoes) {
  const testing::World small({{"Ada Lindqvist", "type", "director"},
                              {"Ada Lindqvist", "birth place", "Oslo"},
                              {"Bruno Castell", "type", "person"},
                              {"Bruno Castell", "birth place", "Girona"},
                              {"Silver Harbor", "type", "film"},
                              {"Silver Harbor", "directed by", "Ada Lindqvist"}});
  EXPECT_TRUE(has_one(answers(small, "What does Ada Lindqvist do for a living?", Asked::kSet), "director"));
  const auto does = [&](const char* name) {
    return small.lexicon.profession_of(*small.graph.find_entity(name)) != nullptr;
  };
  EXPECT_TRUE(does("Ada Lindqvist"));
  EXPECT_FALSE(does("Bruno Castell")) << "a person is no profession";
  EXPECT_FALSE(does("Silver Harbor"));
}

TEST(CandidatesOfFlags, NarrowATypeAndAStep) {
  const testing::World small({{"Radium", "type", "element"},
                              {"Radon", "type", "element"},
                              {"Gold", "type", "element"},
                              {"Radium", "is_radioactive", "1"},
                              {"Radon", "is_radioactive", "1"},
                              {"Gold", "is_radioactive", "0"},
                              {"Radon", "series", "Noble gases"},
                              {"Neon", "series", "Noble gases"},
                              {"Neon", "is_radioactive", "0"}});
  EXPECT_TRUE(has_one(answers(small, "Which radioactive elements are there?", Asked::kSet), "Radium, Radon"));
  EXPECT_TRUE(has_one(answers(small, "Which noble gases are radioactive?", Asked::kSet), "Radon"));
}

TEST(CandidatesOfValues, AreReadInTheUnitThatTheNameTells) {
  const testing::World small({{"Short Cut", "artist", "Ada Lind"},
                              {"Long Way", "artist", "Ada Lind"},
                              {"Far Off", "artist", "Ada Lind"},
                              {"Short Cut", "milliseconds", "120000"},
                              {"Long Way", "milliseconds", "360000"},
                              {"Far Off", "milliseconds", "380000"}});
  const auto over = answers(small, "songs by Ada Lind over 5 minutes", Asked::kAfter);
  EXPECT_TRUE(has_one(over, "Long Way, Far Off"));
  EXPECT_FALSE(has_one(over, "Short Cut, Long Way, Far Off")) << "they are no 5 milliseconds";
}

TEST(RelationWords, CutNamesOfColumnsInOneWord) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(relation_words("hiredate"), (Words{"hire", "date"}));
  EXPECT_EQ(relation_words("reportsto"), (Words{"reports", "to"}));
  EXPECT_EQ(relation_words("num"), (Words{"number"}));
  EXPECT_EQ(relation_words("releaseDate"), (Words{"release", "date"}));
  EXPECT_EQ(relation_words("author (ontology)"), (Words{"author"}));
  const std::string endless(100'000, 'a');
  EXPECT_EQ(relation_words(endless), Words{endless});
  for (const char* whole : {"screenplay", "abbreviation", "geburtsdatum", "starring"})
    EXPECT_EQ(relation_words(whole), Words{whole});
}

TEST_F(Candidates, ATypeIsAsked) {
  EXPECT_TRUE(tells("Is Silver Harbor a film?", Asked::kCheck, true));
  EXPECT_TRUE(has("How many films are there?", Asked::kSet, {"Silver Harbor", "Night Ferry", "Paper Moons"}));
}

// What is joined by a relation that is not said is not denied by all others.
TEST_F(Candidates, WhatIsNotSaidDeniesNothing) {
  const Prepared heard = world_.prepared("Is Carla Venn in Night Ferry?");
  EXPECT_TRUE(std::any_of(heard.candidates.begin(), heard.candidates.end(),
                          [](const Candidate& c) { return c.asked == Asked::kCheck && c.truth == true; }));
  EXPECT_TRUE(std::none_of(heard.candidates.begin(), heard.candidates.end(),
                           [](const Candidate& c) { return c.asked == Asked::kCheck && c.truth == false; }));
}

// Two relations that people say with the same words: one that joins both is not denied by the other.
TEST(CandidatesOfChecks, BelongToEither) {
  const testing::World small({{"Copper", "block", "d"},
                              {"Copper", "series", "Transition metals"},
                              {"Gold", "block", "d"},
                              {"Gold", "series", "Transition metals"}});
  const Prepared heard = small.prepared("Does Copper belong to the Transition metals?");
  for (const Candidate& each : heard.candidates) {
    const bool denies = each.asked == Asked::kCheck && each.mentions.size() == 2 && each.truth == false;
    EXPECT_FALSE(denies);
  }
}

TEST_F(Candidates, TheMostOfARelationNeedsNoName) {
  EXPECT_TRUE(has("Who directed the most films?", Asked::kLast, {"Ada Lindqvist"}));
  EXPECT_TRUE(
      has("Which film has the most starring actors?", Asked::kLast, {"Silver Harbor", "Paper Moons"}));
  EXPECT_FALSE(has("Who directed films?", Asked::kLast, {"Ada Lindqvist"}));
}

TEST_F(Candidates, PairsAndValuesAreCompared) {
  EXPECT_TRUE(has("Which is newer, Silver Harbor or Paper Moons?", Asked::kWhich, {"Paper Moons"}));
  EXPECT_TRUE(tells("Is Silver Harbor older than Paper Moons?", Asked::kLess, true));
  EXPECT_TRUE(tells("Was Night Ferry released before 2000?", Asked::kLess, false));
}

TEST_F(Candidates, ChecksKnowBothAnswers) {
  EXPECT_TRUE(tells("Did Ada Lindqvist direct Night Ferry?", Asked::kCheck, true));
  EXPECT_TRUE(tells("Did Bruno Castell direct Night Ferry?", Asked::kCheck, false));
}

TEST_F(Candidates, FormsGiveTheSameAnswers) {
  for (const char* text :
       {"Which is newer, Silver Harbor or Paper Moons?", "films with Carla Venn but not Dario Pohl",
        "What is the oldest film with Carla Venn after 2000?", "Did Ada Lindqvist direct Night Ferry?",
        "Is Silver Harbor older than Paper Moons?", "Was Night Ferry released before 2000?",
        "the two newest films with Carla Venn", "the second oldest film with Carla Venn",
        "Which films are newer than Silver Harbor?", "films with fewer than 2 starring actors",
        "Who directed the most films?", "films with Carla Venn since 2004"}) {
    const Prepared heard = world_.prepared(text);
    ASSERT_FALSE(heard.candidates.empty()) << text;
    for (const Candidate& candidate : heard.candidates) {
      if (candidate.shape == Shape::kNothing) continue;  // no form
      const forms::Answer answer =
          world_.engine.answer(form_of(candidate, heard.parts, world_.lexicon, false));
      if (candidate.truth) {
        // Where one name stands alone the other is not known: the form asks whether there is any.
        const bool known = candidate.asked != Asked::kCheck || candidate.mentions.size() == 2;
        EXPECT_TRUE(!known || answer.truth == candidate.truth) << text;
      } else {
        std::vector<graph::EntityId> entities = answer.entities;
        std::sort(entities.begin(), entities.end());
        EXPECT_EQ(entities, candidate.answers) << text;
      }
    }
  }
}

TEST_F(Candidates, FeaturesHaveOneRowEach) {
  const Prepared heard = world_.prepared("Where was the director of Night Ferry born?");
  const std::size_t count = heard.candidates.size();
  EXPECT_EQ(feature_names().size(), kNumFeatures);
  EXPECT_EQ(heard.features.size(), count * kNumFeatures);
  EXPECT_EQ(heard.relations.size(), count * kMaxSlots);
  EXPECT_EQ(heard.covers.size(), count);
  for (const std::uint32_t cover : heard.covers)
    EXPECT_EQ(heard.distinct_covers[cover].size(), heard.num_words());
  for (const float value : heard.features) EXPECT_TRUE(std::isfinite(value));
}

TEST_F(Candidates, AFewWordsWithoutNamesHaveNone) {
  EXPECT_TRUE(world_.prepared("thanks a lot").candidates.empty());
  EXPECT_TRUE(world_.prepared("").candidates.empty());
  EXPECT_TRUE(world_.prepared("\n").candidates.empty());
}

TEST_F(Candidates, FocusIsMeantWithoutBeingNamed) {
  const SaidBefore focus{.focus = {{world_.entity("Night Ferry"), {.topic = true}}}};
  const Prepared heard = prepare(world_.lexicon, world_.engine,
                                 heard_parts(world_.lexicon, world_.finder, "And who directed it?", focus));
  const auto right = world_.all({"Ada Lindqvist"});
  EXPECT_TRUE(std::any_of(heard.candidates.begin(), heard.candidates.end(),
                          [&](const Candidate& c) { return c.answers == right; }));
}

TEST(Families, EachHasAGrammarAndWordings) {
  std::set<std::vector<std::string>> names;
  for (const Family& family : families()) {
    ASSERT_FALSE(family.names.empty());
    for (const auto& name : family.names) {
      EXPECT_FALSE(name.empty());
      EXPECT_TRUE(names.insert(name).second) << name.front() << " is in two families";
    }
  }
  for (const dialogue::Family& asked : asked_wordings().families)
    for (const std::string& named : asked.relations) {
      std::vector<std::string> words;
      for (std::size_t at = 0; at <= named.size();) {
        const std::size_t end = std::min(named.find(' ', at), named.size());
        words.push_back(named.substr(at, end - at));
        at = end + 1;
      }
      EXPECT_NE(family_of(words), nullptr) << "asked.txt has wordings for '" << named << "'";
    }
  EXPECT_GT(unsaid_wordings().size(), 100U);
}

TEST(Likeness, KnowsStemsAndTypingErrors) {
  EXPECT_EQ(likeness("directed", "directed"), 1);
  EXPECT_GT(likeness("director", "directed"), 0.9F);
  EXPECT_GT(likeness("wrote", "writer"), 0.9F);
  EXPECT_GE(likeness("population", "populatoin"), 0.6F);
  EXPECT_LT(likeness("river", "mayor"), 0.3F);
}

TEST(Meanings, WordsOfOneThingAreNearerThanOthers) {
  const auto near = [](std::string_view a, std::string_view b) {
    return nearness(meaning_of(a), meaning_of(b));
  };
  constexpr std::string_view kAlike[][3] = {
      {"wife", "spouse", "river"},    {"medicine", "medical", "guitar"}, {"cost", "price", "birthplace"},
      {"tall", "height", "language"}, {"mother", "parent", "currency"},  {"movie", "film", "mayor"}};
  for (const auto& [word, like, other] : kAlike)
    EXPECT_GT(near(word, like), near(word, other) + 0.2F) << word;
  EXPECT_NEAR(near("river", "river"), 1, 1e-5);
  EXPECT_FLOAT_EQ(near("river", "mountain"), near("mountain", "river"));
  EXPECT_EQ(near("volcanos", "volcano"), 1) << "the singular's";
  EXPECT_TRUE(meaning_of("zorblatt").empty());
  EXPECT_EQ(near("zorblatt", "river"), 0);
}

TEST(Families, AreFoundByAnyOfTheirNames) {
  for (const std::vector<std::string>& name :
       {std::vector<std::string>{"directed", "by"}, {"director"}, {"film", "director"}, {"directors"}}) {
    const Family* family = family_of(name);
    ASSERT_NE(family, nullptr) << name.front();
    EXPECT_EQ(family->tail, EndKind::kPerson);
  }
  EXPECT_EQ(family_of(std::vector<std::string>{"zorblattness"}), nullptr);
}

}  // namespace
}  // namespace kgwalk::listening
