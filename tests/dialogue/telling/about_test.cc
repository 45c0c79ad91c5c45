#include <algorithm>

#include "dialogue/telling/fact_speaker.h"
#include "dialogue/telling/names.h"
#include "tests/dialogue/telling/film_facts.h"

namespace kgwalk::dialogue {
namespace {

using testing::FilmFacts;

class About : public FilmFacts {};

TEST_F(About, TellsKindsThenWhatIsParticular) {
  EXPECT_EQ(
      tell_about(values_, entity("Acme Pictures")),
      "Acme Pictures is a company. Acme Pictures was founded on 1 April 2004, and the headquarters of Acme "
      "Pictures is Oslo.");
  EXPECT_EQ(tell_about(values_, entity("Ida Marsh")),
            "Ida Marsh is a person. Ida Marsh was born on 3 February 1950, and Pia Marsh and Leo Marsh are "
            "children "
            "of Ida Marsh. Ida Marsh directed Harbor, Lantern and Orchard, and Ida Marsh was born in Oslo.");
  EXPECT_EQ(tell_about(values_, entity("Narvik"), builtin_wordings(), 5, "A town behind the polar circle"),
            "Narvik is a city. A town behind the polar circle. The population of Narvik is 14,000.");
}

TEST(AboutARelation, IsToldOnceWhateverItsNames) {
  const graph::KnowledgeGraph graph = graph::KnowledgeGraph::from_triples(
      std::vector<graph::NamedTriple>{{"Nora Pike", "Film appeared in", "Salt Road"},
                                      {"Low Tide", "starred_actors", "Nora Pike"},
                                      {"Nora Pike", "Place of birth", "Bergen"}});
  EXPECT_EQ(tell_about(graph::TypedValues(graph), *graph.find_entity("Nora Pike")),
            "Nora Pike starred in Salt Road, and Nora Pike was born in Bergen.");
}

TEST(AboutCodes, StandBehindOtherFacts) {
  const graph::KnowledgeGraph graph = testing::graph_of(R"(@prefix : <http://example.org/> .
:laos :geonameid 1655842 ; :iso3 "LAO" ; :episodes 12 ; :areakm2 236800 .
:mali :geonameid 2453866 ; :iso3 "MLI" ; :capital "Bamako" ; :areakm2 1240000 .
)");
  const std::vector<graph::Triple> facts = worth_telling(graph, *graph.find_entity("laos"), 2);
  ASSERT_EQ(facts.size(), 2U);
  for (const graph::Triple& fact : facts) {
    EXPECT_NE(graph.relation_name(fact.relation), "geonameid");
    EXPECT_NE(graph.relation_name(fact.relation), "iso3");
  }
}

TEST_F(About, HousekeepingIsNotTold) {
  ASSERT_TRUE(graph::details(graph_).is_housekeeping(relation("modified").front()));
  const std::vector<graph::Triple> facts = worth_telling(graph_, entity("Harbor"), 100);
  EXPECT_TRUE(std::none_of(facts.begin(), facts.end(), [&](const graph::Triple& fact) {
    return graph::details(graph_).is_housekeeping(fact.relation);
  }));
  EXPECT_EQ(facts.front().tail, entity("Film"));
  for (std::size_t i = 1; i < facts.size(); ++i)
    for (std::size_t j = 1; j < i; ++j) EXPECT_NE(facts[i].relation, facts[j].relation);
  EXPECT_EQ(worth_telling(graph_, entity("Harbor"), 3).size(), 3U);
}

TEST(Names, LongTextsAreCutAtASentenceOrAWord) {
  EXPECT_EQ(short_text("Short."), "Short.");
  EXPECT_EQ(
      short_text("A fisherman comes home after many years. Nobody in the harbor wants to know him any more."),
      "A fisherman comes home after many years");
  EXPECT_EQ(
      short_text("A fisherman comes home after many years and finds that nobody wants to know him any more"),
      "A fisherman comes home after many years and finds that nobody wants to know him ...");
  const std::string letters = short_text(std::string(79, 'x') + "\u00e9\u00e9");
  EXPECT_EQ(letters, std::string(79, 'x') + " ...");
}

TEST(Names, NounsAreEnglish) {
  EXPECT_EQ(noun_of("Film"), "film");
  EXPECT_EQ(noun_of("NASA"), "NASA");
  EXPECT_EQ(noun_of("Composer (Profession)"), "composer");
  EXPECT_EQ(noun_of("Q11424"), "Q11424");
  EXPECT_EQ(plural_noun("country"), "countries");
  EXPECT_EQ(plural_noun("person"), "people");
  EXPECT_EQ(plural_noun("member of parliament"), "members of parliament");
  EXPECT_EQ(plural_noun("language spoken"), "languages spoken");
  EXPECT_EQ(with_article("university"), "a university");
  EXPECT_EQ(with_article("actor"), "an actor");
  EXPECT_EQ(with_article("unintended note"), "an unintended note");
  EXPECT_EQ(with_article("hour"), "an hour");
}

}  // namespace
}  // namespace kgwalk::dialogue
