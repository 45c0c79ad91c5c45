#include "kgwalk/entities.h"

#include "kgwalk/export.h"
#include "kgwalk/values.h"
#include "runtime/files.h"
#include "tests/graph/ingest/format_fixture.h"

namespace kgwalk::graph {
namespace {

using testing::contains;
using testing::message_of;

class EntitiesTest : public testing::FormatTest {
 protected:
  EntitiesTest() { options_.entities = folder_.write("entities.csv", kEntities); }

  void reload() { graph_ = Store::open(options_.database, Store::Mode::kReadOnly).load_graph(); }
  EntityId entity(std::string_view name) const {
    const auto found = graph().find_entity(name);
    EXPECT_TRUE(found) << name;
    return found.value_or(0);
  }
  std::vector<std::string> pairs(const DuplicateOptions& options = {}) const {
    std::vector<std::string> list;
    for (const Duplicate& pair : find_duplicates(graph(), options)) list.push_back(pair.reason);
    return list;
  }

  static constexpr const char* kEntities =
      "id,name,type,aliases,description\n"
      "t1,Titanic,film,,A film.\nt2,Titanic,film,Der Film,\nt3,Titanic,ship,,\nq1,James Cameron,person,,\n"
      "q2,J. Cameron,person,james  cameron,\n";
  static constexpr const char* kFacts =
      "t1\tdirected_by\tq1\nt1\tstarring\tKate Winslet\nt2\tstarring\tKate Winslet\nt2\tdirected_by\tq2\n"
      "t3\tbuilt_in\tBelfast\nt3\tin\tKate "
      "Winslet\nq1\tborn_in\tCanada\nq2\tborn_in\tCanada\nt1\tsame_as\tt2\n";
};

TEST_F(EntitiesTest, ThatShareAnAliasAreCalledByIt) {
  options_.entities =
      folder_.write("entities.csv", "id,name,aliases\na,Bombay,Mumbai\nb,Greater Bombay,mumbai\n");
  (void)store("t.txt", "a\tin\tIndia\nb\tin\tIndia\n");
  EXPECT_EQ(pairs(), Lines{"both are called 'Mumbai'; 1 neighbor in common: India"});
}

TEST_F(EntitiesTest, ThatShareNameTypeAndNeighborsAreProposedWithReasons) {
  (void)store("t.txt", kFacts);
  EXPECT_EQ(pairs(),
            (Lines{"both are called 'Titanic', both are film; 1 neighbor in common: Kate Winslet",
                   "both are called 'James Cameron', both are person; 1 neighbor in common: Canada"}));
  EXPECT_TRUE(pairs({.min_common = 2}).empty());
  EXPECT_EQ(pairs({.count = 1}).size(), 1u);
  EXPECT_TRUE(pairs({.max_sharing = 1}).empty());  // too many have them
  EXPECT_TRUE(contains(message_of<ConfigError>([&] { (void)pairs({.min_common = 0}); }), "at least one"));
}

TEST_F(EntitiesTest, AreMergedWithAllThatIsKnownOfThem) {
  options_.annotation_only = folder_.write("marks.txt", "Titanic (t2)\tstarring\tKate Winslet\n");
  (void)store("t.txt", kFacts);
  Store::open(options_.database, Store::Mode::kReadWrite).put_blob("of/ids", "x", Json::object());
  const MergeReport report = merge_entities(options_.database, {{"t1", "t2"}, {"q1", "q2"}});
  reload();
  EXPECT_EQ(report.merged, 2u);
  EXPECT_EQ(report.dropped_tables, Lines{"of/ids"});
  EXPECT_EQ(report.edges_after, graph().num_edges());
  EXPECT_EQ(entity("t1"), entity("Titanic (t1)"));
  EXPECT_FALSE(graph().find_entity("t2"));  // no id any more: an alias
  const std::vector<std::string_view> aliases = details(graph()).aliases(entity("t1"));
  EXPECT_EQ(std::vector<std::string>(aliases.begin(), aliases.end()),
            (Lines{"Der Film", "Titanic (t2)", "t2"}));
  const Lines left = facts();
  EXPECT_EQ(std::count(left.begin(), left.end(), "Titanic (t1) | starring | Kate Winslet"), 1);
  EXPECT_EQ(std::count(left.begin(), left.end(), "Titanic (t1) | directed_by | James Cameron"), 1);
  for (const std::string& fact : left) EXPECT_FALSE(contains(fact, "same_as")) << fact;
  const Store database = Store::open(options_.database, Store::Mode::kReadOnly);
  EXPECT_EQ(Values::load(database)->description(entity("t1")), "A film.");
  EXPECT_EQ(database.meta()["merged"], Json::array({Json::array({"t1", "t2"}), Json::array({"q1", "q2"})}));
  EXPECT_TRUE(pairs().empty());
}

TEST_F(EntitiesTest, ThatCannotBeMergedAreToldAndNothingChanges) {
  (void)store("t.txt", kFacts);
  const std::string before = graph().checksum();
  EXPECT_TRUE(contains(message_of<ConfigError>([&] {
                         (void)merge_entities(options_.database, {{"t1", "Titanik"}});
                       }),
                       "'Titanik' is not in the graph"));
  EXPECT_TRUE(contains(message_of<ConfigError>([&] {
                         (void)merge_entities(options_.database, {{"t1", "Titanic (t1)"}});
                       }),
                       "are one entity already"));
  EXPECT_THROW((void)merge_entities(options_.database, {}), ConfigError);
  StopFlag stop;
  stop.request();
  EXPECT_THROW((void)merge_entities(options_.database, {{"t1", "t2"}}, silent_reporter(), stop), Stopped);
  reload();
  EXPECT_EQ(graph().checksum(), before);
}

// Dialogues walk on where they walked, by the new ids.
TEST_F(EntitiesTest, KeepTheDialoguesOfTheirGraph) {
  options_.entities.clear();
  const std::string path =
      R"([{""type"":""chat"",""sender"":""user"",""message"":""hi""},{""type"":""action"",""sender"":""assistant"",)"
      R"(""action_id"":""kgwalk/choose_path"",""metadata"":{""path"":[1,[[""B"",""r"",""C""]],""B r C""]}}])";
  options_.dialogues = {{"train", folder_.write("d.csv", "Messages\n\"" + path + "\"\n")}};
  (void)store("t.txt", "X\ts\tA\nB\tr\tC\nA\ts\tC\n");
  ASSERT_EQ(Store::open(options_.database, Store::Mode::kReadOnly).dialogues("train").size(), 1u);
  (void)merge_entities(options_.database, {{"A", "B"}});
  reload();
  for (const Dialogue& dialogue : Store::open(options_.database, Store::Mode::kReadOnly).dialogues("train"))
    for (const DialogueEvent& event : dialogue.events)
      if (const auto* walked = std::get_if<WalkedPath>(&event)) {
        ASSERT_EQ(walked->hops.size(), 1u);
        EXPECT_EQ(graph().entity_name(walked->hops[0].head), "A");
        EXPECT_TRUE(graph().has_edge(walked->hops[0]));
      }
}

}  // namespace
}  // namespace kgwalk::graph
