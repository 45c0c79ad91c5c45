// What of a text names something: parts of names that were spoken of, words that are names by accident, and
// what is left of many candidates.
#include "listening/candidates/said_parts.h"

#include <gtest/gtest.h>

#include "listening/candidates/features.h"
#include "listening/candidates/said_before.h"
#include "tests/listening/world.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;

struct Graph {
  explicit Graph(const std::vector<graph::NamedTriple>& facts)
      : graph(graph::KnowledgeGraph::from_triples(facts)),
        values(graph),
        engine(values),
        lexicon(graph, values),
        finder(graph) {}
  [[nodiscard]] EntityId entity(const std::string& name) const { return *graph.find_entity(name); }
  [[nodiscard]] HeardParts parts(const std::string& text, const SaidBefore& before = {}) const {
    return heard_parts(lexicon, finder, text, before);
  }
  [[nodiscard]] const HeardMention* mention_of(const HeardParts& parts, const std::string& name) const {
    for (const HeardMention& mention : parts.mentions)
      if (mention.entity == entity(name) && !mention.focus) return &mention;
    return nullptr;
  }

  graph::KnowledgeGraph graph;
  graph::TypedValues values;
  forms::Engine engine;
  Lexicon lexicon;
  dialogue::MentionFinder finder;
};

std::vector<graph::NamedTriple> some_facts() {
  return {{"It", "directed by", "Ivo Tellmar"},
          {"The Job", "directed by", "Ivo Tellmar"},
          {"Marta Quillen", "employer", "Brask Mills"},
          {"Otto Quillen", "employer", "Brask Mills"},
          {"Long Game of Chess", "type", "film"},
          {"The Job", "type", "film"},
          {"Dice", "type", "game"},
          {"Draughts", "type", "game"},
          {"Long Game of Chess", "release year", "1999"}};
}

SaidBefore spoken_of(EntityId entity) {
  SaidBefore before;
  before.focus.emplace_back(entity, FocusNote{.topic = true});
  return before;
}

TEST(SaidParts, APartOfANameMeansWhatWasSpokenOf) {
  const Graph world(some_facts());
  const HeardParts apart = world.parts("Who pays Quillen?");
  EXPECT_TRUE(std::none_of(apart.mentions.begin(), apart.mentions.end(),
                           [](const HeardMention& m) { return m.spoken_of; }));
  const HeardParts parts = world.parts("Who pays Quillen?", spoken_of(world.entity("Otto Quillen")));
  const HeardMention* const otto = world.mention_of(parts, "Otto Quillen");
  ASSERT_NE(otto, nullptr);
  EXPECT_TRUE(otto->spoken_of);
  EXPECT_EQ(otto->first, 2U);
  ASSERT_EQ(parts.named.size(), 1U);
  EXPECT_EQ(parts.mentions[parts.named.front()].entity, otto->entity);
}

TEST(SaidParts, APartInsideAnotherNameMeansThatOne) {
  const Graph world(some_facts());
  const HeardParts parts = world.parts("Who pays Marta Quillen?", spoken_of(world.entity("Otto Quillen")));
  EXPECT_EQ(world.mention_of(parts, "Otto Quillen"), nullptr);
  EXPECT_NE(world.mention_of(parts, "Marta Quillen"), nullptr);
}

TEST(SaidParts, WordsOfEverySentenceAreNoNames) {
  const Graph world(some_facts());
  EXPECT_EQ(world.mention_of(world.parts("Who directed it?"), "It"), nullptr);
  EXPECT_NE(world.mention_of(world.parts("Who directed It?"), "It"), nullptr);
}

TEST(SaidParts, WhoWritesNamesWithCapitalsMeansNoneInLowerCase) {
  const Graph world(some_facts());
  std::vector<graph::NamedTriple> many = some_facts();
  for (int i = 0; i < 5000; ++i) many.push_back({"Qrx" + std::to_string(i), "employer", "Brask Mills"});
  const Graph large(many);
  EXPECT_EQ(large.mention_of(large.parts("Who gave Marta Quillen a job?"), "The Job"), nullptr);
  EXPECT_NE(world.mention_of(world.parts("Who gave Marta Quillen a job?"), "The Job"), nullptr)
      << "of few names none is said by accident";
  EXPECT_NE(world.mention_of(world.parts("who directed the job"), "The Job"), nullptr);
}

TEST(SaidParts, AWordThatIsSpeltRightIsNoSlip) {
  const Graph world({{"Menton", "country", "France"}, {"What's the Score", "directed by", "Ivo Tellmar"}});
  EXPECT_EQ(world.mention_of(world.parts("Who was his mentor?"), "Menton"), nullptr);
  EXPECT_NE(world.mention_of(world.parts("Where is Mentton?"), "Menton"), nullptr);
  EXPECT_EQ(world.mention_of(world.parts("What's the director's name?"), "What's the Score"), nullptr);
}

TEST(SaidParts, AnAbbreviationWithPointsIsOneWord) {
  const Graph world({{"United States", "capital", "Washington"}, {"U", "directed by", "Ivo Tellmar"}});
  const HeardParts parts = world.parts("What is the capital of the U.S.?");
  EXPECT_TRUE(parts.said.says("u.s"));
  EXPECT_NE(world.mention_of(parts, "United States"), nullptr);
  EXPECT_EQ(world.mention_of(parts, "U"), nullptr);
  EXPECT_FALSE(read_said("J. Vane wrote it.").says("j.")) << "blanks stand between";
}

TEST(SaidParts, ATypeIsHeardByAWordThatMeansTheSame) {
  const Graph world({{"Night Ferry", "type", "movie"},
                     {"Salt", "type", "movie"},
                     {"Oslo", "type", "city"},
                     {"Night Ferry", "author", "Ada Lind"},
                     {"Ada Lind", "type", "writer"}});
  const auto types = [&](const std::string& text) {
    std::string out;
    const HeardParts parts = world.parts(text);
    for (const HeardType& type : parts.types) out += world.lexicon.types()[type.type].words.front() + " ";
    return out;
  };
  EXPECT_EQ(types("Which film is the newest?"), "movie ");
  EXPECT_EQ(types("which films are there"), "movie ");
  EXPECT_EQ(types("Which movie is the newest?"), "movie ");
  EXPECT_EQ(types("Who is the author of Night Ferry?"), "") << "a relation is called so";
  EXPECT_EQ(types("Which castle is the oldest?"), "");
}

// "Islands" are what the relation of that name leads to, though nothing is said to be one.
TEST(SaidParts, WhatARelationLeadsToIsCalledByIt) {
  std::vector<graph::NamedTriple> facts;
  for (int i = 0; i < 12; ++i) {
    const std::string penguin = "penguin " + std::to_string(i);
    facts.push_back({penguin, "type", "penguin"});
    facts.push_back({penguin, "island", i % 3 == 0 ? "Dream" : i % 3 == 1 ? "Biscoe" : "Torgersen"});
    facts.push_back({penguin, "weighed by", i % 2 == 0 ? "Ada" : "Bo"});
  }
  const Graph world(facts);
  const auto heard = [&](const std::string& text) {
    const HeardParts parts = world.parts(text);
    std::vector<std::string> sets;
    for (const HeardMention& mention : parts.mentions)
      if (mention.of_type && world.lexicon.types()[mention.type].range)
        sets.push_back(std::to_string(mention.members.size()) + " of " +
                       std::string(world.graph.relation_name(*world.lexicon.types()[mention.type].range)));
    return sets;
  };
  using Sets = std::vector<std::string>;
  EXPECT_EQ(heard("Which islands are there?"), Sets{"3 of island"});
  EXPECT_EQ(heard("how many islands do you know"), Sets{"3 of island"});
  EXPECT_EQ(heard("Which island has the most penguins?"), Sets{"3 of island"});
  EXPECT_EQ(heard("Is there an island?"), Sets{});
  EXPECT_EQ(heard("Who is weighed by Ada?"), Sets{}) << "a verb is no noun";
}

TEST(SaidParts, AKindInsideANameIsNotSaid) {
  const Graph world(some_facts());
  const auto says_game = [&](const std::string& text) {
    const HeardParts parts = world.parts(text);
    return std::any_of(parts.types.begin(), parts.types.end(), [&](const HeardType& type) {
      return world.lexicon.types()[type.type].type == world.entity("game");
    });
  };
  EXPECT_FALSE(says_game("When did Long Game of Chess come out?"));
  EXPECT_TRUE(says_game("Which game came out first?"));
}

// Where each of those told has hundreds of facts, "the newest" must not be lost among what may be asked of
// them.
TEST(SaidParts, TheNewestOfThoseIsKeptAmongThousands) {
  constexpr int kFilms = 6, kRelations = 60;
  std::vector<graph::NamedTriple> facts;
  for (int f = 0; f < kFilms; ++f) {
    const std::string film = "Film " + std::to_string(f);
    facts.push_back({film, "release year", std::to_string(1980 + f)});
    facts.push_back({film, "type", "film"});
    for (int r = 0; r < kRelations; ++r)
      facts.push_back({film, "credit " + std::to_string(r), "Person " + std::to_string(f * 7 + r)});
  }
  const Graph world(facts);
  SaidBefore before;
  for (int f = 0; f < kFilms; ++f) {
    const EntityId film = world.entity("Film " + std::to_string(f));
    before.focus.emplace_back(film, FocusNote{.answers = kFilms});
    before.answers.push_back(film);
  }
  std::sort(before.answers.begin(), before.answers.end());
  const Prepared heard =
      prepare(world.lexicon, world.engine, world.parts("which of those is the newest?", before));
  EXPECT_TRUE(std::any_of(heard.candidates.begin(), heard.candidates.end(), [&](const Candidate& c) {
    return c.shape == Shape::kThose && c.asked == Asked::kLast &&
           c.answers == std::vector{world.entity("Film 5")};
  }));
}

// More names than a small graph has, so that an everyday word is rarely one of them.
std::vector<graph::NamedTriple> many_films() {
  std::vector<graph::NamedTriple> facts = {{"The Company", "directed by", "Ivo Tellmar"},
                                           {"Night Ferry", "directed by", "Ivo Tellmar"},
                                           {"Us", "directed by", "Ivo Tellmar"},
                                           {"Silver Batman", "starring", "Vera Castell"},
                                           {"Ivo Tellmar", "country", "United States of America"}};
  for (std::size_t i = 0; i < dialogue::kFewNames; ++i)
    facts.push_back({"Film " + std::to_string(i), "directed by", "Ivo Tellmar"});
  return facts;
}

TEST(SaidParts, WhoWroteCapitalsBeforeMeansNoNameInSmallLetters) {
  const Graph films(many_films());
  SaidBefore before;
  EXPECT_NE(films.mention_of(films.parts("What company published it?"), "The Company"), nullptr);
  before.capitals = films.parts("Who directed Night Ferry?").before.capitals;
  EXPECT_TRUE(before.capitals);
  EXPECT_EQ(films.mention_of(films.parts("What company published it?", before), "The Company"), nullptr);
  EXPECT_NE(films.mention_of(films.parts("and the company?", before), "The Company"), nullptr);
  EXPECT_FALSE(films.parts("who directed night ferry").before.capitals);
}

TEST(SaidParts, APartThatIsPlayedIsNoWork) {
  const testing::World world;
  const auto named = [&](const std::string& text) {
    return !heard_parts(world.lexicon, world.finder, text).named.empty();
  };
  EXPECT_FALSE(named("Who played Night Ferry?"));
  EXPECT_FALSE(named("Who was cast as Night Ferry?"));
  EXPECT_TRUE(named("Who played in Night Ferry?"));
  EXPECT_TRUE(named("My daughter plays Night Ferry all day."));
}

// Words behind the last one that is taken have no place.
TEST(SaidParts, ANameBehindManyWordsIsPassedOver) {
  const Graph names({{".NET", "made by", "Ivo Tellmar"}, {"Night Ferry", "made by", "Ivo Tellmar"}});
  std::string text = "who made";
  for (int i = 0; i < 300; ++i) text += " word";
  EXPECT_TRUE(names.parts(text + " NET and Night Ferry").named.empty());
}

TEST(SaidParts, CountriesHaveSeveralNames) {
  const Graph films(many_films());
  for (const char* text : {"Who is from the United States?", "Who is from the USA?", "Who is from the US?"})
    EXPECT_NE(films.mention_of(films.parts(text), "United States of America"), nullptr) << text;
  EXPECT_EQ(films.mention_of(films.parts("tell us more"), "United States of America"), nullptr);
}

TEST(SaidBefore, ThoseAreKeptForAWhile) {
  const std::vector<EntityId> three = {1, 2, 3}, second = {2}, other = {9};
  SaidBefore before;
  remember({.answers = three}, before);
  EXPECT_EQ(before.answers, three);
  remember({.answers = second}, before);
  EXPECT_EQ(before.answers, three) << "the newest of them; the oldest may be asked for next";
  EXPECT_EQ(before.answers_ago, 0);
  remember({.answers = other}, before);
  EXPECT_EQ(before.answers_ago, 1);
  remember({.answers = other}, before);
  EXPECT_EQ(before.answers, three);
  remember({.answers = other}, before);
  EXPECT_TRUE(before.answers.empty());
}

}  // namespace
}  // namespace kgwalk::listening
