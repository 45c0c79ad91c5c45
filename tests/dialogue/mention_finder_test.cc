#include "dialogue/mention_finder.h"

#include <gtest/gtest.h>

#include "runtime/random.h"
#include "runtime/text.h"

namespace kgwalk::dialogue {
namespace {

graph::KnowledgeGraph graph_of(const std::vector<std::string>& names) {
  std::vector<graph::NamedTriple> triples;
  for (const std::string& name : names) triples.push_back({name, "is-a", "Thing of this test"});
  return graph::KnowledgeGraph::from_triples(triples);
}

std::vector<std::string> found(const graph::KnowledgeGraph& graph, std::string_view text) {
  std::vector<std::string> names;
  for (const Mention& mention : MentionFinder(graph).find(text))
    names.emplace_back(graph.entity_name(mention.entity));
  return names;
}

TEST(MentionFinder, TakesTheLongestNameAtWordBoundaries) {
  const auto graph = graph_of({"Iron", "Iron Man", "Man", "X-Men Origins: Wolverine", "Up"});
  EXPECT_EQ(found(graph, "Is iron man 2 like IRON   MAN?"),
            (std::vector<std::string>{"Iron Man", "Iron Man"}));
  EXPECT_EQ(found(graph, "Ironman, superman, upper"), std::vector<std::string>{});
  EXPECT_EQ(found(graph, "(Up)... x-men origins: wolverine!"),
            (std::vector<std::string>{"Up", "X-Men Origins: Wolverine"}));
  EXPECT_EQ(found(graph, "iron men"), std::vector<std::string>{"Iron"});
}

TEST(MentionFinder, ComparesFoldedAndGivesPlacesInTheFoldedText) {
  const auto graph = graph_of({"Café Müller", "Straße"});
  EXPECT_EQ(found(graph, "CAFÉ MÜLLER and cafe muller"), std::vector<std::string>{"Café Müller"});
  const std::string text = "  In  der STRASSE ";
  const auto mentions = MentionFinder(graph).find(text);
  ASSERT_EQ(mentions.size(), 1u);
  EXPECT_EQ(fold_name(text).substr(mentions[0].begin, mentions[0].end - mentions[0].begin),
            fold_name("Straße"));
  EXPECT_TRUE(MentionFinder(graph).find("").empty());
}

// Against a plain search: at each place try all names, longest first.
TEST(MentionFinder, EqualsAPlainSearchOnRandomText) {
  Random random(5);
  const auto word = [&] {
    std::string text;
    for (std::uint64_t i = 0, n = 1 + random.below(2); i < n; ++i)
      text += static_cast<char>('a' + random.below(3));
    return text;
  };
  const auto phrase = [&](std::uint64_t words) {
    std::string text;
    for (std::uint64_t i = 0; i < words; ++i) {
      if (i > 0) text += random.below(4) ? ' ' : '-';
      text += word();
    }
    return text;
  };
  std::vector<std::string> names;
  for (int i = 0; i < 60; ++i) names.push_back(phrase(1 + random.below(3)));
  const auto graph = graph_of(names);
  const MentionFinder finder(graph);
  const auto is_word = [](char c) { return c >= 'a' && c <= 'z'; };
  for (int round = 0; round < 300; ++round) {
    const std::string text = phrase(12);
    const auto edge = [&](std::size_t at) {
      return at == 0 || at == text.size() || !is_word(text[at]) || !is_word(text[at - 1]);
    };
    std::vector<Mention> naive;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t longest = 0;
      graph::EntityId entity = 0;
      for (graph::EntityId e = 0; e < graph.num_entities(); ++e) {
        const std::string name = fold_name(graph.entity_name(e));
        if (name.size() > longest && edge(at) && text.compare(at, name.size(), name) == 0 &&
            edge(at + name.size())) {
          longest = name.size();
          entity = e;
        }
      }
      if (longest > 0) naive.push_back({entity, at, at + longest});
      at += longest > 0 ? longest : 1;
    }
    ASSERT_EQ(finder.find(text), naive) << text;
  }
}

}  // namespace
}  // namespace kgwalk::dialogue
