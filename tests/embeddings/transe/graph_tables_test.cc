#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>

#include "embeddings/transe/graph_embedding.h"
#include "kgwalk/distance_factors.h"
#include "kgwalk/distances.h"
#include "kgwalk/embeddings.h"
#include "kgwalk/error.h"
#include "kgwalk/ingest.h"
#include "kgwalk/threads.h"
#include "runtime/random.h"
#include "tests/temp_folder.h"

namespace kgwalk::embeddings {
namespace {

class GraphTables : public testing::Test {
 protected:
  void SetUp() override {
    set_num_threads(1);
    std::ofstream file(folder_ / "triples.txt");
    Random random(4);
    for (int i = 0; i < 300; ++i)
      file << "film " << random.below(60) << (i % 2 ? "\tdirected by\tperson " : "\tstarring\tperson ")
           << random.below(30) << "\n";
    file.close();
    graph::IngestOptions options;
    options.database = folder_ / "db";
    options.triples = {folder_ / "triples.txt"};
    graph::ingest(options);
  }
  graph::Store open() const { return graph::Store::open(folder_ / "db", graph::Store::Mode::kReadWrite); }
  test::TempFolder folder_;
};

GraphEmbeddingConfig small_config() {
  GraphEmbeddingConfig config;
  config.transe.dim = 12;
  config.transe.epochs = 5;
  config.transe.batch = 64;
  config.transe.negatives = 32;
  config.held_out = 0.1;
  return config;
}

TEST_F(GraphTables, ForwardFactsAreHalfOfTheEdges) {
  const graph::Store store = open();
  const graph::KnowledgeGraph graph = store.load_graph();
  const std::vector<Triple> facts = forward_triples(graph);
  EXPECT_EQ(2 * facts.size(), graph.num_edges());
  for (const Triple& t : facts) {
    EXPECT_TRUE(graph.has_edge(t));
    EXPECT_FALSE(graph.relation_name(t.relation).starts_with('~'));
  }
}

TEST_F(GraphTables, WeightsThatTheGraphDoesNotHaveAreMissed) {
  graph::Store store = open();
  GraphEmbeddingConfig config = small_config();
  config.weights = true;
  EXPECT_THROW((void)embed_graph(store, config), ConfigError);
}

TEST_F(GraphTables, EmbeddingSurvivesTheStoreAndInversesAreNegated) {
  graph::Store store = open();
  const graph::KnowledgeGraph graph = store.load_graph();
  EXPECT_FALSE(TransETables::open(store, 12).has_value());
  const TransETables made = embed_graph(store, small_config());
  const std::optional<TransETables> read = TransETables::open(store, 12);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->dim(), 12);
  EXPECT_EQ(read->num_entities(), graph.num_connected());
  EXPECT_EQ(read->num_relations(), graph.num_relations());
  for (EntityId e = 0; e < graph.num_connected(); ++e)
    EXPECT_TRUE(std::ranges::equal(read->entity(e), made.entity(e)));
  EXPECT_EQ(read->meta(), made.meta());
  EXPECT_EQ(read->meta().at("graph_checksum"), graph.checksum());
  EXPECT_GT(read->meta().at("held_out").at("both").at("ranks").get<int>(), 20);
  for (RelationId r = 0; r < graph.num_relations(); ++r)
    EXPECT_TRUE(
        std::ranges::equal(read->relation(r), made.relation(graph.inverse(r)), {}, {}, std::negate<>()));
}

// By the definition: every entity measured with plain double precision.
TEST_F(GraphTables, NearestEntitiesAreThoseOfASort) {
  for (const char* norm : {"l1", "l2"}) {
    graph::Store store = open();
    GraphEmbeddingConfig config = small_config();
    config.transe.norm = norm;
    const TransETables tables = embed_graph(store, config);
    const auto measured = [&](const std::vector<NearEntity>& found, const auto& point,
                              std::int64_t left_out) {
      std::vector<double> all;
      for (EntityId e = 0; e < tables.num_entities(); ++e) {
        if (e == left_out) continue;
        double sum = 0;
        for (std::size_t j = 0; j < 12; ++j) {
          const double d = point(j) - static_cast<double>(tables.entity(e)[j]);
          sum += norm[1] == '1' ? std::abs(d) : d * d;
        }
        all.push_back(norm[1] == '1' ? sum : std::sqrt(sum));
      }
      std::ranges::sort(all);
      ASSERT_EQ(found.size(), 7);
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_NEAR(found[i].distance, all[i], 1e-4);
        EXPECT_NE(static_cast<std::int64_t>(found[i].entity), left_out);
      }
    };
    const auto r = tables.relation(1);
    const auto e = tables.entity(5);
    measured(
        tables.nearest_tails(5, 1, 7), [&](std::size_t j) { return double{e[j]} + r[j]; }, -1);
    measured(
        tables.nearest_heads(1, 5, 7), [&](std::size_t j) { return double{e[j]} - r[j]; }, -1);
    measured(
        tables.nearest_entities(5, 7), [&](std::size_t j) { return double{e[j]}; }, 5);
    const NearEntity best = tables.nearest_tails(5, 1, 1).at(0);
    EXPECT_EQ(best.distance, tables.distance({5, 1, best.entity}));
    EXPECT_EQ(tables.nearest_tails(5, 1, 1'000'000).size(), tables.num_entities());
    EXPECT_TRUE(tables.nearest_tails(5, 1, 0).empty());
    EXPECT_THROW((void)tables.nearest_tails(tables.num_entities(), 1, 7), ConfigError);
    EXPECT_THROW((void)tables.nearest_heads(tables.num_relations(), 5, 7), ConfigError);
  }
}

TEST_F(GraphTables, TablesOfAnotherGraphAreRefused) {
  graph::Store store = open();
  (void)embed_graph(store, small_config());
  graph::Table table = store.get_table("transe/12/relations").value();
  table.meta["graph_checksum"] = "0";
  store.put_table("transe/12/relations", table.values, 12, table.meta);
  EXPECT_THROW((void)TransETables::open(store, 12), StoreError);
}

TEST_F(GraphTables, DistanceFactorsAreStoredWithTheirReport) {
  graph::Store store = open();
  const graph::KnowledgeGraph graph = store.load_graph();
  DistanceFactorsConfig config;
  config.rank = 10;
  EXPECT_FALSE(DistanceTables::open(store, 10).has_value());
  const DistanceFactorsReport report = factorize_distances(store, config);
  EXPECT_GT(report.order_agreement, 0.8);
  const std::optional<graph::Table> left = store.get_table("distance/10/left");
  ASSERT_TRUE(left.has_value());
  EXPECT_EQ(left->rows, graph.num_connected());
  EXPECT_EQ(left->columns, 10);
  EXPECT_EQ(left->meta.at("report").at("order_agreement"), report.order_agreement);
  EXPECT_EQ(left->meta.at("graph_checksum"), graph.checksum());
  const std::optional<DistanceTables> read = DistanceTables::open(store, 10);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->rank(), 10);
  EXPECT_EQ(read->left(7)[3], left->values[7 * 10 + 3]);
  double squares = 0;  // the report's error is that of the estimates
  std::vector<EntityId> all(graph.num_connected());
  std::iota(all.begin(), all.end(), 0U);
  const std::vector<graph::Distance> exact = graph::distance_rows(graph, all);
  for (const EntityId a : all)
    for (const EntityId b : all) {
      const graph::Distance d = exact[a * all.size() + b];
      squares += std::pow(read->estimate(a, b) - (d == graph::kUnreachable ? report.absent : d), 2);
    }
  EXPECT_NEAR(std::sqrt(squares) / static_cast<double>(all.size()), report.rmse, 1e-3);
  EXPECT_THROW((void)read->left(graph.num_connected()), ConfigError);
}

}  // namespace
}  // namespace kgwalk::embeddings
