#include "dialogue/turn_example.h"

#include <gtest/gtest.h>

#include <memory>

#include "kgwalk/error.h"
#include "tests/dialogue/test_world.h"

namespace kgwalk::dialogue {
namespace {

using graph::Speaker;

// The world, ingested once for all tests.
struct World {
  World() {
    const std::vector<std::string> splits{"train"};
    examples = load_examples(store, graph, splits, &counts);
  }
  test::TempFolder folder;
  graph::Store store = graph::Store::open(test::make_database(folder.path()), graph::Store::Mode::kReadOnly);
  graph::KnowledgeGraph graph = store.load_graph();
  CorpusCounts counts;
  std::vector<TurnExample> examples;
};

class TurnExamples : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { world_ = std::make_unique<World>(); }
  static void TearDownTestSuite() { world_.reset(); }
  void SetUp() override { ASSERT_EQ(examples_.size(), 4u); }
  graph::EntityId entity(const char* name) const { return graph_.find_entity(name).value(); }
  graph::Triple triple(const char* head, const char* relation, const char* tail) const {
    return {entity(head), graph_.find_relation(relation).value(), entity(tail)};
  }

  static std::unique_ptr<World> world_;
  const std::filesystem::path folder_ = world_->folder.path();
  const graph::KnowledgeGraph& graph_ = world_->graph;
  const std::vector<TurnExample>& examples_ = world_->examples;
  const CorpusCounts& counts_ = world_->counts;
};
std::unique_ptr<World> TurnExamples::world_;

TEST_F(TurnExamples, TheFirstPathStartsFromItsGoldHead) {
  const TurnExample& first = examples_[0];
  EXPECT_EQ(first.split, "train");
  EXPECT_EQ(first.dialogue, 0u);
  EXPECT_EQ(first.turn, 0u);
  EXPECT_EQ(first.speaker, Speaker::kAssistant);
  ASSERT_EQ(first.history.size(), 1u);  // side talk is dropped
  EXPECT_EQ(first.history[0].text, "Do you know The Mill?");
  EXPECT_TRUE(first.walked.empty());
  EXPECT_TRUE(first.path_ends.empty());
  EXPECT_EQ(first.start, entity("The Mill"));
  EXPECT_EQ(first.candidate_starts, std::vector{entity("The Mill")});
  EXPECT_EQ(first.gold, std::vector{triple("The Mill", "written_by", "Ada Berg")});
}

TEST_F(TurnExamples, LaterPathsSeeWhatWasSaidAndWalkedBeforeAndNothingElse) {
  const TurnExample& second = examples_[1];
  ASSERT_EQ(second.history.size(), 3u);
  EXPECT_EQ(second.history[2].text, "What else did she write?");
  EXPECT_EQ(second.history[1].speaker, Speaker::kAssistant);
  EXPECT_EQ(second.walked, examples_[0].gold);
  EXPECT_EQ(second.path_ends, std::vector<std::uint32_t>{1});
  EXPECT_EQ(second.start, entity("Ada Berg"));
  EXPECT_EQ(second.candidate_starts, std::vector{entity("Ada Berg")});
  ASSERT_EQ(second.gold.size(), 2u);

  const TurnExample& third = examples_[2];
  EXPECT_EQ(third.turn, 2u);
  EXPECT_EQ(third.speaker, Speaker::kUser);
  EXPECT_EQ(third.path_ends, (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(third.walked.size(), 3u);
  EXPECT_EQ(third.candidate_starts, (std::vector{entity("The Harbour"), entity("Novel")}));
  EXPECT_EQ(third.start, entity("The Mill"));
}

TEST_F(TurnExamples, ContextIsTheNewestUtterances) {
  const TurnExample& third = examples_[2];
  ASSERT_EQ(third.history.size(), 5u);
  ASSERT_EQ(third.context().size(), 3u);
  EXPECT_EQ(third.context()[0].text, "What else did she write?");
  EXPECT_EQ(third.context()[2].text, "I like harbors.");
  EXPECT_EQ(third.context(1)[0].text, "I like harbors.");
  EXPECT_TRUE(examples_[3].context().empty());
}

TEST_F(TurnExamples, AnotherDialogueBeginsAfresh) {
  const TurnExample& last = examples_[3];
  EXPECT_EQ(last.dialogue, 1u);
  EXPECT_EQ(last.turn, 0u);
  EXPECT_TRUE(last.history.empty());
  EXPECT_TRUE(last.walked.empty());
  EXPECT_TRUE(last.annotation_only);
  EXPECT_FALSE(examples_[0].annotation_only);
}

TEST_F(TurnExamples, CountsWhatIsThere) {
  EXPECT_EQ(counts_.dialogues, 2u);
  EXPECT_EQ(counts_.utterances, 7u);
  EXPECT_EQ(counts_.examples, 4u);
  EXPECT_EQ(counts_.one_hop, 3u);
  EXPECT_EQ(counts_.two_hop, 1u);
  EXPECT_EQ(counts_.longer, 0u);
  EXPECT_EQ(counts_.annotation_only, 1u);
  EXPECT_EQ(counts_.without_context, 1u);
  EXPECT_EQ(counts_.start_off_path, 1u);
}

TEST_F(TurnExamples, ACsvFileGivesTheSameExamplesAsTheDatabase) {
  const auto dialogues = read_dialogue_csv(folder_ / "train.csv", graph_);
  const auto examples = make_examples(dialogues, graph_, "train");
  ASSERT_EQ(examples.size(), examples_.size());
  for (std::size_t i = 0; i < examples.size(); ++i) {
    EXPECT_EQ(examples[i].gold, examples_[i].gold);
    EXPECT_EQ(examples[i].walked, examples_[i].walked);
    EXPECT_EQ(examples[i].history.size(), examples_[i].history.size());
    EXPECT_EQ(examples[i].candidate_starts, examples_[i].candidate_starts);
  }
}

TEST_F(TurnExamples, BadPathsOfACsvAreReportedOrThrown) {
  std::string csv = test::dialogues_csv();
  csv.replace(csv.find("Ada Berg\"\"]"), 8, "Nobody??");
  const auto file = folder_ / "bad.csv";
  write_file_atomically(file, csv);
  test::Warnings warnings;
  const auto dialogues = read_dialogue_csv(file, graph_, false, warnings);
  EXPECT_EQ(make_examples(dialogues, graph_, "x").size(), 3u);
  ASSERT_FALSE(warnings.lines.empty());
  EXPECT_NE(warnings.lines[0].find("bad.csv:2"), std::string::npos) << warnings.lines[0];
  EXPECT_THROW((void)read_dialogue_csv(file, graph_, true), DataError);
  EXPECT_THROW((void)read_dialogue_csv(folder_ / "none.csv", graph_), IoError);
}

TEST_F(TurnExamples, TrainingSplitsAreThoseNamedSo) {
  EXPECT_EQ(training_splits(world_->store), std::vector<std::string>{"train"});
  const std::vector<std::string> unknown{"trian"};
  EXPECT_THROW((void)load_examples(world_->store, graph_, unknown), StoreError);
}

}  // namespace
}  // namespace kgwalk::dialogue
