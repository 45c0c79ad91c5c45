// The official OpenDialKG release as it is, and dialogues divided into splits.
#include <cmath>
#include <set>

#include "tests/graph/ingest/format_fixture.h"

namespace kgwalk::graph {
namespace {

using testing::advice_of;
using testing::contains;
using testing::message_of;

class DivisionTest : public testing::FormatTest {
 protected:
  static std::string row(int number) {
    return "\"[{\"\"type\"\":\"\"chat\"\",\"\"sender\"\":\"\"user\"\",\"\"message\"\":\"\"hello " +
           std::to_string(number) + "\"\"}]\",{},{}\n";
  }
  static std::string csv(int first, int last) {
    std::string text = "Messages,User Rating,Assistant Rating\n";
    for (int i = first; i < last; ++i) text += row(i);
    return text;
  }
  // The messages of each split.
  std::map<std::string, std::set<std::string>> divided() {
    (void)store();
    const Store made = Store::open(options_.database, Store::Mode::kReadOnly);
    std::map<std::string, std::set<std::string>> splits;
    for (const std::string& split : made.splits())
      for (const Dialogue& dialogue : made.dialogues(split))
        splits[split].insert(std::get<Chat>(dialogue.events.at(0)).text);
    return splits;
  }
};

TEST_F(DivisionTest, ReadsTheOfficialReleaseAsItIs) {
  folder_.write("opendialkg_triples.txt",
                "Iron Man\tdirected_by\tJon Favreau\nJon Favreau\t~directed_by\tIron Man");
  folder_.write("opendialkg_entities.txt", "Iron Man\nJon Favreau\nLonely");
  folder_.write("opendialkg_relations.txt", "directed_by\n~directed_by\nunused");
  EXPECT_TRUE(contains(message_of<ConfigError>([&] { (void)opendialkg_release(folder_.path()); }),
                       "is not the official OpenDialKG release, without opendialkg.csv"));
  folder_.write("opendialkg.csv", csv(0, 2000));
  IngestOptions release = opendialkg_release(folder_.path());
  release.database = options_.database;
  options_ = release;
  const auto splits = divided();
  EXPECT_EQ(graph().num_entities(), 3u);
  EXPECT_EQ(graph().num_relations(), 4u);
  ASSERT_EQ(splits.size(), 3u);
  const std::pair<const char*, double> expected[] = {{"train", 0.70}, {"dev", 0.15}, {"test", 0.15}};
  for (const auto& [name, share] : expected)  // four standard deviations
    EXPECT_NEAR(static_cast<double>(splits.at(name).size()), 2000 * share,
                4 * std::sqrt(2000 * share * (1 - share)));
}

TEST_F(DivisionTest, LeavesADialogueWhereItIsWhenOthersComeOrGo) {
  options_.triples = {folder_.write("t.txt", "a\tr\tb\n")};
  options_.division.shares = {{"train", 1}, {"test", 1}};
  options_.dialogues = {{"", folder_.write("d.csv", csv(0, 200))}};
  const auto all = divided();
  options_.dialogues = {{"", folder_.write("d.csv", csv(100, 300) + row(100) + row(101))}};
  const auto others = divided();
  for (const auto& [split, messages] : others)
    for (const std::string& message : messages) {
      const bool was_there = all.at("train").contains(message) || all.at("test").contains(message);
      EXPECT_EQ(all.at(split).contains(message), was_there) << message;
    }
  EXPECT_EQ(others.at("train").size() + others.at("test").size(), 200u) << "equal dialogues are on one side";
  options_.division.seed = 2;
  EXPECT_NE(divided().at("train"), others.at("train"));
}

TEST_F(DivisionTest, DividesBesideSplitsThatHaveANameAndMakesEmptyOnes) {
  options_.triples = {folder_.write("t.txt", "a\tr\tb\n")};
  options_.division.shares = {{"train", 1}, {"none", 0}};
  options_.dialogues = {{"", folder_.write("d.csv", csv(0, 20))},
                        {"test", folder_.write("e.csv", csv(20, 25))}};
  const IngestReport report = ingest(options_);
  EXPECT_EQ(report.splits.at("train").dialogues, 20u);
  EXPECT_EQ(report.splits.at("test").dialogues, 5u);
  const Store store = Store::open(options_.database, Store::Mode::kReadOnly);
  EXPECT_TRUE(store.dialogues("none").empty());
}

TEST_F(DivisionTest, RefusesSharesThatAreNone) {
  options_.triples = {folder_.write("t.txt", "a\tr\tb\n")};
  options_.dialogues = {{"", "d.csv"}};
  EXPECT_TRUE(contains(advice_of<ConfigError>([&] { (void)ingest(options_); }), "{give dialogues}"));
  options_.division.shares = {{"train", -1}};
  EXPECT_TRUE(contains(message_of<ConfigError>([&] { (void)ingest(options_); }), "must be 0 or more"));
  options_.division.shares = {{"train", 0}};
  EXPECT_TRUE(contains(message_of<ConfigError>([&] { (void)ingest(options_); }), "all 0"));
  options_.division.shares = {{"", 1}};
  EXPECT_TRUE(contains(message_of<ConfigError>([&] { (void)ingest(options_); }), "needs a name"));
}

}  // namespace
}  // namespace kgwalk::graph
