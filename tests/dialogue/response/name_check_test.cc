#include <gtest/gtest.h>

#include "dialogue/response/name_check.h"
#include "kgwalk/error.h"

namespace kgwalk::dialogue {
namespace {

graph::KnowledgeGraph talk_graph() {
  const std::vector<graph::NamedTriple> triples{{"Heat (1995 Film)", "directed_by", "Michael Mann"},
                                                {"Heat (1995 Film)", "release_year", "1995"},
                                                {"Schindler's List", "directed_by", "Steven Spielberg"},
                                                {"It", "directed_by", "Tommy Lee Wallace"},
                                                {"Yes", "has_genre", "Progressive rock"},
                                                {"Beyoncé", "is-a", "Singer"},
                                                {"Iron Man", "has_genre", "Film"},
                                                {"Man", "is-a", "Film"},
                                                {"Iron Man 2", "has_genre", "Film"}};
  return graph::KnowledgeGraph::from_triples(triples);
}

std::vector<graph::Dialogue> small_talks() {
  graph::Dialogue dialogue;
  for (const char* text :
       {"I like it. Have you seen the film?", "Yes. It is a good film, I like it.",
        "Yes, a film by Michael Mann, is it?", "Yes I know michael mann. That man is good.",
        "The man made it well. One man is enough."})
    dialogue.events.push_back(graph::Chat{graph::Speaker::kUser, text});
  return {dialogue};
}

class Names : public ::testing::Test {
 protected:
  static Message about(const std::string& start, const std::string& tail) {
    Message message{.start = start};
    message.ways = {{{start, "directed_by", tail}}};
    return message;
  }
  [[nodiscard]] NameVerdict check(const std::string& sentence, const Message& message) const {
    return checker_.check(sentence, message);
  }
  const graph::KnowledgeGraph graph_ = talk_graph();
  const NameChecker checker_{graph_, OrdinaryNames(graph_, small_talks())};
};

using List = std::vector<std::string>;

TEST_F(Names, OrdinaryAreThoseWrittenSmallOrThatOnlyBeginSentences) {
  EXPECT_EQ(checker_.ordinary().list(), (List{"film", "it", "man", "yes"}));
}

TEST_F(Names, ThatOnlyBeginSentencesAndAreOnAPathStayNames) {
  std::vector<graph::Dialogue> talks = small_talks();
  const graph::EntityId yes = *graph_.find_entity("Yes"), rock = *graph_.find_entity("Progressive rock");
  talks[0].events.push_back(graph::WalkedPath{graph::Speaker::kUser, {{yes, 0, rock}}});
  EXPECT_FALSE(OrdinaryNames(graph_, talks).contains("yes"));
}

TEST_F(Names, OfTheMessageAreFoundWholeOrPlainAndAsOwners) {
  const Message message = about("Heat (1995 Film)", "Michael Mann");
  EXPECT_EQ(check("Michael Mann's film is Heat (1995 Film).", message).named,
            (List{"Heat (1995 Film)", "Michael Mann"}));
  EXPECT_TRUE(check("Michael Mann's film is Heat (1995 Film).", message).wrong.empty());
  EXPECT_TRUE(check("heat is by MICHAEL MANN", message).missing.empty());
  EXPECT_EQ(check("Mann made it.", message).missing, (List{"Heat (1995 Film)", "Michael Mann"}));
  EXPECT_TRUE(check("Mann made it.", message).wrong.empty());
}

TEST_F(Names, WithApostrophesAndAccentsAreFound) {
  EXPECT_EQ(check("I saw Schindler's List.", about("Heat (1995 Film)", "Michael Mann")).wrong,
            (List{"Schindler's List"}));
  EXPECT_EQ(check("Beyonce’s songs", about("Heat (1995 Film)", "Michael Mann")).wrong, (List{"Beyoncé"}));
  EXPECT_TRUE(
      check("'summer is Schindler's List time", about("Schindler's List", "Steven Spielberg")).wrong.empty());
}

TEST_F(Names, TheLongestCounts) {
  const Message message = about("Iron Man", "Michael Mann");
  EXPECT_TRUE(check("Iron Man is by Michael Mann.", message).wrong.empty());
  EXPECT_EQ(check("Iron Man 2 is by Michael Mann.", message).wrong, (List{"Iron Man 2"}));
}

TEST_F(Names, OfAnotherYearAreWrongUnlessPartOfTheName) {
  EXPECT_TRUE(check("Heat (1995 Film) is it.", about("Heat (1995 Film)", "Michael Mann")).wrong.empty());
  EXPECT_EQ(check("It came out in 1995.", about("Iron Man", "Michael Mann")).wrong, (List{"1995"}));
}

TEST_F(Names, OfTheContextAndTheGoalMayBeNamed) {
  Message message = about("Iron Man", "Michael Mann");
  EXPECT_EQ(check("Unlike Steven Spielberg, Michael Mann made Iron Man.", message).wrong,
            (List{"Steven Spielberg"}));
  message.context = {{graph::Speaker::kUser, "Is it by steven spielberg?"}};
  EXPECT_TRUE(check("Unlike Steven Spielberg, Michael Mann made Iron Man.", message).wrong.empty());
  message.context.clear();
  message.goal = "Steven Spielberg";
  EXPECT_TRUE(check("Unlike Steven Spielberg, Michael Mann made Iron Man.", message).wrong.empty());
}

TEST_F(Names, InTextThatIsNotUtf8AreRefused) {
  EXPECT_THROW((void)check("Heat \xff", about("Iron Man", "Michael Mann")), ConfigError);
}

}  // namespace
}  // namespace kgwalk::dialogue
