#include <gtest/gtest.h>

#include "dialogue/response/message.h"
#include "kgwalk/error.h"
#include "tests/error_text.h"

namespace kgwalk::dialogue {
namespace {

using kgwalk::test::advice_of;

Message one_answer() {
  Message message{.kind = MessageKind::kOne, .start = "Heat"};
  message.ways = {{{"Heat", "directed_by", "Michael Mann"}, {"Michael Mann", "Place of birth", "Chicago"}}};
  message.context = {{graph::Speaker::kUser, "Where was the director of Heat born?"}};
  return message;
}

TEST(Message, NamesEachEntityOnceInOrder) {
  Message list{.kind = MessageKind::kList, .start = "Heat"};
  list.ways = {{{"Heat", "a", "B"}, {"B", "c", "D"}}, {{"Heat", "a", "B"}, {"B", "c", "E"}}};
  EXPECT_EQ(names_of(list), (std::vector<std::string>{"Heat", "B", "D", "E"}));
}

TEST(Message, GoesThroughJsonUnchanged) {
  Message message = one_answer();
  message.goal = "Mann \"the\" {x} (Öland) 東京";
  const Json json = to_json(message);
  const Message again = message_of(Json::parse(json.dump()));
  EXPECT_EQ(to_json(again), json);
  EXPECT_EQ(again.ways.front().back().tail, "Chicago");
  EXPECT_EQ(again.context.front().speaker, graph::Speaker::kUser);
}

TEST(Message, TellsEverythingThatIsWrong) {
  Message message = one_answer();
  message.ways.front().back().head = "Al Pacino";
  message.ways.push_back({});
  message.start = "";
  const std::string advice = advice_of<ConfigError>([&] { check(message); });
  for (const char* part : {"start: is empty", "'Al Pacino' does not follow 'Michael Mann'",
                           "ways[1]: is empty", "this kind has at most 1"})
    EXPECT_NE(advice.find(part), std::string::npos) << part << " in " << advice;
  EXPECT_THROW(check(Message{.kind = MessageKind::kYes, .start = "Heat"}), ConfigError);
  EXPECT_THROW(check(Message{.kind = MessageKind::kList, .start = "Heat"}), ConfigError);
  EXPECT_THROW(check(Message{.kind = MessageKind::kNotSaid, .start = "Heat\xff"}), ConfigError);
}

TEST(Message, OfAnotherGraphIsRefused) {
  const std::vector<graph::NamedTriple> triples{{"Heat", "directed_by", "Michael Mann"},
                                                {"Michael Mann", "Place of birth", "Chicago"}};
  EXPECT_NO_THROW(check(one_answer(), graph::KnowledgeGraph::from_triples(triples)));
  const std::vector<graph::NamedTriple> other{{"Heat", "written_by", "Michael Mann"}};
  const std::string advice =
      advice_of<ConfigError>([&] { check(one_answer(), graph::KnowledgeGraph::from_triples(other)); });
  EXPECT_NE(advice.find("'Chicago': is not in the graph"), std::string::npos) << advice;
  EXPECT_NE(advice.find("Heat -[directed_by]-> Michael Mann: is no fact of the graph"), std::string::npos)
      << advice;
}

TEST(Message, JsonThatIsNoneSaysWhy) {
  const auto advice = [](const char* text) {
    return advice_of<ConfigError>([&] { (void)message_of(Json::parse(text)); });
  };
  EXPECT_NE(advice("[]").find("a json object"), std::string::npos);
  EXPECT_NE(advice(R"({"kind":"oen","start":"A"})").find("did you mean 'one'"), std::string::npos);
  EXPECT_NE(advice(R"({"kind":"one","start":"A","wyas":[]})").find("no member \"wyas\""), std::string::npos);
  EXPECT_NE(advice(R"({"kind":"one","start":"A","ways":[[["A","b"]]]})").find("head, relation and tail"),
            std::string::npos);
  EXPECT_NE(advice(R"({"kind":"one","start":"A","ways":[[["A",1,"C"]]]})").find("lists of facts"),
            std::string::npos);
}

}  // namespace
}  // namespace kgwalk::dialogue
