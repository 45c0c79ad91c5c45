#include "kgwalk/embedding_export.h"

#include <gtest/gtest.h>

#include <cstring>

#include "kgwalk/error.h"
#include "kgwalk/ingest.h"
#include "kgwalk/knowledge_graph.h"
#include "runtime/files.h"
#include "tests/error_text.h"
#include "tests/temp_folder.h"

namespace kgwalk::embeddings {
namespace {

class EmbeddingExportTest : public ::testing::Test {
 protected:
  EmbeddingExportTest() {
    graph::ingest({.database = folder_ / "kg", .triples = {folder_.write("t.txt", "Iron Man\tr\tB\n")}});
  }
  // Tables of width 2 whose numbers are known.
  void put_tables() {
    graph::Store store = graph::Store::open(folder_ / "kg", graph::Store::Mode::kReadWrite);
    const Json meta = {{"graph_checksum", store.graph_checksum()}, {"config", Json::object()}};
    store.put_table("transe/2/entities", std::vector<float>{0.5F, -1, 0.1F, 1e-9F}, 2, meta);
    store.put_table("transe/2/relations", std::vector<float>{1, 2, 3, 4}, 2, meta);
  }
  EmbeddingExportReport run(const EmbeddingExportOptions& options) {
    return export_embeddings(graph::Store::open(folder_ / "kg", graph::Store::Mode::kReadOnly),
                             folder_ / "out", options);
  }
  [[nodiscard]] std::string file(const std::string& name) const { return read_file(folder_ / "out" / name); }
  test::TempFolder folder_;
};

TEST_F(EmbeddingExportTest, SaysHowToMakeWhatIsMissing) {
  EXPECT_NE(
      test::advice_of<StoreError>([&] { (void)run({}); }).find("there are no tables of embeddings {embed"),
      std::string::npos);
  put_tables();
  EXPECT_NE(test::advice_of<StoreError>([&] { (void)run({.dim = 3}); }).find("that are 3 wide {embed"),
            std::string::npos);
}

TEST_F(EmbeddingExportTest, WritesNumpyArraysAndNames) {
  put_tables();
  const EmbeddingExportReport report = run({});
  EXPECT_EQ(report.entities, 2u);
  EXPECT_EQ(report.dim, 2);
  const std::string npy = file("entities.npy");
  ASSERT_EQ(npy.size(), 128u + 16u);
  EXPECT_EQ(npy.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
  EXPECT_EQ(npy.substr(10, 59), "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }");
  EXPECT_EQ(npy[127], '\n');
  float values[4];
  std::memcpy(values, npy.data() + 128, sizeof(values));
  EXPECT_EQ(values[0], 0.5F);
  EXPECT_EQ(values[3], 1e-9F);
  EXPECT_EQ(file("entities.tsv"), "0\tIron Man\n1\tB\n");
  EXPECT_EQ(file("relations.tsv"), "0\tr\n1\t~r\n");
}

TEST_F(EmbeddingExportTest, WritesWord2VecAndTheProjector) {
  put_tables();
  (void)run({.format = EmbeddingFormat::kWord2Vec});
  EXPECT_EQ(file("entities.txt"), "2 2\nIron_Man 0.5 -1\nB 0.1 1e-09\n");
  EXPECT_EQ(file("relations.txt"), "2 2\nr 1 2\n~r 3 4\n");
  (void)run({.format = EmbeddingFormat::kProjector});
  EXPECT_EQ(file("entities.tsv"), "0.5\t-1\n0.1\t1e-09\n");
  EXPECT_EQ(file("entities_names.tsv"), "Iron Man\nB\n");
  EXPECT_NE(file("projector_config.pbtxt").find("tensor_path: \"relations.tsv\""), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out" / "entities.txt")) << "the folder is replaced";
}

}  // namespace
}  // namespace kgwalk::embeddings
