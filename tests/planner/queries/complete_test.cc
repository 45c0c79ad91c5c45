// Facts with one part missing.
#include "kgwalk/complete.h"

#include <gtest/gtest.h>

#include "kgwalk/embeddings.h"
#include "kgwalk/error.h"
#include "kgwalk/ingest.h"
#include "kgwalk/store.h"
#include "runtime/files.h"
#include "tests/planner/talk_world.h"
#include "tests/temp_folder.h"

namespace kgwalk {
namespace {

// A chain by one relation, and some of its entities by another.
class Completing : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<test::TempFolder>();
    write_file_atomically(*folder_ / "triples.txt",
                          "a\tr\tb\nb\tr\tc\nc\tr\td\nd\tr\te\nb\tkind\tvowel\ne\tkind\tvowel\n");
    graph::IngestOptions options;
    options.database = *folder_ / "kg.db";
    options.triples = {*folder_ / "triples.txt"};
    (void)graph::ingest(options);
    graph::Store store = graph::Store::open(*folder_ / "kg.db", graph::Store::Mode::kReadWrite);
    (void)embeddings::embed_graph(store, {.embedding = {.dim = 16, .epochs = 300}, .held_out = 0});
  }
  static void TearDownTestSuite() { folder_.reset(); }
  static std::unique_ptr<test::TempFolder> folder_;
  Completer completer_ = Completer::open(*folder_ / "kg.db");
};

std::unique_ptr<test::TempFolder> Completing::folder_;

TEST_F(Completing, RanksEveryEntityForAMissingTailTheKnownOneFirst) {
  const auto found = completer_.complete({.head = "A", .relation = "r", .k = 100});
  ASSERT_EQ(found.size(), 6U);
  EXPECT_EQ(found[0].fact.tail, "b");
  EXPECT_TRUE(found[0].known);
  for (std::size_t i = 1; i < found.size(); ++i) {
    EXPECT_FALSE(found[i].known);
    EXPECT_GE(found[i].distance, found[i - 1].distance);
  }
}

TEST_F(Completing, LeavesOutWhatIsKnownWhereAsked) {
  const auto found = completer_.complete({.head = "a", .relation = "r", .k = 100, .known = false});
  EXPECT_EQ(found.size(), 5U);
  for (const Completion& one : found) EXPECT_NE(one.fact.tail, "b");
}

TEST_F(Completing, FindsHeadsAndRelations) {
  const auto heads = completer_.complete({.relation = "r", .tail = "c", .k = 1});
  ASSERT_EQ(heads.size(), 1U);
  EXPECT_EQ(heads[0].fact.head, "b");
  const auto relations = completer_.complete({.head = "b", .tail = "vowel"});
  ASSERT_EQ(relations.size(), 2U);  // no inverses
  EXPECT_LE(relations[0].distance, relations[1].distance);
  for (const Completion& one : relations)
    EXPECT_EQ(one.known, one.fact.relation == "kind") << one.fact.relation;
}

TEST_F(Completing, KeepsToEntitiesWithARelation) {
  const auto found = completer_.complete(
      {.head = "a", .relation = "r", .k = 100, .having_relation = "kind", .having_entity = "vowel"});
  ASSERT_EQ(found.size(), 2U);
  for (const Completion& one : found)
    EXPECT_TRUE(one.fact.tail == "b" || one.fact.tail == "e") << one.fact.tail;
  EXPECT_EQ(completer_.complete({.head = "a", .relation = "r", .k = 100, .having_relation = "~kind"}).size(),
            1U);
}

TEST_F(Completing, RefusesWhatIsNoQuestion) {
  EXPECT_THROW((void)completer_.complete({.head = "a"}), ConfigError);
  EXPECT_THROW((void)completer_.complete({.head = "a", .relation = "r", .tail = "b"}), ConfigError);
  EXPECT_THROW((void)completer_.complete({.head = "a", .relation = "r", .k = 0}), ConfigError);
  EXPECT_THROW((void)completer_.complete({.head = "nobody", .relation = "r"}), ConfigError);
  EXPECT_THROW((void)completer_.complete({.head = "a", .relation = "nothing"}), ConfigError);
  EXPECT_THROW((void)completer_.complete({.head = "a", .tail = "b", .having_relation = "kind"}), ConfigError);
}

TEST_F(Completing, SaysThatTablesAreMissingAndWhatMakesThem) {
  try {
    (void)Completer::open(*folder_ / "kg.db", 32);
    FAIL();
  } catch (const StoreError& error) {
    ASSERT_EQ(error.remedies().size(), 1U);
    EXPECT_EQ(error.remedies()[0].action, Remedy::kEmbed);
  }
}

}  // namespace
}  // namespace kgwalk
