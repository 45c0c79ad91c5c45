// The real OpenDialKG: counts as published with the data, every path found, distances known.
#include "kgwalk/distances.h"
#include "kgwalk/threads.h"
#include "tests/graph/graph_fixtures.h"

namespace kgwalk::graph {
namespace {

using testing::TempFolder;

class RealData : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const auto data = testing::real_data("opendialkg");
    if (!data) return;
    set_num_threads(0);
    folder_ = new TempFolder;
    IngestOptions options;
    options.database = *folder_ / "kg";
    options.triples = {*data / "opendialkg_triples.txt"};
    options.entities = *data / "opendialkg_entities.txt";
    options.relations = *data / "opendialkg_relations.txt";
    options.annotation_only = *data / "annotation_only_triples.txt";
    for (const char* split : {"train", "train_turns", "dev", "test"})
      options.dialogues.push_back({split, *data / (std::string(split) + ".csv")});
    options.strict = true;  // the official files hold no bad line
    report_ = new IngestReport(ingest(options));
  }
  static void TearDownTestSuite() {
    delete folder_;
    delete report_;
    folder_ = nullptr;
    report_ = nullptr;
  }
  void SetUp() override {
    if (!folder_)
      GTEST_SKIP() << "OpenDialKG is not there; set KGWALK_DATA to the folder that holds opendialkg/";
  }
  [[nodiscard]] static Store store() { return Store::open(*folder_ / "kg", Store::Mode::kReadOnly); }

  static TempFolder* folder_;
  static IngestReport* report_;
};
TempFolder* RealData::folder_ = nullptr;
IngestReport* RealData::report_ = nullptr;

TEST_F(RealData, HasTheCountsThatCameWithIt) {
  const Json c = report_->to_json();
  EXPECT_EQ(c["edges"], 485244);
  EXPECT_EQ(c["triple_lines"], 485244);
  EXPECT_EQ(c["duplicate_triples"], 0);
  EXPECT_EQ(c["added_inverses"], 0);
  EXPECT_EQ(c["connected_entities"], 72452);
  EXPECT_EQ(c["entities"], 100813);
  EXPECT_EQ(c["relations"], 1358);
  EXPECT_EQ(c["relations_in_use"], 1182);
  EXPECT_EQ(c["annotation_only"], 3332);
  EXPECT_EQ(c["self_loops"], 1712);
  EXPECT_EQ(c["skipped"], 0);
  struct Expected {
    const char* split;
    int dialogues, messages, paths, side_talk;
  };
  for (const Expected& e :
       {Expected{"train", 2070, 13580, 4214, 765}, Expected{"train_turns", 3293, 9910, 3293, 0},
        Expected{"dev", 518, 3428, 1122, 182}, Expected{"test", 518, 3414, 1072, 207}}) {
    const Json& split = c["splits"][e.split];
    EXPECT_EQ(split["dialogues"], e.dialogues) << e.split;
    EXPECT_EQ(split["messages"], e.messages) << e.split;
    EXPECT_EQ(split["paths"], e.paths) << e.split;
    EXPECT_EQ(split["side_talk"], e.side_talk) << e.split;
    EXPECT_EQ(split["longer_paths"], 0) << e.split;
  }
}

TEST_F(RealData, EveryLaterPathStartsWhereThePathBeforeHadATail) {
  const Store opened = store();
  for (const char* split : {"train", "dev", "test"})
    for (const Dialogue& dialogue : opened.dialogues(split)) {
      const WalkedPath* before = nullptr;
      for (const DialogueEvent& event : dialogue.events) {
        const WalkedPath* path = std::get_if<WalkedPath>(&event);
        if (!path) continue;
        if (before) {
          EXPECT_TRUE(std::any_of(before->hops.begin(), before->hops.end(),
                                  [&](const Triple& t) { return t.tail == path->hops[0].head; }))
              << split << ':' << dialogue.line;
        }
        before = path;
      }
    }
}

TEST_F(RealData, HasPairsAtEveryDistanceFromOneToTwelve) {
  const KnowledgeGraph graph = store().load_graph();
  const std::vector<std::uint64_t> counts = distance_histogram(graph);
  for (std::size_t d = 1; d <= 12; ++d) EXPECT_GT(counts[d], 0u) << d;
  for (std::size_t d = 13; d < kUnreachable; ++d) EXPECT_EQ(counts[d], 0u) << d;
  EXPECT_EQ(counts[1], graph.all_neighbors().size());
}

TEST_F(RealData, TheIndexIsExactOnAHundredThousandPairs) {
  const KnowledgeGraph graph = store().load_graph();
  const DistanceIndex index = DistanceIndex::build(graph);
  EXPECT_LE(index.size_bytes(), 100u << 20);
  std::mt19937_64 random(1);
  std::vector<EntityId> sources(500);
  for (EntityId& v : sources) v = static_cast<EntityId>(random() % graph.num_connected());
  const std::vector<Distance> rows = distance_rows(graph, sources);
  std::size_t wrong = 0;
  for (int i = 0; i < 100000; ++i) {
    const std::size_t row = random() % sources.size();
    const auto v = static_cast<EntityId>(random() % graph.num_connected());
    wrong +=
        index.distance(sources[row], v) != (sources[row] == v ? 0 : rows[row * graph.num_connected() + v]);
  }
  EXPECT_EQ(wrong, 0u);
}

TEST_F(RealData, NamesThatDifferOnlyInSpacesStayApart) {
  const Store opened = store();
  const KnowledgeGraph graph = opened.load_graph();
  const auto one = graph.find_entity("john williams"), two = graph.find_entity("john  williams");
  ASSERT_TRUE(one && two);
  EXPECT_NE(*one, *two);
  EXPECT_EQ(graph.suggest_entities("Christofer Nolan", 1), (std::vector<std::string>{"Christopher Nolan"}));
  EXPECT_EQ(opened.read_entity("CHRISTOPHER NOLAN"), graph.find_entity("Christopher Nolan"));
  EXPECT_TRUE(graph.find_entity("").has_value());  // listed, in four triples and two paths
}

}  // namespace
}  // namespace kgwalk::graph
