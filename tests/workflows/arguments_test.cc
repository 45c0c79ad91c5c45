// What a step was given, as names and text.
#include "workflows/steps/arguments.h"

#include <gtest/gtest.h>

#include "workflows/steps/calls.h"

namespace kgwalk {
namespace {

TEST(Arguments, HoldWhatDiffersFromDefaultsInOrder) {
  EXPECT_EQ(
      arguments_of(EmbedOptions{.database = "kg.db", .settings = {.assignments = {"dim=32", "epochs=10"}}}),
      (Arguments{{"database", "kg.db"}, {"assignments", "dim=32"}, {"assignments", "epochs=10"}}));
  EXPECT_EQ(
      arguments_of(ComputeDistancesOptions{.database = "kg.db", .histogram = false, .rank = 8, .seed = 2}),
      (Arguments{{"database", "kg.db"}, {"rank", "8"}, {"histogram", "false"}, {"seed", "2"}}));
}

TEST(Arguments, TellHowAGraphIsRead) {
  graph::IngestOptions options{.database = "kg.db", .replace = true, .triples = {"a.csv", "b.csv"}};
  options.input.format = graph::InputFormat::kCsv;
  options.input.columns = {"from", "kind", "to"};
  options.input.separator = '\t';
  options.input.labels = {"name"};
  options.dialogues = {{"train", "train.csv"}, {"", "rest.csv"}};
  options.division.shares = {{"train", 70}, {"dev", 30}};
  EXPECT_EQ(arguments_of(options), (Arguments{{"triples", "a.csv"},
                                              {"triples", "b.csv"},
                                              {"database", "kg.db"},
                                              {"replace", "true"},
                                              {"format", "csv"},
                                              {"columns", "from,kind,to"},
                                              {"separator", "tab"},
                                              {"label", "name"},
                                              {"dialogues", "train=train.csv"},
                                              {"dialogues", "rest.csv"},
                                              {"split", "train=70,dev=30"}}));
}

TEST(Arguments, TellQuestionsWithTheirWeights) {
  const Arguments told =
      arguments_of(TrainWalkerOptions{.database = "kg.db",
                                      .run = "walker",
                                      .questions = {{"own", "a.jsonl"}, {"more", "b.jsonl", 0.5}},
                                      .settings = {.preset = "graph"}});
  EXPECT_EQ(told, (Arguments{{"database", "kg.db"},
                             {"run", "walker"},
                             {"preset", "graph"},
                             {"questions", "own=a.jsonl"},
                             {"questions", "more=b.jsonl:0.5"}}));
}

TEST(Calls, KnowWhatAStepReadsAndMakes) {
  const Calls call(silent_reporter(), never_stop());
  graph::IngestOptions ingest{.database = "kg.db", .triples = {"a.ttl"}};
  ingest.entities = "names.tsv";
  ingest.dialogues = {{"train", "train.csv"}};
  const Step reading = call("read", ingest);
  EXPECT_EQ(reading.outputs, std::vector<std::filesystem::path>{"kg.db"});
  EXPECT_EQ(reading.inputs, (std::vector<std::filesystem::path>{"a.ttl", "train.csv", "names.tsv"}));
  EXPECT_EQ(call("learn", TrainWalkerOptions{.database = "kg.db", .run = "walker"}).outputs,
            std::vector<std::filesystem::path>{"walker"});
  EXPECT_TRUE(call("embed", EmbedOptions{.database = "kg.db"}).outputs.empty());
  const Step measuring = with_json(call("measure", EvaluatePathsOptions{.split = "test"}), "paths.json");
  EXPECT_EQ(measuring.arguments.back(), (std::pair<std::string, std::string>("json", "paths.json")));
}

}  // namespace
}  // namespace kgwalk
