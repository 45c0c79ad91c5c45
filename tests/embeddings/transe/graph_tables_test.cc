#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "embeddings/distance/distance_factors.h"
#include "embeddings/transe/graph_embedding.h"
#include "kgwalk/error.h"
#include "kgwalk/ingest.h"
#include "kgwalk/threads.h"
#include "runtime/random.h"

namespace kgwalk::embeddings {
namespace {

class GraphTables : public testing::Test {
 protected:
  void SetUp() override {
    set_num_threads(1);
    folder_ = std::filesystem::path(testing::TempDir()) / "kgwalk_graph_tables";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
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
  std::filesystem::path folder_;
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

TEST_F(GraphTables, EmbeddingSurvivesTheStoreAndInversesAreNegated) {
  graph::Store store = open();
  const graph::KnowledgeGraph graph = store.load_graph();
  const GraphEmbedding made = embed_graph(graph, small_config(), nullptr);
  EXPECT_FALSE(load_graph_embedding(store, 12).has_value());
  store_graph_embedding(made, store);
  const std::optional<GraphEmbedding> read = load_graph_embedding(store, 12);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->entities, made.entities);
  EXPECT_EQ(read->relations, made.relations);
  EXPECT_EQ(read->num_entities, graph.num_connected());
  EXPECT_EQ(read->num_relations, graph.num_relations());
  EXPECT_EQ(read->meta.at("graph_checksum"), graph.checksum());
  EXPECT_GT(read->meta.at("held_out").at("both").at("ranks").get<int>(), 20);
  for (RelationId r = 0; r < graph.num_relations(); ++r)
    for (int j = 0; j < 12; ++j)
      EXPECT_EQ(read->relations[r * 12 + static_cast<std::size_t>(j)],
                -read->relations[graph.inverse(r) * 12 + static_cast<std::size_t>(j)]);
}

TEST_F(GraphTables, TablesOfAnotherGraphAreRefused) {
  graph::Store store = open();
  const graph::KnowledgeGraph graph = store.load_graph();
  GraphEmbedding made = embed_graph(graph, small_config(), nullptr);
  made.meta["graph_checksum"] = "0";
  store_graph_embedding(made, store);
  EXPECT_THROW((void)load_graph_embedding(store, 12), StoreError);
}

TEST_F(GraphTables, DistanceFactorsAreStoredWithTheirReport) {
  graph::Store store = open();
  const graph::KnowledgeGraph graph = store.load_graph();
  DistanceFactorsConfig config;
  config.rank = 10;
  const DistanceFactors factors = factorize_distances(graph, config);
  EXPECT_GT(factors.report.order_agreement, 0.8);
  store_distance_factors(factors, config, graph, store);
  const std::optional<graph::Table> left = store.get_table("distance/10/left");
  ASSERT_TRUE(left.has_value());
  EXPECT_EQ(left->rows, graph.num_connected());
  EXPECT_EQ(left->columns, 10);
  EXPECT_EQ(left->values[7 * 10 + 3], factors.factors.left.row(7)[3]);
  EXPECT_EQ(left->meta.at("report").at("order_agreement"), factors.report.order_agreement);
  EXPECT_EQ(left->meta.at("graph_checksum"), graph.checksum());
}

}  // namespace
}  // namespace kgwalk::embeddings
