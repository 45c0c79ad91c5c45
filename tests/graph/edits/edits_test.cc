// Edits against a graph that is built anew from the same facts, and what is refused.
#include "kgwalk/edits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <set>
#include <tuple>

#include "graph/changes/change.h"
#include "kgwalk/distances.h"
#include "kgwalk/error.h"
#include "kgwalk/graph_details.h"
#include "kgwalk/values.h"
#include "tests/graph/edits/edits_fixture.h"

namespace kgwalk::graph {
namespace {

using testing::contains;
using testing::EditedDatabase;
using testing::expect_sound;
using testing::Fact;
using testing::facts_of;
using testing::kAda;
using testing::message_of;
using Kind = EditOperation::Kind;

class Edits : public EditedDatabase {};

TEST_F(Edits, RandomBatchesAndUndosLeaveTheGraphThatIsBuiltOfTheSameFacts) {
  std::mt19937_64 random(7);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const auto name = [&] { return "entity " + std::to_string(below(30)); };
  const auto relation = [&] { return "r" + std::to_string(below(4)); };
  std::set<Fact> twin;
  while (twin.size() < 60) twin.emplace(name(), relation(), name());
  make({twin.begin(), twin.end()});
  std::vector<std::set<Fact>> before;  // by number of the edit, from 1
  for (int round = 0; round < 40; ++round) {
    const std::set<Fact> was = twin;
    std::vector<EditOperation> batch;
    for (std::size_t i = 0, count = 1 + below(4); i < count; ++i) {
      if (below(2) == 0 && !twin.empty()) {
        const auto at = std::next(twin.begin(), static_cast<std::ptrdiff_t>(below(twin.size())));
        batch.push_back(
            {.kind = Kind::kRetract, .names = {std::get<0>(*at), std::get<1>(*at), std::get<2>(*at)}});
        twin.erase(at);
      } else {
        const Fact fact(below(3) == 0 ? "new " + std::to_string(below(9)) : name(),
                        below(5) == 0 ? "made " + std::to_string(below(3)) : relation(), name());
        batch.push_back({.kind = Kind::kAdd,
                         .names = {std::get<0>(fact), std::get<1>(fact), std::get<2>(fact)},
                         .make_new = true});
        twin.insert(fact);
      }
    }
    if (edit(db(), batch, kAda).number != 0) before.push_back(was);
    if (round % 5 == 4) {  // the last one taken back
      (void)undo_edit(db(), before.size(), kAda);
      const std::set<Fact> undone = before.back();
      before.push_back(twin);
      twin = undone;
    }
    const KnowledgeGraph edited = graph();
    ASSERT_EQ(last_edit(edited), before.size());
    expect_sound(edited);
    std::vector<NamedTriple> triples;
    for (const auto& [head, by, tail] : twin) triples.push_back({head, by, tail});
    ASSERT_EQ(facts_of(edited), facts_of(KnowledgeGraph::from_triples(triples))) << "round " << round;
  }
}

TEST_F(Edits, IdsOfWhatWasThereStay) {
  make({{"a", "r", "b"}, {"b", "s", "c"}});
  const KnowledgeGraph old = graph();
  add("d", "t", "a");
  run({.kind = Kind::kRetract, .names = {"a", "r", "b"}});
  const KnowledgeGraph now = graph();
  for (EntityId e = 0; e < old.num_entities(); ++e) EXPECT_EQ(now.entity_name(e), old.entity_name(e));
  EXPECT_EQ(now.find_entity("d"), old.num_entities());
  EXPECT_EQ(now.checksum(), old.checksum());
  EXPECT_EQ(now.relation_name(*now.find_relation("~t")), "~t");
}

TEST_F(Edits, AFactOfAnEditHasAuthorAndTimeAsItsSource) {
  make({{"a", "r", "b"}});
  add("a", "r", "c");
  const KnowledgeGraph now = graph();
  const auto edge = edge_number(now, {*now.find_entity("a"), *now.find_relation("r"), *now.find_entity("c")});
  ASSERT_TRUE(edge);
  EXPECT_EQ(details(now).sources(*edge),
            std::vector<std::string_view>{"edit 1 by ada, 2026-01-31T12:00:00Z"});
  const auto old = edge_number(now, {*now.find_entity("a"), *now.find_relation("r"), *now.find_entity("b")});
  EXPECT_TRUE(details(now).sources(*old).empty());
  EXPECT_TRUE(details(now).without_source(*old));
}

TEST_F(Edits, ANameThatIsNotThereIsRefusedWithTheNearest) {
  make({{"Iron Man", "directed by", "Jon Favreau"}});
  EXPECT_TRUE(contains(message_of<ConfigError>([&] {
                         run({.kind = Kind::kAdd, .names = {"Iron Men", "directed by", "Jon Favreau"}});
                       }),
                       "did you mean 'Iron Man'"));
  EXPECT_TRUE(contains(message_of<ConfigError>([&] {
                         run({.kind = Kind::kRetract, .names = {"Iron Man", "directed bi", "Jon Favreau"}});
                       }),
                       "did you mean 'directed by'"));
  EXPECT_EQ(last_edit_noticed(db()), 0U);
}

TEST_F(Edits, WhatCannotBeDoneIsToldAndNothingIsWritten) {
  make({{"a", "r", "b"}, {"a", "r", "c"}});
  const auto told = [&](const EditOperation& operation) {
    return message_of<ConfigError>([&] { run(operation); });
  };
  EXPECT_TRUE(contains(told({.kind = Kind::kRetract, .names = {"b", "r", "c"}}), "does not have b -[r]-> c"));
  EXPECT_TRUE(contains(told({.kind = Kind::kMerge, .names = {"a", "A"}}), "merged with itself"));
  EXPECT_TRUE(contains(told({.kind = Kind::kRename, .names = {"a", " "}}), "is empty"));
  EXPECT_TRUE(contains(told({.kind = Kind::kRename, .names = {"a", "b"}}), "name of another entity"));
  EXPECT_TRUE(contains(told({.kind = Kind::kAdd, .names = {"a", "r", "\xff"}, .make_new = true}), "UTF-8"));
  EXPECT_TRUE(contains(told({.kind = Kind::kAdd, .names = {"", "r", "b"}, .make_new = true}), "is empty"));
  EXPECT_TRUE(contains(told({.kind = Kind::kDropAlias, .names = {"a", "z"}}), "has no other name"));
  const std::vector<EditOperation> half = {{.kind = Kind::kAdd, .names = {"x", "r", "a"}, .make_new = true},
                                           {.kind = Kind::kRetract, .names = {"b", "r", "c"}}};
  EXPECT_TRUE(contains(message_of<ConfigError>([&] { edit(db(), half, kAda); }), "operation 2"));
  EXPECT_FALSE(graph().find_entity("x"));
  EXPECT_THROW(edit(db(), half, {}), ConfigError);  // no author
  EXPECT_EQ(run({.kind = Kind::kAdd, .names = {"a", "r", "b"}}).number, 0U);
  EXPECT_TRUE(edit_log(db()).empty());
}

TEST_F(Edits, AnUndoIsAnEditThatCanBeTakenBack) {
  make({{"a", "r", "b"}});
  add("new one", "r", "a");
  EXPECT_EQ(undo_edit(db(), 1, kAda).number, 2U);
  EXPECT_FALSE(graph().find_entity("new one"));
  EXPECT_TRUE(
      contains(message_of<ConfigError>([&] { undo_edit(db(), 1, kAda); }), "taken back already, by edit 2"));
  EXPECT_EQ(undo_edit(db(), 2, kAda).number, 3U);
  const KnowledgeGraph again = graph();
  ASSERT_EQ(again.find_entity("new one"), 2U);
  const auto edge = edge_number(again, {2, *again.find_relation("r"), 0});
  ASSERT_TRUE(edge);
  EXPECT_EQ(details(again).sources(*edge).front(), "edit 1 by ada, 2026-01-31T12:00:00Z");
  EXPECT_TRUE(contains(message_of<ConfigError>([&] { undo_edit(db(), 9, kAda); }),
                       "there is no edit 9; the last is 3"));
  const std::vector<EditRecord> log = edit_log(db());
  ASSERT_EQ(log.size(), 3U);
  EXPECT_EQ(log[0].undone_by, 0U);  // the undo was taken back itself
  EXPECT_EQ(log[1].undone_by, 3U);
  EXPECT_EQ(log[2].undoes, 2U);
  EXPECT_EQ(log[0].what, "add new one -[r]-> a");
  EXPECT_EQ(last_edit_noticed(db()), 3U);
}

TEST_F(Edits, AnUndoLeavesAFactThatALaterEditAddedAgain) {
  make({{"Heat", "directed by", "Mann"}});
  const EditReport first = add("Heat", "music by", "Goldenthal");
  (void)run({.kind = Kind::kRetract, .names = {"Heat", "music by", "Goldenthal"}});
  (void)add("Heat", "music by", "Goldenthal");
  const std::string message = message_of<ConfigError>([&] { (void)undo_edit(db(), first.number, kAda); });
  EXPECT_NE(message.find("added again by a later edit"), std::string::npos) << message;
  EXPECT_TRUE(facts_of(graph()).contains({"Heat", "music by", "Goldenthal"}));
}

TEST_F(Edits, AnOtherNameOfSeveralIsRefused) {
  make({{"Ann Lee", "knows", "Ann Fox"}});
  (void)run({.kind = Kind::kAlias, .names = {"Ann Lee", "Ann"}});
  (void)run({.kind = Kind::kAlias, .names = {"Ann Fox", "Ann"}});
  const std::string message = message_of<ConfigError>([&] { (void)add("Ann", "knows", "Bob"); });
  EXPECT_NE(message.find("Ann Lee"), std::string::npos) << message;
  EXPECT_NE(message.find("Ann Fox"), std::string::npos) << message;
}

TEST_F(Edits, AnUpdateFindsRelationsByTheirIds) {
  const auto put = [&](const char* file, const std::string& text) {
    std::ofstream(folder_.path() / file) << text;
    return folder_.path() / file;
  };
  const std::string by = "<http://e.org/p57>", label = "<http://www.w3.org/2000/01/rdf-schema#label>";
  const auto facts = put("facts.nt", "<http://e.org/heat> " + by + " <http://e.org/mann> .\n" + by + " " +
                                         label + " \"director\" .\n");
  ingest({.database = db(), .replace = true, .triples = {facts}});
  const std::uint64_t before = graph().num_relations();
  UpdateOptions update{.database = db(), .edit = kAda};
  update.add = {put("more.nt", "<http://e.org/ali> " + by + " <http://e.org/mann> .\n")};
  const UpdateReport report = update_graph(update);
  EXPECT_EQ(report.edit.facts_added, 1U);
  EXPECT_EQ(graph().num_relations(), before);
}

TEST_F(Edits, AnUndoLeavesWhatLaterEditsSay) {
  make({{"a", "r", "b"}});
  add("new one", "r", "a");
  add("new one", "r", "b");
  const EditReport report = undo_edit(db(), 1, kAda);
  EXPECT_EQ(report.facts_retracted, 1U);
  EXPECT_FALSE(report.notes.empty());
  const KnowledgeGraph now = graph();
  ASSERT_TRUE(now.find_entity("new one"));
  EXPECT_EQ(now.out_edges(*now.find_entity("new one")).size(), 1U);
}

TEST_F(Edits, AMergeMovesFactsAndNamesAndIsTakenBack) {
  make({{"Iron Man", "by", "Jon Favreau"}, {"Elf", "by", "J. Favreau"}, {"J. Favreau", "is", "Jon Favreau"}});
  const auto before = facts_of(graph());
  run({.kind = Kind::kAlias, .names = {"J. Favreau", "Jonny"}});
  const EditReport report = run({.kind = Kind::kMerge, .names = {"Jon Favreau", "J. Favreau"}});
  const KnowledgeGraph merged = graph();
  const EntityId one = *merged.find_entity("Jon Favreau");
  EXPECT_FALSE(merged.find_entity("J. Favreau"));
  EXPECT_EQ(merged.out_edges(one).size(), 2U);
  EXPECT_EQ(details(merged).aliases(one), (std::vector<std::string_view>{"J. Favreau", "Jonny"}));
  expect_sound(merged);
  run({.kind = Kind::kAdd, .names = {"Elf", "by", "Jonny"}});  // found by the other name: is there already
  (void)undo_edit(db(), report.number, kAda);
  const KnowledgeGraph apart = graph();
  EXPECT_EQ(facts_of(apart), before);
  EXPECT_TRUE(details(apart).aliases(*apart.find_entity("Jon Favreau")).empty());
  EXPECT_EQ(details(apart).aliases(*apart.find_entity("J. Favreau")), std::vector<std::string_view>{"Jonny"});
}

TEST_F(Edits, ARenamedEntityIsFoundByBothNamesAndKeepsItsFacts) {
  make({{"a", "r", "b"}});
  run({.kind = Kind::kRename, .names = {"a", "Alpha"}});
  const KnowledgeGraph now = graph();
  EXPECT_EQ(now.find_entity("alpha"), 0U);
  EXPECT_FALSE(now.find_entity("a"));
  EXPECT_EQ(details(now).aliases(0), std::vector<std::string_view>{"a"});
  run({.kind = Kind::kRename, .names = {"Alpha", "a"}});
  EXPECT_EQ(graph().find_entity("a"), 0U);
  EXPECT_EQ(details(graph()).aliases(0), std::vector<std::string_view>{"Alpha"});
}

TEST_F(Edits, ADescriptionIsReadWithTheValues) {
  make({{"a", "r", "b"}});
  run({.kind = Kind::kDescribe, .names = {"b", "the second letter"}});
  const auto read = [&] { return Values::load(Store::open(db(), Store::Mode::kReadOnly)); };
  EXPECT_EQ(read()->description(1), "the second letter");
  run({.kind = Kind::kDescribe, .names = {"b", "another"}});
  (void)undo_edit(db(), 2, kAda);
  EXPECT_EQ(read()->description(1), "the second letter");
}

TEST_F(Edits, ASecondWriterIsTurnedAwayAndLosesNothing) {
  make({{"a", "r", "b"}});
  {
    const Store writer = Store::open(db(), Store::Mode::kReadWrite);
    EXPECT_TRUE(contains(message_of<StoreError>([&] { add("c", "r", "a"); }), "writes this database"));
  }
  EXPECT_EQ(add("c", "r", "a").number, 1U);
}

TEST_F(Edits, FilesAreAddedAndRemovedAsOneEdit) {
  make({{"a", "r", "b"}, {"b", "r", "c"}});
  write("add.tsv", {{"c", "r", "d"}, {"A", "r", "b"}, {"d", "s", "e"}});
  write("remove.tsv", {{"b", "r", "c"}, {"x", "r", "c"}});
  const UpdateReport report = update_graph({.database = db(),
                                            .add = {folder_.path() / "add.tsv"},
                                            .remove = {folder_.path() / "remove.tsv"},
                                            .edit = kAda});
  EXPECT_EQ(report.edit.facts_added, 2U);
  EXPECT_EQ(report.edit.facts_retracted, 1U);
  EXPECT_EQ(report.edit.unchanged, 2U);
  EXPECT_EQ(facts_of(graph()), facts_of(KnowledgeGraph::from_triples(std::vector<NamedTriple>{
                                   {"a", "r", "b"}, {"c", "r", "d"}, {"d", "s", "e"}})));
  (void)undo_edit(db(), 1, kAda);
  EXPECT_EQ(
      facts_of(graph()),
      facts_of(KnowledgeGraph::from_triples(std::vector<NamedTriple>{{"a", "r", "b"}, {"b", "r", "c"}})));
}

TEST_F(Edits, StoredDistancesOfBeforeAreNotTaken) {
  make({{"a", "r", "b"}, {"b", "r", "c"}});
  {
    Store store = Store::open(db(), Store::Mode::kReadWrite);
    DistanceIndex::build(store.load_graph()).save(store);
  }
  ASSERT_TRUE(DistanceIndex::load(Store::open(db(), Store::Mode::kReadOnly)));
  add("a", "r", "c");
  EXPECT_FALSE(DistanceIndex::load(Store::open(db(), Store::Mode::kReadOnly)));
  {
    Store store = Store::open(db(), Store::Mode::kReadWrite);
    DistanceIndex::build(store.load_graph()).save(store);
  }
  const auto index = DistanceIndex::load(Store::open(db(), Store::Mode::kReadOnly));
  ASSERT_TRUE(index);
  EXPECT_EQ(index->distance(0, 2), 1);
}

TEST_F(Edits, NamesAreFoundAsFastInALongBatch) {
  std::string table = "name,alias\n";
  for (int i = 0; i < 3000; ++i)
    table += "thing " + std::to_string(i) + ",called " + std::to_string(i) + "\n";
  std::ofstream(folder_.path() / "names.csv") << table;
  write("facts.tsv", {{"thing 0", "r", "thing 1"}});
  ingest({.database = db(),
          .replace = true,
          .triples = {folder_.path() / "facts.tsv"},
          .entities = folder_.path() / "names.csv"});
  std::vector<EditOperation> batch;
  for (int i = 0; i < 3000; ++i)
    batch.push_back(
        {.kind = Kind::kAdd, .names = {"called " + std::to_string(i), "s", "thing 0"}, .make_new = true});
  const auto begin = std::chrono::steady_clock::now();
  const EditReport report = edit(db(), batch, kAda);
  EXPECT_EQ(report.facts_added, 3000U);
  EXPECT_EQ(report.new_entities, 0U);
  // A look at every alias for every name took ten times as long.
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
}

TEST(Changes, DamagedBytesAreRefused) {
  const std::vector<Change> changes = {{.kind = ChangeKind::kName, .entity = 3, .after = "new"},
                                       {.kind = ChangeKind::kAdd,
                                        .fact = {3, 0, 1},
                                        .note = std::make_shared<FactNote>(FactNote{0.5F, {"me"}})}};
  const std::string bytes = encode_changes(changes);
  const std::vector<Change> read = decode_changes(bytes);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].after, "new");
  EXPECT_EQ(read[1].note->sources, std::vector<std::string>{"me"});
  for (std::size_t cut = 0; cut < bytes.size(); ++cut)
    EXPECT_THROW((void)decode_changes(bytes.substr(0, cut)), StoreError);
  EXPECT_THROW((void)decode_changes(bytes + "x"), StoreError);
}

}  // namespace
}  // namespace kgwalk::graph
