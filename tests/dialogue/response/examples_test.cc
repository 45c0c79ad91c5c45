#include <gtest/gtest.h>

#include <algorithm>

#include "dialogue/response/examples.h"
#include "dialogue/response/retrieval.h"
#include "dialogue/response/source.h"
#include "dialogue/response/spelling.h"

namespace kgwalk::dialogue {
namespace {

using graph::Chat;
using graph::Speaker;
using graph::WalkedPath;

graph::KnowledgeGraph film_graph() {
  const std::vector<graph::NamedTriple> triples{{"Heat (1995 Film)", "directed_by", "Michael Mann"},
                                                {"Collateral", "directed_by", "Michael Mann"},
                                                {"Michael Mann", "Place of birth", "Chicago"}};
  return graph::KnowledgeGraph::from_triples(triples);
}

TEST(Spelling, PutsTheNamesOfTheGraphInPlaceOfWhatWasTyped) {
  const std::vector<std::string> names{"Heat (1995 Film)", "Michael Mann", "It"};
  EXPECT_EQ(spelled("i like heat, by MICHAEL MANN's team", names),
            "i like Heat (1995 Film), by Michael Mann's team");
  EXPECT_EQ(spelled("Heat (1995 film) overheats", names), "Heat (1995 Film) overheats");
  EXPECT_EQ(spelled("it is It, not it", names), "it is It, not it");
  EXPECT_EQ(spelled("Heatß Heat", names), "Heatß Heat (1995 Film)");
  EXPECT_EQ(spelled("", names), "");
}

TEST(SpokenPaths, AreTheNextMessagesOfWhoWalked) {
  const graph::KnowledgeGraph graph = film_graph();
  const auto id = [&](const char* name) { return *graph.find_entity(name); };
  const auto directed = *graph.find_relation("directed_by"), born = *graph.find_relation("Place of birth");
  graph::Dialogue dialogue;
  dialogue.events = {
      Chat{Speaker::kUser, "I saw Heat."},
      WalkedPath{Speaker::kAssistant, {{id("Heat (1995 Film)"), directed, id("Michael Mann")}}},
      Chat{Speaker::kUser, "Well."},
      Chat{Speaker::kAssistant, "By Michael Mann."},
      Chat{Speaker::kUser, "I know."},
      WalkedPath{Speaker::kUser, {{id("Michael Mann"), born, id("Chicago")}}},
      Chat{Speaker::kUser, "He is from Chicago."}};
  const std::vector<graph::Dialogue> dialogues{dialogue};
  const std::vector<ResponseExample> examples = spoken_paths(dialogues, graph);
  ASSERT_EQ(examples.size(), 2U);
  EXPECT_EQ(examples[0].text, "By Michael Mann.");
  EXPECT_EQ(examples[0].message.context.size(), 2U);
  EXPECT_EQ(examples[0].message.context.front().speaker, Speaker::kUser);
  EXPECT_EQ(examples[0].message.goal, "");
  EXPECT_EQ(examples[1].text, "He is from Chicago.");
  EXPECT_EQ(examples[1].message.goal, "Chicago");
  ASSERT_EQ(examples[1].message.context.size(), 3U);
  EXPECT_EQ(examples[1].message.context[1].speaker, Speaker::kUser) << "the other one speaks as the user";
  EXPECT_EQ(examples[1].message.context[2].speaker, Speaker::kAssistant);
  for (const ResponseExample& example : examples) EXPECT_NO_THROW(check(example.message, graph));
}

TEST(WordedPaths, SayEachPathWithAndWithoutWhatWasSaidBefore) {
  const graph::NamedTriple directed{"Heat (1995 Film)", "directed_by", "Michael Mann"};
  ResponseExample told{{.start = directed.head, .ways = {{directed}}}, "Yes, him again."};
  told.message.context = {{Speaker::kUser, "Who made Heat?"}};
  ResponseExample nameless = told;
  nameless.message.ways = {{{"Heat (1995 Film)", "directed_by", ""}}};
  const std::vector<ResponseExample> examples{told, nameless};
  const auto worded = worded_paths(examples, 12, TemplateSpeaker(), 1);
  ASSERT_EQ(worded.size(), 12U);
  const auto alone = std::count_if(worded.begin(), worded.end(), [](const ResponseExample& example) {
    return example.message.context.empty();
  });
  EXPECT_GT(alone, 0);
  EXPECT_LT(alone, 12);
  for (const ResponseExample& example : worded) {
    EXPECT_EQ(names_of(example.message), names_of(told.message));
    EXPECT_NE(example.text, told.text);
    for (const char* name : {"Heat (1995 Film)", "Michael Mann"})
      EXPECT_NE(example.text.find(name), std::string::npos) << example.text;
  }
  EXPECT_TRUE(worded_paths(examples, 0, TemplateSpeaker(), 1).empty());
}

TEST(SpokenAnswers, AreRightAnswersThatTheGraphLeadsTo) {
  const graph::KnowledgeGraph graph = film_graph();
  QuestionTurn two;
  two.turns = {"where was the director of heat born?"};
  two.start = "heat (1995 film)";
  two.relations = {{"directed_by"}, {"Place of birth"}};
  two.hops = 2;
  two.answers = {"chicago"};
  QuestionTurn list;
  list.turns = {"what did he direct?"};
  list.start = "michael mann";
  list.asks = Asks::kList;
  list.relations = {{"~directed_by"}};
  list.answers = {"collateral", "heat (1995 film)"};
  QuestionTurn wrong = two;
  wrong.relations = {{"Place of birth"}};
  QuestionTurn no = list;
  no.asks = Asks::kVerify;
  no.claim = "chicago";
  no.holds = false;
  const auto examples = spoken_answers(std::vector{two, list, wrong, no}, graph, TemplateSpeaker(), 1);
  ASSERT_EQ(examples.size(), 3U) << "an answer that no relation leads to is left out";
  EXPECT_EQ(names_of(examples[0].message),
            (std::vector<std::string>{"Heat (1995 Film)", "Michael Mann", "Chicago"}));
  EXPECT_EQ(examples[1].message.ways.size(), 2U);
  EXPECT_EQ(examples[2].message.kind, MessageKind::kNo);
  for (const ResponseExample& example : examples) EXPECT_NO_THROW(check(example.message, graph));
}

TEST(Source, HasTheNamesAsSpeakersAndTheFactsAsTheirTurns) {
  Message message{.kind = MessageKind::kOne, .start = "Heat (1995 Film)"};
  message.ways = {{{"Heat (1995 Film)", "~directed_by", "Michael Mann"}}};
  message.context = {{Speaker::kUser, "who did heat?"}};
  const seq2seq::Dialogue dialogue = source_of(message, 12, {"Michael Mann"}, FactsAs::kWalked);
  EXPECT_EQ(dialogue.speakers, (std::vector<std::string>{"Heat (1995 Film)", "Michael Mann"}));
  ASSERT_EQ(dialogue.turns.size(), 4U);
  EXPECT_EQ(dialogue.turns[0].text, "U: who did Heat (1995 Film)?");
  EXPECT_EQ(dialogue.turns[1].text, "say one");
  EXPECT_EQ(dialogue.turns[2].speaker, 1);
  EXPECT_EQ(dialogue.turns[2].text, "~ directed by Michael Mann");
  EXPECT_EQ(dialogue.turns[3].text, "name Michael Mann");
  EXPECT_EQ(needed_names(message, NeededNames::kNew), (std::vector<std::string>{"Michael Mann"}));
  EXPECT_EQ(needed_names(message, NeededNames::kAll).size(), 2U);
  EXPECT_EQ(source_of(message, 1, {}, FactsAs::kWalked).speakers.size(), 1U);
}

TEST(Source, TellsFactsForwardWhicheverWayTheyWereWalked) {
  Message message{.start = "Michael Mann"};
  message.ways = {{{"Michael Mann", "~directed_by", "Heat (1995 Film)"}}};
  const seq2seq::Dialogue dialogue = source_of(message, 12, {}, FactsAs::kForward);
  EXPECT_EQ(dialogue.turns[1].speaker, speaker_named(dialogue, "Heat (1995 Film)"));
  EXPECT_EQ(dialogue.turns[1].text, "directed by Michael Mann");
  EXPECT_EQ(dialogue.turns[0].speaker, speaker_named(dialogue, "Michael Mann")) << "where the walk began";
}

TEST(RetrievalVoice, SaysTheLikestExampleWithTheNamesReplaced) {
  const auto message = [](const std::string& head, const std::string& tail, const std::string& said) {
    Message m{.start = head};
    m.ways = {{{head, "directed_by", tail}}};
    m.context = {{Speaker::kUser, said}};
    return m;
  };
  const std::vector<ResponseExample> learned{
      {message("Heat", "Mann", "good film"), "Heat? It is by Mann."},
      {message("Ali", "Mann", "do you like boxing"), "Boxing: Ali, by Mann, Mann!"}};
  const RetrievalVoice voice(learned);
  EXPECT_EQ(voice.say(message("Jaws", "Spielberg", "a good film")), "Jaws? It is by Spielberg.");
  EXPECT_EQ(voice.say(message("Rocky", "Avildsen", "I like boxing")),
            "Boxing: Rocky, by Avildsen, Avildsen!");
  Message other = message("Rocky", "Avildsen", "");
  other.ways[0][0].relation = "written_by";
  EXPECT_NE(voice.say(other).find("Avildsen"), std::string::npos) << "wordings where nothing is like it";
}

}  // namespace
}  // namespace kgwalk::dialogue
