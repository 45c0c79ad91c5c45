#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>

#include "embeddings/links/graph_embedding.h"
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
  config.embedding.dim = 12;
  config.embedding.epochs = 5;
  config.embedding.batch = 64;
  config.embedding.negatives = 32;
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
  EXPECT_FALSE(EmbeddingTables::open(store, "transe", 12).has_value());
  const EmbeddingTables made = embed_graph(store, small_config());
  const std::optional<EmbeddingTables> read = EmbeddingTables::open(store, "transe", 12);
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
    config.embedding.norm = norm;
    const EmbeddingTables tables = embed_graph(store, config);
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

TEST_F(GraphTables, OtherModelsAskForHeadsByInverses) {
  for (const char* model : {"complex", "rotate", "distmult"})
    for (const bool reciprocal : {false, true}) {
      graph::Store store = open();
      const graph::KnowledgeGraph graph = store.load_graph();
      GraphEmbeddingConfig config = small_config();
      config.embedding.model = model;
      config.embedding.reciprocal = reciprocal;
      const EmbeddingTables tables = embed_graph(store, config);
      EXPECT_EQ(tables.kind().name(), model);
      EXPECT_EQ(tables.meta().contains("reverse"), reciprocal);
      const auto heads = tables.nearest_heads(1, 5, 1'000'000);
      ASSERT_EQ(heads.size(), tables.num_entities());
      for (const NearEntity& head : heads)
        EXPECT_NEAR(head.distance, tables.distance({5, graph.inverse(1), head.entity}), 1e-4);
      for (std::size_t i = 1; i < heads.size(); ++i) EXPECT_GE(heads[i].distance, heads[i - 1].distance);
      EXPECT_EQ(tables.nearest_entities(5, 1'000'000).size(), tables.num_entities() - 1);
    }
}

TEST_F(GraphTables, TheBestTablesAreThoseWithTheBestRanks) {
  graph::Store store = open();
  EXPECT_TRUE(stored_embeddings(store).empty());
  EXPECT_THROW((void)EmbeddingTables::open_best(store), StoreError);
  const auto put = [&](const std::string& name, int dim, const Json& mrr) {
    Json meta = {{"graph_checksum", store.graph_checksum()}, {"config", Json::object()}};
    if (!mrr.is_null()) meta["held_out"] = {{"both", {{"mrr", mrr}}}};
    const std::vector<float> values(static_cast<std::size_t>(dim) * 3);
    for (const char* rows : {"/entities", "/relations"}) store.put_table(name + rows, values, dim, meta);
  };
  put("transe/8", 8, 0.2);
  put("complex/4", 4, 0.4);
  put("complex/16", 16, nullptr);
  put("distmult/4", 4, 0.3);
  store.put_table("complex/many/entities", std::vector<float>(3), 1, {});
  store.put_table("mine/4/entities", std::vector<float>(3), 1, {});
  std::vector<std::string> names;
  for (const StoredEmbedding& found : stored_embeddings(store)) names.push_back(found.name());
  EXPECT_EQ(names, (std::vector<std::string>{"complex/4", "distmult/4", "transe/8", "complex/16"}));
  EXPECT_EQ(EmbeddingTables::open_best(store).dim(), 4);
  EXPECT_EQ(EmbeddingTables::open_best(store, "transe").dim(), 8);
  EXPECT_EQ(EmbeddingTables::open_best(store, "", 16).kind(), EmbeddingKind::kComplEx);
  EXPECT_THROW((void)EmbeddingTables::open_best(store, "rotate"), StoreError);
  EXPECT_THROW((void)EmbeddingTables::open_best(store, "compelx"), ConfigError);
  EXPECT_FALSE(EmbeddingTables::open(store, "distmult", 8).has_value());
}

TEST_F(GraphTables, TablesOfEarlierVersionsOpen) {
  graph::Store store = open();
  GraphEmbeddingConfig config = small_config();
  config.embedding.norm = "l1";
  const EmbeddingTables made = embed_graph(store, config);
  for (const char* name : {"transe/12/entities", "transe/12/relations"}) {
    graph::Table table = store.get_table(name).value();
    Json old = table.meta["config"]["embedding"];
    for (const char* later : {"model", "reciprocal", "n3_penalty"}) old.erase(later);
    table.meta["config"]["transe"] = old;
    table.meta["config"].erase("embedding");
    store.put_table(name, table.values, 12, table.meta);
  }
  const std::optional<EmbeddingTables> read = EmbeddingTables::open(store, "transe", 12);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->distance({1, 1, 2}), made.distance({1, 1, 2}));
}

TEST_F(GraphTables, TablesOfAnotherGraphAreRefused) {
  graph::Store store = open();
  (void)embed_graph(store, small_config());
  graph::Table table = store.get_table("transe/12/relations").value();
  table.meta["graph_checksum"] = "0";
  store.put_table("transe/12/relations", table.values, 12, table.meta);
  EXPECT_THROW((void)EmbeddingTables::open(store, "transe", 12), StoreError);
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
