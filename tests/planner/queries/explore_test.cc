// Looking around in a graph.
#include "kgwalk/explore.h"

#include <gtest/gtest.h>

#include "kgwalk/error.h"
#include "kgwalk/ingest.h"
#include "kgwalk/store.h"
#include "tests/planner/talk_world.h"
#include "tests/temp_folder.h"

namespace kgwalk {
namespace {

std::vector<std::string> names(const std::vector<EntityFound>& found) {
  std::vector<std::string> out;
  for (const EntityFound& one : found) out.push_back(one.name);
  return out;
}

class Exploring : public ::testing::Test {
 protected:
  std::shared_ptr<const graph::KnowledgeGraph> graph_ = testing::talk_graph();
  Explorer explorer_{*graph_};
};

TEST_F(Exploring, CompletesNamesTheWholeBeforeAWordInside) {
  const auto found = explorer_.search("mi", 10);
  EXPECT_EQ(names(found), std::vector<std::string>{"Michael Mann"});
  EXPECT_EQ(found[0].fit, NameFit::kBegins);
  // "Robert De Niro" has two edges; both hits of "al" begin with it.
  EXPECT_EQ(names(explorer_.search("de n", 10)), std::vector<std::string>{"Robert De Niro"});
  EXPECT_EQ(explorer_.search("de n", 10)[0].fit, NameFit::kWordBegins);
  EXPECT_EQ(explorer_.search("CRIME", 10)[0].fit, NameFit::kSame);
}

TEST_F(Exploring, TakesTheBeginningsOfSeveralWords) {
  EXPECT_EQ(names(explorer_.search("mich ma", 10)), std::vector<std::string>{"Michael Mann"});
  EXPECT_EQ(names(explorer_.search("rob niro", 10)), std::vector<std::string>{"Robert De Niro"});
  EXPECT_NE(names(explorer_.search("mann mich", 10)), std::vector<std::string>{"Michael Mann"});
}

TEST_F(Exploring, PutsThoseWithMoreEdgesFirstAndKeepsToTheCount) {
  EXPECT_EQ(names(explorer_.search("heat", 10)),
            (std::vector<std::string>{"Heat (1995 Film)", "Heat (1986 Film)"}));
  EXPECT_EQ(explorer_.search("heat", 1).size(), 1U);
  EXPECT_EQ(explorer_.search("film", 10).size(), 3U);  // a word that begins so, once an entity
}

TEST_F(Exploring, OffersTheNearestNamesWhereNothingBeginsSo) {
  const auto found = explorer_.search("Scarfase", 3);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].name, "Scarface");
  EXPECT_EQ(found[0].fit, NameFit::kNear);
  EXPECT_TRUE(explorer_.search("", 3).empty());
  EXPECT_TRUE(explorer_.search("\xff", 3).empty());
}

TEST_F(Exploring, TellsKindsByRelationsWhereThereAreNoTypes) {
  EXPECT_EQ(explorer_.search("michael mann", 1)[0].kind, "person");
  EXPECT_EQ(explorer_.around({.entity = "Scarface"}).kind, "work");
  EXPECT_EQ(explorer_.around({.entity = "Crime"}).groups[0].label, "genre of");
  const auto kinds = explorer_.kinds();
  ASSERT_GE(kinds.size(), 2U);
  EXPECT_EQ(kinds[0].kind, "work");
  EXPECT_EQ(kinds[0].entities, 5U);
  EXPECT_EQ(kinds[1].examples.front(), "Al Pacino");
  EXPECT_EQ(explorer_.relations(1)[0].label, "starred actors");
  EXPECT_EQ(explorer_.relations(1000).size(), graph_->num_relations());
}

// Among several types the one that most have counts, but not one that nearly all have.
TEST(Explorer, TellsKindsByTheTypesOfTheSource) {
  test::TempFolder folder;
  std::string text;
  const auto add = [&](const std::string& head, const std::string& relation, const std::string& tail) {
    const std::string type = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
    const auto iri = [](const std::string& name) { return "<http://example.org/" + name + ">"; };
    text +=
        iri(head) + " " + (relation == "type" ? "<" + type + ">" : iri(relation)) + " " + iri(tail) + " .\n";
  };
  for (int i = 0; i < 6; ++i) {
    const std::string film = "Film" + std::to_string(i);
    add(film, "type", "Thing");
    add(film, "type", "Film");
    if (i < 2) add(film, "type", "Comedy");
    add(film, "madeBy", "Ada");
  }
  add("Ada", "type", "Thing");
  add("Ada", "type", "Person");
  (void)graph::ingest({.database = folder / "kg.db", .triples = {folder.write("typed.nt", text)}});
  const graph::KnowledgeGraph graph =
      graph::Store::open(folder / "kg.db", graph::Store::Mode::kReadOnly).load_graph();
  const Explorer explorer(graph);
  EXPECT_EQ(explorer.search("Film0", 1)[0].kind, "Film");
  EXPECT_EQ(explorer.around({.entity = "Ada"}).kind, "Person");
  EXPECT_EQ(explorer.kinds()[0].entities, 6U);
}

TEST(Explorer, FindsNamesWithAccentsAndInOtherLetters) {
  const auto graph = graph::KnowledgeGraph::from_triples(std::vector<graph::NamedTriple>{
      {"Amélie", "directed_by", "Jean-Pierre Jeunet"}, {"Сталкер", "directed_by", "Андрей Тарковский"}});
  const Explorer explorer(graph);
  EXPECT_EQ(names(explorer.search("amelie", 3)), std::vector<std::string>{"Amélie"});
  EXPECT_EQ(names(explorer.search("jean pierre j", 3)), std::vector<std::string>{"Jean-Pierre Jeunet"});
  EXPECT_EQ(names(explorer.search("тарк", 3)), std::vector<std::string>{"Андрей Тарковский"});
}

TEST_F(Exploring, TellsNeighborsByRelationPageByPage) {
  const Neighborhood all = explorer_.around({.entity = "heat (1995 film)"});
  EXPECT_EQ(all.entity, "Heat (1995 Film)");
  EXPECT_EQ(all.edges, 3U);
  ASSERT_EQ(all.groups.size(), 2U);
  const Neighborhood first =
      explorer_.around({.entity = "Heat (1995 Film)", .relation = "starred_actors", .per_relation = 1});
  const Neighborhood second = explorer_.around(
      {.entity = "Heat (1995 Film)", .relation = "starred_actors", .per_relation = 1, .skip = 1});
  ASSERT_EQ(first.groups.size(), 1U);
  EXPECT_EQ(first.groups[0].total, 2U);
  ASSERT_EQ(second.groups[0].tails.size(), 1U);
  EXPECT_NE(first.groups[0].tails[0].name, second.groups[0].tails[0].name);
  EXPECT_TRUE(explorer_.around({.entity = "Heat (1995 Film)", .skip = 9}).groups[0].tails.empty());
}

TEST_F(Exploring, RefusesUnknownNamesWithTheNearest) {
  try {
    (void)explorer_.around({.entity = "Scarface", .relation = "starred_actor"});
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_TRUE(testing::contains(error.what(), "did you mean 'starred_actors'")) << error.what();
  }
  EXPECT_THROW((void)explorer_.around({.entity = "Nobody at all"}), ConfigError);
  EXPECT_THROW((void)explorer_.around({.entity = "Scarface", .per_relation = 0}), ConfigError);
}

TEST_F(Exploring, FindsAShortestWay) {
  const auto way = explorer_.way("Scarface", "Crime");
  ASSERT_TRUE(way);
  EXPECT_EQ(way->size(), static_cast<std::size_t>(graph::DistanceIndex::build(*graph_).distance(
                             *graph_->find_entity("Scarface"), *graph_->find_entity("Crime"))));
  EXPECT_EQ(way->front().head, "Scarface");
  EXPECT_EQ(way->back().tail, "Crime");
  EXPECT_TRUE(explorer_.way("Crime", "Crime")->empty());
  EXPECT_FALSE(explorer_.way("Scarface", "Mars"));
  EXPECT_FALSE(explorer_.way("Scarface", "Planet X"));
}

}  // namespace
}  // namespace kgwalk
