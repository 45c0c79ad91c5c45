#include "walker/network/metapath.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "kgwalk/edits.h"
#include "kgwalk/ingest.h"
#include "kgwalk/store.h"
#include "runtime/files.h"
#include "runtime/random.h"
#include "runtime/tensor/torch_threads.h"

namespace kgwalk::walker {
namespace {

namespace fs = std::filesystem;

// A database of one long chain with random tables of the widths given.
class ChainOnDisk : public ::testing::Test {
 protected:
  static constexpr int kHops = 40000;  // LibTorch sums more than 32,768 numbers on several threads
  static constexpr int kWidths[] = {3, 4, 5, 6};

  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("kgwalk_metapath_test_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    std::ostringstream triples;
    for (int i = 0; i < kHops; ++i) triples << 'e' << i << "\tnext\te" << i + 1 << '\n';
    write_file_atomically(folder_ / "triples.txt", triples.str());
    graph::IngestOptions options;
    options.database = folder_ / "graph.db";
    options.triples = {folder_ / "triples.txt"};
    (void)graph::ingest(options);
    graph::Store store = graph::Store::open(folder_ / "graph.db", graph::Store::Mode::kReadWrite);
    const auto graph = store.load_graph();
    Random random(1);
    for (const int width : kWidths) {
      for (const auto& [name, rows] :
           {std::pair("entities", graph.num_connected()), {"relations", graph.num_relations()}}) {
        std::vector<float> values(static_cast<std::size_t>(rows) * static_cast<std::size_t>(width));
        for (float& value : values) value = static_cast<float>(random.normal());
        std::ostringstream table;
        table << "transe/" << width << '/' << name;
        store.put_table(table.str(), values, width, Json::object());
      }
    }
  }
  void TearDown() override {
    set_torch_threads(1);
    fs::remove_all(folder_);
  }

  fs::path folder_;
};

// A run remembers the checksum of its tables: trained with one number of threads it must open with another.
TEST_F(ChainOnDisk, TheChecksumOfTheTablesDoesNotDependOnTheNumberOfThreads) {
  const graph::Store store = graph::Store::open(folder_ / "graph.db", graph::Store::Mode::kReadOnly);
  const auto graph = store.load_graph();
  for (const int width : kWidths) {
    MetaPathConfig config;
    config.kg_width = width;
    set_torch_threads(1);
    const std::string alone = load_graph_tables(store, graph, config).checksum;
    for (const int threads : {2, 3, 4}) {
      set_torch_threads(threads);
      EXPECT_EQ(load_graph_tables(store, graph, config).checksum, alone) << threads << " threads";
    }
  }
}

TEST(RandomGraphTables, HaveARowForEveryEntityAndAnEmptyOneForEop) {
  MetaPathConfig config;
  config.kg_width = 4;
  config.distance_width = 2;
  const GraphTables tables = random_graph_tables(5, 3, config, 1);
  EXPECT_EQ(tables.entities.sizes(), (std::vector<std::int64_t>{6, 6}));
  EXPECT_EQ(tables.distance_partner.sizes(), (std::vector<std::int64_t>{6, 2}));
  EXPECT_EQ(tables.relations.sizes(), (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(tables.entities[5].abs().sum().item<double>(), 0);
  EXPECT_EQ(tables.distance_partner[5].abs().sum().item<double>(), 0);
  EXPECT_GT(tables.entities.slice(0, 0, 5).abs().sum(1).min().item<double>(), 0);
  EXPECT_EQ(random_graph_tables(5, 3, config, 1).checksum, tables.checksum);
  EXPECT_NE(random_graph_tables(5, 3, config, 2).checksum, tables.checksum);
}

// A model of before opens on an edited graph: what is new gets its vector from its facts.
TEST_F(ChainOnDisk, ANewEntityIsPutWhereItsFactsPutIt) {
  const fs::path database = folder_ / "graph.db";
  MetaPathConfig config;
  config.kg_width = 4;
  config.distance_width = 0;
  const auto tables_of = [&](const graph::KnowledgeGraph& graph) {
    const graph::Store store = graph::Store::open(database, graph::Store::Mode::kReadOnly);
    return load_graph_tables(store, graph, config);
  };
  const auto graph_now = [&] {
    return graph::Store::open(database, graph::Store::Mode::kReadOnly).load_graph();
  };
  const GraphTables before = tables_of(graph_now());
  const graph::EditOperation added{
      .kind = graph::EditOperation::Kind::kAdd, .names = {"e7", "next", "new"}, .make_new = true};
  (void)graph::edit(database, {&added, 1}, {.author = "test"});
  const graph::KnowledgeGraph edited = graph_now();
  GraphTables tables = tables_of(edited);
  EXPECT_EQ(tables.checksum, before.checksum);
  add_new_entities(tables, edited);
  const auto row = [&](const char* name) {
    return tables.entities[static_cast<std::int64_t>(*edited.find_entity(name))];
  };
  // What (e7, next) asks for.
  const torch::Tensor next = tables.relations[static_cast<std::int64_t>(*edited.find_relation("next"))];
  EXPECT_TRUE(torch::allclose(row("new"), row("e7") + next * tables.relation_scale, 1e-4, 1e-5));
  EXPECT_EQ(tables.entities.size(0), static_cast<std::int64_t>(edited.num_entities()) + 1);
  EXPECT_TRUE(torch::equal(row("e9"), before.entities[static_cast<std::int64_t>(*edited.find_entity("e9"))]));
}

}  // namespace
}  // namespace kgwalk::walker
