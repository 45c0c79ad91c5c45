// The real OpenDialKG files: counts and conventions that its description states.
#include <gtest/gtest.h>

#include <cstdlib>

#include "dialogue/turn_example.h"
#include "tests/dialogue/test_world.h"

namespace kgwalk::dialogue {
namespace {

std::filesystem::path data_folder() {
  const char* set = std::getenv("KGWALK_DATA");
  return set == nullptr ? "" : std::filesystem::path(set) / "opendialkg";
}

TEST(OpenDialKg, ExamplesAndConventions) {
  const std::filesystem::path data = data_folder();
  if (!std::filesystem::exists(data)) GTEST_SKIP() << "needs OpenDialKG in the folder of data (KGWALK_DATA)";
  const test::TempFolder folder;
  graph::IngestOptions options;
  options.database = folder.path() / "db";
  options.triples = {data / "opendialkg_triples.txt"};
  options.entities = data / "opendialkg_entities.txt";
  options.relations = data / "opendialkg_relations.txt";
  options.annotation_only = data / "annotation_only_triples.txt";
  for (const char* split : {"train", "train_turns", "dev", "test"}) {
    options.dialogues.push_back({split, data / (std::string(split) + ".csv")});
  }
  (void)graph::ingest(options);
  const auto store = graph::Store::open(options.database, graph::Store::Mode::kReadOnly);
  const auto graph = store.load_graph();

  CorpusCounts train, dev, test;
  const auto splits = training_splits(store);
  EXPECT_EQ(splits.size(), 2u);
  const auto examples = load_examples(store, graph, splits, &train);
  EXPECT_EQ(examples.size(), 7507u);
  EXPECT_EQ(train.dialogues, 2070u + 3293u);
  EXPECT_EQ(train.utterances, 13580u + 9910u);
  EXPECT_EQ(train.longer, 0u);
  EXPECT_EQ(load_examples(store, graph, std::vector<std::string>{"dev"}, &dev).size(), 1122u);
  EXPECT_EQ(dev.utterances, 3428u);
  const auto tests = load_examples(store, graph, std::vector<std::string>{"test"}, &test);
  EXPECT_EQ(tests.size(), 1072u);
  EXPECT_EQ(test.utterances, 3414u);
  // After the first path the start is always a tail of the preceding one.
  EXPECT_EQ(train.start_off_path + dev.start_off_path + test.start_off_path, 0u);

  const auto from_csv = make_examples(read_dialogue_csv(data / "test.csv", graph, true), graph, "test");
  ASSERT_EQ(from_csv.size(), tests.size());
  for (std::size_t i = 0; i < tests.size(); ++i) ASSERT_EQ(from_csv[i].gold, tests[i].gold);
}

}  // namespace
}  // namespace kgwalk::dialogue
