#include "dialogue/linking/entity_linker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "kgwalk/error.h"
#include "runtime/random.h"

namespace kgwalk::dialogue {
namespace {

graph::KnowledgeGraph film_names() {
  const std::vector<graph::NamedTriple> triples{{"Heat (1995 Film)", "starred_actors", "Al Pacino"},
                                                {"Heat (1995 Film)", "directed_by", "Michael Mann"},
                                                {"Heat (1986 Film)", "starred_actors", "Burt Reynolds"},
                                                {"Iron", "is_a", "Metal"},
                                                {"Iron Man", "starred_actors", "Robert Downey Jr."},
                                                {"Up", "has_genre", "Animation"},
                                                {"Up", "directed_by", "Pete Docter"},
                                                {"X-Men Origins: Wolverine", "has_genre", "Action"},
                                                {"Café Müller", "written_by", "Pina Bausch"},
                                                {"Schindler's List", "directed_by", "Steven Spielberg"}};
  return graph::KnowledgeGraph::from_triples(triples, std::vector<std::string>{"Planet X"});
}

graph::Dialogue talk(const graph::KnowledgeGraph& graph, const std::vector<std::string>& messages,
                     const char* about = nullptr) {
  graph::Dialogue dialogue;
  for (const std::string& text : messages)
    dialogue.events.emplace_back(graph::Chat{graph::Speaker::kUser, text});
  if (about != nullptr) {
    const graph::EntityId head = *graph.find_entity(about);
    const graph::Edge edge = graph.out_edges(head).front();
    dialogue.events.emplace_back(
        graph::WalkedPath{graph::Speaker::kUser, {{head, edge.relation, edge.tail}}});
  }
  return dialogue;
}

class Linking : public ::testing::Test {
 protected:
  std::vector<std::string> found(std::string_view text) const {
    std::vector<std::string> names, alone;
    for (const LinkedMention& mention : linker_.link(text).mentions)
      names.emplace_back(graph_.entity_name(mention.entities.front()));
    for (const LinkedMention& mention : linker_.mentions(text))
      alone.emplace_back(graph_.entity_name(mention.entities.front()));
    EXPECT_EQ(names, alone) << "mentions() finds what link() finds";
    return names;
  }
  using Names = std::vector<std::string>;

  graph::KnowledgeGraph graph_ = film_names();
  std::vector<graph::Dialogue> dialogues_{
      talk(graph_, {"what came up", "look up the list", "is it up to you", "it grew up", "turn it up"}),
      talk(graph_, {"please tell me something nice about that today"}),
      talk(graph_, {"have you seen Up?"}, "Up"), talk(graph_, {"I like Iron Man"}, "Iron Man")};
  EntityLinker linker_{graph_, dialogues_};
};

TEST_F(Linking, TakesTheLongestNameInAnyCaseAccentOrPunctuation) {
  EXPECT_EQ(found("Do you know IRON man?"), Names{"Iron Man"});
  EXPECT_EQ(found("iron is a metal, iron man is not"), (Names{"Iron", "Metal", "Iron Man"}));
  EXPECT_EQ(found("x men origins wolverine!"), Names{"X-Men Origins: Wolverine"});
  EXPECT_EQ(found("at the cafe muller"), Names{"Café Müller"});
  EXPECT_EQ(found("ironman"), Names{});
  EXPECT_EQ(found(""), Names{});
}

TEST_F(Linking, KnowsOwners) {
  EXPECT_EQ(found("Michael Mann's films"), Names{"Michael Mann"});
  EXPECT_EQ(found("Al Pacino\u2019s best"), Names{"Al Pacino"});
  EXPECT_EQ(found("i saw Schindler's List"), Names{"Schindler's List"});
  EXPECT_EQ(linker_.link("Michael Mann's films").mentions[0].text, "Michael Mann");
}

TEST_F(Linking, KeepsAllEntitiesOfOneNameAndTheOneWrittenInFullFirst) {
  const LinkedText linked = linker_.link("I saw heat yesterday");
  ASSERT_EQ(linked.mentions.size(), 1U);
  EXPECT_EQ(linked.mentions[0].text, "heat");
  ASSERT_EQ(linked.mentions[0].entities.size(), 2U);
  EXPECT_EQ(graph_.entity_name(linked.mentions[0].entities[0]), "Heat (1995 Film)");  // more edges
  EXPECT_EQ(found("I saw Heat (1986 film) yesterday"), Names{"Heat (1986 Film)"});
  const auto near = linker_.link("and heat?", graph_.find_entity("Burt Reynolds"));
  EXPECT_EQ(graph_.entity_name(near.mentions[0].entities[0]), "Heat (1986 Film)");
}

TEST_F(Linking, TakesEverydayWordsForNamesOnlyWhenWrittenAsNames) {
  EXPECT_EQ(found("wake up, iron man"), Names{"Iron Man"});
  EXPECT_EQ(found("Up to you"), Names{});  // every sentence begins with a capital
  EXPECT_EQ(found("Have you seen Up?"), Names{"Up"});
  EXPECT_EQ(found("up"), Names{"Up"});  // nothing else was typed
}

TEST_F(Linking, TakesANameThatIsSeldomMeantWhenNothingElseIsNamed) {
  for (int i = 0; i < 6; ++i) dialogues_.push_back(talk(graph_, {"not iron man again"}));
  const EntityLinker linker(graph_, dialogues_);  // meant in one message of seven
  const auto first = [&](std::string_view text) {
    const LinkedText linked = linker.link(text);
    return linked.mentions.size() == 1 ? linked.mentions.front().text : "";
  };
  EXPECT_EQ(first("who starred in iron man?"), "Iron Man");
  EXPECT_EQ(first("heat is more fun than iron man"), "heat");
}

TEST_F(Linking, OffersTheNearestNamesWhenNothingIsFound) {
  const LinkedText linked = linker_.link("please tell me something nice about Michal Man today");
  EXPECT_TRUE(linked.mentions.empty());
  ASSERT_EQ(linked.unknown.size(), 1U);
  EXPECT_EQ(linked.unknown[0].text, "Michal Man");
  EXPECT_EQ(linked.unknown[0].nearest.front(), "Michael Mann");
  EXPECT_EQ(linker_.link("al pacno").unknown.at(0).nearest.front(), "Al Pacino");
  EXPECT_TRUE(linker_.link("it grew").unknown.empty());
}

// "Thank you." is no misspelled "Thank You for Smoking".
TEST_F(Linking, GuessesNoNameInAMessageThatPeopleSayAsAWhole) {
  EXPECT_FALSE(linker_.link("Iran man").unknown.empty());
  dialogues_.push_back(talk(graph_, {"iran man!"}));
  const EntityLinker linker(graph_, dialogues_);
  EXPECT_TRUE(linker.link("Iran man").unknown.empty());
  EXPECT_FALSE(linker.link("Iran men").unknown.empty());
  EXPECT_TRUE(linker.link("please tell me that I'm nice").unknown.empty());
}

TEST_F(Linking, ResolvesNamesGivenOnTheirOwn) {
  const auto names = [&](const NameMatch& match) {
    Names list;
    for (const graph::EntityId e : match.entities) list.emplace_back(graph_.entity_name(e));
    return list;
  };
  EXPECT_EQ(names(linker_.resolve("HEAT (1986 film)")), Names{"Heat (1986 Film)"});
  EXPECT_EQ(names(linker_.resolve("heat")), (Names{"Heat (1995 Film)", "Heat (1986 Film)"}));
  EXPECT_EQ(names(linker_.resolve("planet x")), Names{"Planet X"});  // though nothing leads there
  EXPECT_EQ(linker_.resolve("Al Pacno").nearest.front(), "Al Pacino");
  EXPECT_TRUE(linker_.resolve("zzzzzzzzzzzz").nearest.empty());
}

// Two of one name: what is said beside it, what was said and walked before, and nothing.
TEST_F(Linking, PrefersOfOneNameWhatTheDialogueIsAbout) {
  const auto meant = [&](std::string_view text, const LinkContext& context) {
    const LinkedText linked = linker_.link(text, context);
    for (const LinkedMention& mention : linked.mentions)
      if (mention.entities.size() > 1)
        return std::string(graph_.entity_name(mention.entities.front())) + (mention.sure ? "" : "?");
    return std::string("none");
  };
  EXPECT_EQ(meant("I saw heat", {}), "Heat (1995 Film)?");
  EXPECT_EQ(meant("I saw heat of 1986", {}), "Heat (1986 Film)");
  EXPECT_EQ(meant("I saw Heat (1986 film)", {}), "Heat (1986 Film)");
  EXPECT_EQ(meant("is Burt Reynolds in heat?", {}), "Heat (1986 Film)");
  EXPECT_EQ(meant("and heat?", {.earlier = {"I like Burt Reynolds", "so do I"}}), "Heat (1986 Film)");
  EXPECT_EQ(meant("and heat?", {.earlier = {"I like iron"}}), "Heat (1995 Film)?");
  EXPECT_EQ(meant("and heat?", {.near = graph_.find_entity("Burt Reynolds")}), "Heat (1986 Film)");
  EXPECT_EQ(meant("and heat?", {.walked = {*graph_.find_entity("Heat (1986 Film)")}}), "Heat (1986 Film)");
  EXPECT_EQ(meant("and heat?", {.earlier = {"Burt Reynolds or Michael Mann?"}}),
            "Heat (1995 Film)?");  // both
}

// A message of a quarter of a million bytes is linked in a second, where each name once cost the whole rest.
TEST_F(Linking, ReadsLongTextsInTimeThatGrowsWithTheirLength) {
  constexpr std::size_t kNames = 20000;
  std::string text;
  for (std::size_t i = 0; i < kNames; ++i) text += "Al Pacino é. ";
  EXPECT_EQ(linker_.link(text).mentions.size(), kNames);
}

TEST(LinkingNamesakes, VeryManyAreSettledByTheirNeighborhood) {
  std::vector<graph::NamedTriple> triples;
  for (int i = 0; i < 3000; ++i)
    triples.push_back({"Name (" + std::to_string(i) + ")", "is_near", "Place " + std::to_string(i)});
  const auto graph = graph::KnowledgeGraph::from_triples(triples);
  const EntityLinker linker(graph, {});
  const auto first = [&](std::string_view text, const LinkContext& context, bool sure) {
    const LinkedMention mention = linker.link(text, context).mentions.at(0);
    EXPECT_EQ(mention.sure, sure) << text;
    EXPECT_EQ(mention.entities.size(), 3000U);
    return std::string(graph.entity_name(mention.entities.front()));
  };
  EXPECT_EQ(first("name", {.earlier = {"at place 1234"}}, true), "Name (1234)");
  EXPECT_EQ(first("Name (77) please", {}, true), "Name (77)");
  (void)first("name", {}, false);
}

// Against a plain search: at each word try all names, longest first.
TEST(LinkingRandomText, EqualsAPlainSearch) {
  Random random(5);
  const auto phrase = [&](std::uint64_t words) {
    std::string text;
    for (std::uint64_t i = 0; i < words; ++i) {
      if (i > 0) text += random.below(4) ? ' ' : '-';
      for (std::uint64_t n = 1 + random.below(2); n > 0; --n)
        text += static_cast<char>('a' + random.below(3));
    }
    return text;
  };
  std::vector<graph::NamedTriple> triples;
  for (int i = 0; i < 60; ++i) triples.push_back({phrase(1 + random.below(3)), "is", "Thing of this test"});
  const auto graph = graph::KnowledgeGraph::from_triples(triples);
  const EntityLinker linker(graph, std::vector<graph::Dialogue>{talk(graph, {"nothing of this"})});
  for (int round = 0; round < 300; ++round) {
    const std::string text = phrase(12);
    const std::vector<std::string> words = words_of(text);
    std::vector<std::set<graph::EntityId>> naive, found;
    for (std::size_t at = 0; at < words.size();) {
      std::size_t longest = 0;
      std::set<graph::EntityId> entities;
      for (graph::EntityId e = 0; e < graph.num_connected(); ++e) {
        const std::vector<std::string> name = words_of(graph.entity_name(e));
        if (name.size() < longest || at + name.size() > words.size() ||
            !std::equal(name.begin(), name.end(), words.begin() + static_cast<std::ptrdiff_t>(at)))
          continue;
        if (name.size() > longest) entities.clear();
        longest = name.size();
        entities.insert(e);
      }
      if (longest > 0) naive.push_back(std::move(entities));
      at += std::max<std::size_t>(longest, 1);
    }
    for (const LinkedMention& mention : linker.link(text).mentions)
      found.emplace_back(mention.entities.begin(), mention.entities.end());
    ASSERT_EQ(found, naive) << text;
  }
}

// Nobody said how the words of these names are used.
TEST(LinkingWithoutDialogues, EverydayWordsPartsAndSlipsAreTold) {
  const auto graph = graph::KnowledgeGraph::from_triples(
      std::vector<graph::NamedTriple>{{"In", "listed_in", "Catalog"},
                                      {"Thanks", "listed_in", "Catalog"},
                                      {"Heat", "listed_in", "Catalog"},
                                      {"Erik B. Vollmann", "lives_in", "London"},
                                      {"Inception", "listed_in", "Catalog"},
                                      {"\xE6\x9D\xB1\xE4\xBA\xAC", "listed_in", "Catalog"},
                                      {"Anna Berg", "listed_in", "Catalog"},
                                      {"Ole Berg", "listed_in", "Catalog"}});
  const EntityLinker linker(graph, {});
  const auto found = [&](std::string_view text) {
    std::vector<std::string> names;
    for (const LinkedMention& mention : linker.link(text).mentions)
      names.emplace_back(graph.entity_name(mention.entities.front()));
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(found("I live in London"), Names{"London"});
  EXPECT_EQ(found("thanks a lot"), Names{});
  EXPECT_EQ(found("I saw heat"), Names{"Heat"}) << "a common word, where nothing else is named";
  EXPECT_EQ(found("have you seen In?"), Names{"In"});
  EXPECT_EQ(found("Who directed Incepton?"), Names{});
  EXPECT_EQ(linker.link("Who directed Incepton?").unknown.at(0).nearest.at(0), "Inception") << "is offered";
  EXPECT_EQ(found("Erik Vollmann lives there"), Names{"Erik B. Vollmann"});
  EXPECT_EQ(found("\xE6\x9D\xB1\xE4\xBA\xAC\xE3\x81\xAF\xE3\x81\xA9\xE3\x81\x93"),
            Names{"\xE6\x9D\xB1\xE4\xBA\xAC"});
  const LinkedMention berg = linker.link("What about Berg?").mentions.at(0);
  EXPECT_EQ(berg.entities.size(), 2u);
  EXPECT_FALSE(berg.sure) << "both are asked about";
}

TEST_F(Linking, RefusesTextThatIsNotUtf8) { EXPECT_THROW((void)linker_.link("heat \xff"), ConfigError); }

}  // namespace
}  // namespace kgwalk::dialogue
