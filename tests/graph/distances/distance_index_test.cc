#include "kgwalk/distances.h"

#include "kgwalk/edits.h"
#include "kgwalk/error.h"
#include "kgwalk/threads.h"
#include "tests/graph/graph_fixtures.h"

namespace kgwalk::graph {
namespace {

using testing::edge;
using testing::random_triples;
using testing::TempFolder;

// Every pair of a small graph, ids without edges included.
void expect_exact(const std::vector<NamedTriple>& triples) {
  const KnowledgeGraph graph =
      KnowledgeGraph::from_triples(triples, std::vector<std::string>{"lonely", "alone"});
  const DistanceIndex index = DistanceIndex::build(graph);
  std::vector<EntityId> sources(graph.num_connected());
  for (EntityId v = 0; v < sources.size(); ++v) sources[v] = v;
  const std::vector<Distance> rows = distance_rows(graph, sources);
  const std::size_t n = graph.num_connected();
  std::size_t wrong = 0;
  for (EntityId a = 0; a < graph.num_entities(); ++a)
    for (EntityId b = 0; b < graph.num_entities(); ++b) {
      const Distance expected = a == b ? 0 : a < n && b < n ? rows[a * n + b] : kUnreachable;
      wrong += index.distance(a, b) != expected;
    }
  EXPECT_EQ(wrong, 0u);
}

TEST(DistanceIndex, IsExactForEveryPairOfSmallGraphs) {
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    const int n = 5 + static_cast<int>(seed) * 12;
    expect_exact(random_triples(n, n / 2, seed));
    expect_exact(random_triples(n, n, 100 + seed));
    expect_exact(random_triples(n, 6 * n, 200 + seed));
  }
}

TEST(DistanceIndex, IsExactOnSpecialShapes) {
  std::vector<NamedTriple> star, chain, grid;
  for (int i = 1; i < 300; ++i) star.push_back(edge(0, i));
  for (int i = 0; i < 120; ++i) chain.push_back(edge(i, i + 1));
  for (int i = 0; i < 15; ++i)
    for (int j = 0; j < 15; ++j) {
      if (i > 0) grid.push_back(edge(15 * i + j, 15 * (i - 1) + j));
      if (j > 0) grid.push_back(edge(15 * i + j, 15 * i + j - 1));
    }
  expect_exact(star);
  expect_exact(chain);
  expect_exact(grid);
  expect_exact({edge(1, 1)});
  expect_exact({});
}

TEST(DistanceIndex, IsExactOnAHundredThousandRandomPairs) {
  // Sparse enough for a giant component, small ones, and long distances.
  const KnowledgeGraph graph = KnowledgeGraph::from_triples(random_triples(6000, 7500, 21));
  const DistanceIndex index = DistanceIndex::build(graph);
  std::mt19937_64 random(22);
  std::vector<EntityId> sources(400);
  for (EntityId& v : sources) v = static_cast<EntityId>(random() % graph.num_connected());
  const std::vector<Distance> rows = distance_rows(graph, sources);
  std::size_t wrong = 0, unreachable = 0;
  for (int i = 0; i < 100000; ++i) {
    const std::size_t row = random() % sources.size();
    const auto v = static_cast<EntityId>(random() % graph.num_connected());
    const Distance expected = rows[row * graph.num_connected() + v];
    wrong += index.distance(sources[row], v) != expected;
    unreachable += expected == kUnreachable;
  }
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(unreachable, 1000u);
}

TEST(DistanceIndex, RefusesGraphsTooLongForItsLabels) {
  std::vector<NamedTriple> chain;
  for (int i = 0; i < 400; ++i) chain.push_back(edge(i, i + 1));
  EXPECT_THROW((void)DistanceIndex::build(KnowledgeGraph::from_triples(chain)), Error);
}

TEST(DistanceIndex, IsStoredWithItsGraph) {
  const TempFolder folder;
  IngestOptions options;
  options.database = folder / "kg";
  options.triples = {folder.write("t.txt", "a\tr\tb\nb\tr\tc\nd\tr\te\n")};
  (void)ingest(options);
  options.database = folder / "other";
  options.triples = {folder.write("u.txt", "a\tr\tb\n")};
  (void)ingest(options);
  Store store = Store::open(folder / "kg", Store::Mode::kReadWrite);
  EXPECT_FALSE(DistanceIndex::load(store).has_value());
  const KnowledgeGraph graph = store.load_graph();
  const DistanceIndex index = DistanceIndex::build(graph);
  index.save(store);
  const auto loaded = DistanceIndex::load(store);
  ASSERT_TRUE(loaded.has_value());
  const auto id = [&](const char* name) { return *graph.find_entity(name); };
  EXPECT_EQ(loaded->distance(id("a"), id("c")), 2);
  EXPECT_EQ(loaded->distance(id("a"), id("d")), kUnreachable);
  EXPECT_EQ(loaded->size_bytes(), index.size_bytes());

  Store other = Store::open(folder / "other", Store::Mode::kReadWrite);
  EXPECT_THROW(index.save(other), StoreError);
  other.put_blob("graph/distance_index", *store.get_blob("graph/distance_index"),
                 {{"graph_checksum", store.graph_checksum()}});
  EXPECT_TRUE(testing::contains(testing::message_of<StoreError>([&] { (void)DistanceIndex::load(other); }),
                                "belongs to another graph"));
  other.put_blob("graph/distance_index", "short", {{"graph_checksum", other.graph_checksum()}});
  EXPECT_THROW((void)DistanceIndex::load(other), StoreError);
}

TEST(DistanceIndex, IsMadeWithinItsLimitsOnly) {
  const KnowledgeGraph graph = KnowledgeGraph::from_triples(random_triples(3000, 9000, 31));
  IndexEstimate estimate;
  const auto made = DistanceIndex::build_within(graph, {}, estimate);
  ASSERT_TRUE(made);
  EXPECT_NEAR(estimate.bytes / static_cast<double>(made->size_bytes()), 1, 0.25);
  IndexLimits tight{.seconds = 300, .bytes = static_cast<std::size_t>(estimate.bytes) - 1};
  EXPECT_FALSE(DistanceIndex::build_within(graph, tight, estimate));
  EXPECT_GT(estimate.bytes, static_cast<double>(tight.bytes));
}

// Searches share threads by batches, whose labels are those of one search after the other.
TEST(DistanceIndex, DoesNotDependOnThreads) {
  const KnowledgeGraph graph = KnowledgeGraph::from_triples(random_triples(2000, 5000, 32));
  const DistanceIndex one = DistanceIndex::build(graph);
  set_num_threads(2);
  const DistanceIndex two = DistanceIndex::build(graph);
  set_num_threads(1);
  EXPECT_EQ(one.size_bytes(), two.size_bytes());
  std::size_t wrong = 0;
  for (EntityId a = 0; a < 50; ++a)
    for (EntityId b = 0; b < graph.num_connected(); ++b) wrong += one.distance(a, b) != two.distance(a, b);
  EXPECT_EQ(wrong, 0u);
}

// Asks to stop once so many vertices are done.
class StoppingReporter : public Reporter {
 public:
  StoppingReporter(StopFlag& stop, std::int64_t most) : stop_(stop), left_(most) {}
  void info(std::string_view line) override { said += line; }
  void warn(std::string_view) override {}
  std::unique_ptr<Progress> start(std::string_view, std::int64_t, std::string_view) override {
    struct Counting : Progress {
      explicit Counting(StoppingReporter& reporter) : of(reporter) {}
      void add(std::int64_t done, std::string_view) override {
        if ((of.left_ -= done) <= 0) of.stop_.request();
      }
      StoppingReporter& of;
    };
    return std::make_unique<Counting>(*this);
  }
  std::string said;

 private:
  StopFlag& stop_;
  std::int64_t left_;
};

TEST(DistanceIndex, GoesOnWhereItWasStopped) {
  const TempFolder folder;
  const KnowledgeGraph graph = KnowledgeGraph::from_triples(random_triples(3000, 9000, 33));
  const DistanceIndex whole = DistanceIndex::build(graph);
  IndexLimits limits;
  limits.kept = folder / "part";
  IndexEstimate estimate;
  const auto stopped_after = [&](std::int64_t vertices) {
    StopFlag stop;
    StoppingReporter reporter(stop, vertices);
    EXPECT_THROW((void)DistanceIndex::build_within(graph, limits, estimate, reporter, stop), Interrupted);
    return reporter.said;
  };
  EXPECT_EQ(stopped_after(500), "");
  EXPECT_TRUE(testing::contains(stopped_after(2000), "going on with the distance index"));
  EXPECT_TRUE(std::filesystem::exists(limits.kept));
  // Of another graph it is no use, and what is damaged neither.
  const KnowledgeGraph other = KnowledgeGraph::from_triples(random_triples(3000, 9000, 34));
  std::filesystem::copy_file(limits.kept, folder / "of_other");
  IndexLimits of_other = limits;
  of_other.kept = folder / "of_other";
  EXPECT_EQ(DistanceIndex::build_within(other, of_other, estimate)->size_bytes(),
            DistanceIndex::build(other).size_bytes());
  const auto made = DistanceIndex::build_within(graph, limits, estimate);
  EXPECT_FALSE(std::filesystem::exists(limits.kept));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->size_bytes(), whole.size_bytes());
  std::size_t wrong = 0;
  for (EntityId a = 0; a < 50; ++a)
    for (EntityId b = 0; b < graph.num_connected(); ++b)
      wrong += whole.distance(a, b) != made->distance(a, b);
  EXPECT_EQ(wrong, 0u);
}

// Labels of the graph as it was before an edit would tell distances that are none any more.
TEST(DistanceIndex, BeginsAnewWhereTheGraphWasEditedMeanwhile) {
  const TempFolder folder;
  std::string lines;
  for (const NamedTriple& t : random_triples(3000, 9000, 35))
    lines += t.head + '\t' + t.relation + '\t' + t.tail + '\n';
  IngestOptions options;
  options.database = folder / "kg";
  options.triples = {folder.write("t.txt", lines)};
  (void)ingest(options);
  const auto graph_now = [&] { return Store::open(folder / "kg", Store::Mode::kReadOnly).load_graph(); };
  IndexLimits limits;
  limits.kept = folder / "part";
  IndexEstimate estimate;
  {
    StopFlag stop;
    StoppingReporter reporter(stop, 500);
    EXPECT_THROW((void)DistanceIndex::build_within(graph_now(), limits, estimate, reporter, stop),
                 Interrupted);
  }
  const EditOperation joins{
      .kind = EditOperation::Kind::kAdd, .names = {"1", "r0", "a new one"}, .make_new = true};
  (void)edit(folder / "kg", {&joins, 1}, {.author = "ada"});
  const KnowledgeGraph edited = graph_now();
  StopFlag stop;
  StoppingReporter reporter(stop, 1'000'000);
  const auto made = DistanceIndex::build_within(edited, limits, estimate, reporter, stop);
  EXPECT_FALSE(testing::contains(reporter.said, "going on with the distance index"));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->size_bytes(), DistanceIndex::build(edited).size_bytes());
  EXPECT_EQ(made->distance(*edited.find_entity("1"), *edited.find_entity("a new one")), 1);
}

TEST(DistanceIndex, StopsWhenAsked) {
  StopFlag stop;
  stop.request();
  const KnowledgeGraph graph = KnowledgeGraph::from_triples(random_triples(50, 80, 1));
  EXPECT_THROW((void)DistanceIndex::build(graph, silent_reporter(), stop), Stopped);
}

}  // namespace
}  // namespace kgwalk::graph
