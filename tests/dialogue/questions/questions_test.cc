#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "dialogue/questions/bank.h"
#include "dialogue/questions/generate.h"
#include "dialogue/questions/question.h"
#include "dialogue/questions/readers.h"
#include "dialogue/questions/remarks.h"
#include "dialogue/questions/wording_text.h"
#include "kgwalk/error.h"
#include "runtime/files.h"
#include "tests/error_text.h"
#include "tests/graph/detailed_graph.h"
#include "tests/temp_folder.h"

namespace kgwalk::dialogue {
namespace {

using kgwalk::test::advice_of;
using kgwalk::test::TempFolder;

graph::KnowledgeGraph graph_of(const std::vector<graph::NamedTriple>& triples) {
  return graph::KnowledgeGraph::from_triples(triples);
}

graph::KnowledgeGraph films() {
  return graph_of({{"Heat", "starred_actors", "Al Pacino"},
                   {"Heat", "starred_actors", "Robert De Niro"},
                   {"Heat", "directed_by", "Michael Mann"},
                   {"Heat", "release_year", "1995"},
                   {"Heat", "has_genre", "Crime"},
                   {"Collateral", "directed_by", "Michael Mann"},
                   {"Collateral", "written_by", "Stuart Beattie"},
                   {"Collateral", "has_genre", "Thriller"},
                   {"Scarface", "directed_by", "Brian De Palma"},
                   {"Scarface", "written_by", "Oliver Stone"},
                   {"Scarface", "has_genre", "Crime"},
                   {"Michael Mann", "Gender", "Male"},
                   {"Michael Mann", "Place of birth", "Chicago"},
                   {"Scarface", "odd_relation", "Heat"}});
}

Bank small_bank() {
  return parse_bank(
      "[director] work -> person : directed_by\n> who directed {x}\n> {x's} director\n>* name the directors "
      "of {x}\n"
      ">? did {y} direct {x}\n>@ the director of {x}\n< what did {he} direct\n"
      "[birth] person -> place : Place of birth\n> where was {he} born\n"
      "[writer] work -> person : written_by\n> who wrote {x}\n"
      "[:mention]\nI saw {x}.\n[:nothing]\nI like {x}.\n",
      "small");
}

TEST(QuestionFile, WhatIsWrittenIsReadAgain) {
  const TempFolder folder;
  QuestionTurn question;
  question.turns = {"I saw Heat.", "Did Al Pacino direct it?"};
  question.said_as = {"filmmaker behind"};
  question.start = "Heat";
  question.asks = Asks::kVerify;
  question.relations = {{"directed_by"}};
  question.answers = {"Michael Mann"};
  question.claim = "Al Pacino";
  question.holds = false;
  question.mention = "pronoun";
  write_questions(folder.path() / "q.jsonl", {question});
  const std::vector<QuestionTurn> read = read_questions(folder.path() / "q.jsonl");
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(to_json(read[0]), to_json(question));
}

TEST(QuestionFile, ALineThatIsNoQuestionIsToldWithItsNumber) {
  const TempFolder folder;
  const auto path = folder.path() / "q.jsonl";
  const auto error_of = [&](const char* line) {
    write_file_atomically(path, std::string("{\"turns\":[\"who?\"]}\n") + line + "\n");
    return advice_of<DataError>([&] { (void)read_questions(path); });
  };
  EXPECT_NE(error_of("{\"turns\":").find("q.jsonl:2"), std::string::npos);
  EXPECT_NE(error_of("{\"turns\":[]}").find("turns"), std::string::npos);
  EXPECT_NE(error_of("{\"turns\":[\"a\"],\"asks\":\"what\"}").find("asks"), std::string::npos);
  EXPECT_NE(error_of("{\"turns\":[\"a\"],\"asks\":\"verify\"}").find("claim"), std::string::npos);
  EXPECT_NE(error_of("{\"turns\":\"a\"}").find("another type"), std::string::npos);
}

TEST(Bank, TheBuiltInOneAsksForManyFamiliesBothWays) {
  const Bank& bank = builtin_bank();
  EXPECT_GE(bank.families.size(), 80U);
  std::set<std::string> names;
  for (const Family& family : bank.families) {
    EXPECT_TRUE(names.insert(family.name).second) << family.name;
    const auto forward = std::count_if(family.wordings.begin(), family.wordings.end(), [](const Wording& w) {
      return !w.backward && (w.form == Form::kOne || w.form == Form::kList);
    });
    EXPECT_GE(forward, 8) << family.name;
  }
  for (const char* phrases : {"mention", "filler", "chat", "nothing", "idle", "prefix", "test_prefix"})
    EXPECT_TRUE(bank.phrases.contains(phrases)) << phrases;
}

TEST(Bank, WhatIsMalformedIsToldWithItsLine) {
  const auto error_of = [](const char* text) {
    return advice_of<DataError>([&] { (void)parse_bank(text, "bank.txt"); });
  };
  EXPECT_NE(error_of("> who made {x}\n").find("bank.txt:1"), std::string::npos);
  EXPECT_NE(error_of("[a] work : r\n").find("kind -> kind"), std::string::npos);
  EXPECT_NE(error_of("[a] work -> cat : r\n").find("person"), std::string::npos);
  EXPECT_NE(error_of("[a] work -> work : r\n> who made it\n").find("bank.txt:2"), std::string::npos);
  EXPECT_NE(error_of("[a] work -> work : r\n>? did it do {x}\n").find("{y}"), std::string::npos);
}

// What the graph says is looked up here without the generator.
std::set<std::string> reached(const graph::KnowledgeGraph& graph, const QuestionTurn& question) {
  std::set<graph::EntityId> front{*graph.find_entity(question.start)};
  const graph::EntityId start = *front.begin();
  for (const auto& hop : question.relations) {
    std::set<graph::EntityId> next;
    for (const graph::EntityId here : front)
      for (const graph::Edge& edge : graph.out_edges(here))
        if (std::count(hop.begin(), hop.end(), graph.relation_name(edge.relation)) > 0 && edge.tail != start)
          next.insert(edge.tail);
    front = next;
  }
  std::set<std::string> names;
  for (const graph::EntityId e : front) names.emplace(graph.entity_name(e));
  return names;
}

TEST(GenerateQuestions, AnswersAreWhatTheGraphSays) {
  const graph::KnowledgeGraph graph = films();
  GenerateConfig config;
  config.count = 600;
  config.held_families = 0;
  config.held_wordings = 0;
  std::map<Asks, int> kinds;
  for (const QuestionTurn& question : generate_questions(graph, small_bank(), config, 1)) {
    ++kinds[question.asks];
    ASSERT_TRUE(graph.find_entity(question.start)) << question.start;
    if (question.asks == Asks::kNothing) continue;
    const std::set<std::string> right = reached(graph, question);
    if (question.asks == Asks::kMissing) {
      EXPECT_TRUE(right.empty()) << question.turns.back();
      continue;
    }
    EXPECT_EQ(right, std::set<std::string>(question.answers.begin(), question.answers.end()))
        << question.turns.back();
    if (question.asks == Asks::kVerify) {
      EXPECT_EQ(right.contains(question.claim), *question.holds);
    }
  }
  for (const Asks asks : {Asks::kOne, Asks::kVerify, Asks::kMissing, Asks::kNothing})
    EXPECT_GT(kinds[asks], 0);
}

TEST(GenerateQuestions, TheSeedDecidesAll) {
  const graph::KnowledgeGraph graph = films();
  GenerateConfig config;
  config.count = 50;
  config.held_families = 0;
  const auto text = [&](std::uint64_t seed) {
    std::string all;
    for (const QuestionTurn& q : generate_questions(graph, small_bank(), config, seed))
      all += to_json(q).dump();
    return all;
  };
  EXPECT_EQ(text(1), text(1));
  EXPECT_NE(text(1), text(2));
}

// What was walked before a question is a fact, is said in the turn before it, and is not what is asked for.
// Questions without walks are the same ones.
TEST(GenerateQuestions, AWalkBeforeAQuestionIsSaidAndAnswersNothingOfIt) {
  const graph::KnowledgeGraph graph = films();
  Bank bank = small_bank();
  bank.phrases["statement"] = {"{s} is {y}."};
  GenerateConfig config;
  config.count = 300;
  config.held_families = 0;
  config.held_wordings = 0;
  config.walks = 0;
  const std::vector<QuestionTurn> without = generate_questions(graph, bank, config, 1);
  config.walks = 1;
  const std::vector<QuestionTurn> with = generate_questions(graph, bank, config, 1);
  int walked = 0;
  for (std::size_t i = 0; i < with.size(); ++i) {
    QuestionTurn question = with[i];
    if (!question.walked.empty()) {
      ++walked;
      const auto& [head, relation, tail] = question.walked.front();
      EXPECT_TRUE(graph.has_edge(
          {*graph.find_entity(head), *graph.find_relation(relation), *graph.find_entity(tail)}));
      EXPECT_EQ(question.turns.end()[-2], "The director of " + head + " is " + tail + ".");
      if (!question.relations.empty()) {
        EXPECT_NE(question.relations.front().front(), relation);
      }
      EXPECT_TRUE(question.mention == "named" || question.start == head || question.start == tail);
      EXPECT_EQ(question_of(to_json(question)).walked, question.walked);
      question.turns.erase(question.turns.end() - 2);
      question.walked.clear();
    }
    EXPECT_EQ(to_json(question), to_json(without[i]));
  }
  EXPECT_GT(walked, 50);
}

TEST(GenerateQuestions, WeightsDecideWhatIsAskedAboutWhereTheyAreAskedFor) {
  const auto graph = graph::testing::detailed_graph({{{"Heat", "directed_by", "Michael Mann"}, 9.0F},
                                                     {{"Scarface", "directed_by", "Brian De Palma"}, 1.0F},
                                                     {{"Up", "directed_by", "Pete Docter"}, 0.0F}});
  GenerateConfig config;
  config.count = 400;
  config.held_families = 0;
  config.held_wordings = config.list = config.verify = config.missing = config.nothing = config.two_hops = 0;
  config.other_relations = 0;
  const auto asked = [&] {
    std::map<std::string, int> starts;
    for (const QuestionTurn& question : generate_questions(graph, small_bank(), config, 1))
      ++starts[question.start];
    return starts;
  };
  EXPECT_GT(asked()["Up"], 40);
  config.weights = true;
  std::map<std::string, int> weighed = asked();
  EXPECT_EQ(weighed["Up"], 0);
  EXPECT_EQ(weighed["Pete Docter"], 0);
  EXPECT_GT(weighed["Heat"], 4 * weighed["Scarface"]);
  EXPECT_THROW((void)generate_questions(films(), small_bank(), config, 1), ConfigError);
}

TEST(GenerateQuestions, WhatIsKeptBackIsNeverLearnedFrom) {
  const Bank& bank = builtin_bank();
  const std::vector<std::string> held = held_back(bank, 15);
  EXPECT_GE(held.size(), 15U);
  std::set<std::string> relations;
  for (const Family& family : bank.families)
    if (std::count(held.begin(), held.end(), family.name) > 0)
      relations.insert(family.relations.begin(), family.relations.end());
  for (const Family& family : bank.families) {
    if (std::count(held.begin(), held.end(), family.name) > 0) continue;
    for (const std::string& relation : family.relations) {
      EXPECT_FALSE(relations.contains(relation)) << family.name << ": " << relation;
      EXPECT_FALSE(relations.contains("~" + relation)) << family.name << ": " << relation;
    }
  }
  const graph::KnowledgeGraph graph = films();
  GenerateConfig config;
  config.count = 400;
  config.held_families = 0;
  std::map<QuestionSplit, std::set<std::string>> wordings;
  for (const QuestionSplit split : {QuestionSplit::kTrain, QuestionSplit::kTestWording}) {
    config.split = split;
    for (const QuestionTurn& q : generate_questions(graph, bank, config, 1))
      if (q.hops == 1 && !q.wording.empty()) wordings[split].insert(q.wording);
  }
  for (const std::string& wording : wordings[QuestionSplit::kTestWording])
    EXPECT_FALSE(wordings[QuestionSplit::kTrain].contains(wording)) << wording;
}

// A name that two entities share cannot tell which is asked about.
TEST(GenerateQuestions, NobodyIsAskedAboutUnderANameThatIsSharedByTwo) {
  const graph::KnowledgeGraph graph = graph_of({{"Heat (1986)", "directed_by", "Dick Richards"},
                                                {"Heat (1995)", "directed_by", "Michael Mann"},
                                                {"Collateral", "directed_by", "Michael Mann"}});
  GenerateConfig config;
  config.count = 60;
  config.list = config.missing = config.nothing = config.two_hops = config.held_wordings = 0;
  config.held_families = 0;
  for (const QuestionTurn& question : generate_questions(graph, small_bank(), config, 3)) {
    EXPECT_FALSE(question.start.starts_with("Heat")) << question.turns.back();
    EXPECT_FALSE(question.claim.starts_with("Heat")) << question.turns.back();
  }
}

TEST(GenerateQuestions, RemarksAreLearnedAsAskingForNothing) {
  GenerateConfig config;
  config.count = 50;
  config.one = config.list = config.verify = config.missing = config.two_hops = 0;
  config.remarks = 1;
  config.held_families = 0;
  const std::vector<std::string> remarks{"It was fun.", "Great, thanks!"};
  for (const QuestionTurn& question : generate_questions(films(), small_bank(), config, 4, remarks)) {
    EXPECT_EQ(question.asks, Asks::kNothing);
    EXPECT_TRUE(question.start.empty());
    EXPECT_NE(std::find(remarks.begin(), remarks.end(), question.turns.back()), remarks.end());
  }
}

TEST(Remarks, AreWhatWasSaidWithoutAsking) {
  using graph::Chat;
  using graph::Speaker;
  graph::Dialogue dialogue;
  for (const char* text : {"I loved it.", "Do you know it?", "Tell me more.", "Is it good", "I loved it.",
                           "Thanks!", "I wonder who made it."})
    dialogue.events.emplace_back(Chat{Speaker::kUser, text});
  EXPECT_EQ(remarks_of({&dialogue, 1}), (std::vector<std::string>{"I loved it.", "Thanks!"}));
  EXPECT_EQ(remarks_of({&dialogue, 1}, 1), (std::vector<std::string>{"Thanks!"}));
}

TEST(WordingText, NounPhrasesGoIntoThePlural) {
  EXPECT_EQ(plural_phrase("a film directed by {x}"), "films directed by {x}");
  EXPECT_EQ(plural_phrase("{x's} wife"), "{x's} wives");
  EXPECT_EQ(plural_phrase("the person that {x} married"), "people that {x} married");
  EXPECT_EQ(plural_phrase("the city of {x}"), "cities of {x}");
  EXPECT_EQ(plural_phrase("who {x} loved"), std::nullopt);
}

TEST(WordingText, BareWordsAreWhatIsLeftWithoutNames) {
  EXPECT_EQ(bare_words("who directed {x}"), "who directed");
  EXPECT_EQ(bare_words("the filmmaker behind {x}"), "filmmaker behind");
  EXPECT_EQ(bare_words("the director of {x}"), "director");
  EXPECT_EQ(bare_words("{x's} director"), "director");
  EXPECT_EQ(bare_words("{x}"), "");
}

// Other words for a relation come from what is learned from, and change nothing else of a question.
TEST(GenerateQuestions, OtherWordsForARelationAreThoseOfItsSplit) {
  const auto graph = films();
  GenerateConfig config{.count = 200, .pronouns = 0, .held_families = 0, .held_wordings = 0};
  std::set<std::string> said_as;
  for (const QuestionTurn& question : generate_questions(graph, small_bank(), config, 5)) {
    if (question.relations.size() == 1 &&
        question.relations.front() == std::vector<std::string>{"directed_by"})
      said_as.insert(question.said_as.begin(), question.said_as.end());
    const bool may = question.asks != Asks::kNothing && question.asks != Asks::kVerify;
    EXPECT_TRUE(may || question.said_as.empty());
  }
  EXPECT_EQ(said_as, (std::set<std::string>{"who directed", "director"}));
  config.split = QuestionSplit::kTestWording;
  config.held_wordings = 0.9;
  for (const QuestionTurn& question : generate_questions(graph, small_bank(), config, 5))
    EXPECT_TRUE(question.said_as.empty());
}

TEST(GenerateQuestions, AGraphWithoutTheRelationsIsAClearError) {
  const graph::KnowledgeGraph graph = graph_of({{"a", "r", "b"}});
  GenerateConfig config;
  config.other_relations = 0;
  EXPECT_NE(advice_of<ConfigError>([&] {
              (void)generate_questions(graph, small_bank(), config, 1);
            }).find("relation"),
            std::string::npos);
}

// What is kept back must not come in by another name.
TEST(QuestionReaders, LeaveOutWhatAsksForRelationsThatAreKeptBack) {
  const Bank bank = parse_bank(
      "[job] person -> thing : is-a\n= profession\n> what does {x} do\n"
      "[director] work -> person : directed_by\n> who directed {x}\n",
      "small");
  const auto asked = [](const char* relation) {
    QuestionTurn question;
    question.turns = {"?"};
    question.relations = {{relation}};
    return question;
  };
  std::vector<QuestionTurn> questions{asked("people/person/profession"),
                                      asked("people/profession/people_with_this_profession"),
                                      asked("film/film/directed_by"), asked("film/director/film")};
  EXPECT_EQ(leave_out(questions, bank, {"job"}), 2U);
  ASSERT_EQ(questions.size(), 2U);
  EXPECT_EQ(questions.front().relations.front().front(), "film/film/directed_by");
  EXPECT_EQ(leave_out(questions, bank, {"director"}), 1U);  // by its stem; "film" is no word of the relation
}

TEST(QuestionReaders, ReadWhatOthersCollected) {
  const TempFolder folder;
  write_file_atomically(folder.path() / "sq.tsv", "music/album/genre\twhat genre is it\n");
  const auto simple = read_simplequestions(folder.path() / "sq.tsv");
  ASSERT_EQ(simple.size(), 1U);
  EXPECT_EQ(simple[0].relations, (std::vector<std::vector<std::string>>{{"music/album/genre"}}));
  write_file_atomically(folder.path() / "meta.tsv",
                        "who acted in the films directed by [Michael Mann]\tAl Pacino|Tom Cruise\t"
                        "director_to_movie_to_actor\n");
  const auto meta = read_metaqa(folder.path() / "meta.tsv", 2, true);
  ASSERT_EQ(meta.size(), 1U);
  EXPECT_EQ(meta[0].start, "Michael Mann");
  EXPECT_EQ(meta[0].turns.back(), "who acted in the films directed by Michael Mann");
  EXPECT_EQ(meta[0].answers.size(), 2U);
  EXPECT_EQ(meta[0].relations, (std::vector<std::vector<std::string>>{{"~directed_by"}, {"starred_actors"}}));
  EXPECT_NE(advice_of<DataError>([&] {
              (void)read_metaqa(folder.path() / "meta.tsv", 1, true);
            }).find("meta.tsv:1"),
            std::string::npos);
}

}  // namespace
}  // namespace kgwalk::dialogue
