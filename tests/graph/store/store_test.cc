#include "kgwalk/store.h"

#include <thread>

#include "graph/store/store_impl.h"
#include "kgwalk/error.h"
#include "tests/graph/graph_fixtures.h"

namespace kgwalk::graph {
namespace {

using testing::advice_of;
using testing::contains;
using testing::message_of;
using testing::TempFolder;

class StoreTest : public ::testing::Test {
 protected:
  StoreTest() {
    IngestOptions options;
    options.database = folder_ / "kg";
    options.triples = {
        folder_.write("t.txt", "Iron Man\tdirected_by\tJon Favreau\nElf\tdirected_by\tJon Favreau\n")};
    options.entities = folder_.write("e.txt", "Nobody  At All\n");
    (void)ingest(options);
  }
  [[nodiscard]] Store open(Store::Mode mode = Store::Mode::kReadOnly) const {
    return Store::open(folder_ / "kg", mode);
  }

  TempFolder folder_;
};

TEST_F(StoreTest, GivesBackTheGraph) {
  const Store store = open();
  const KnowledgeGraph graph = store.load_graph();
  EXPECT_EQ(graph.num_edges(), 4u);
  EXPECT_EQ(graph.num_entities(), 4u);
  EXPECT_EQ(graph.checksum(), store.graph_checksum());
  EXPECT_EQ(store.meta()["schema"], kSchemaVersion);
  for (EntityId v = 0; v < graph.num_entities(); ++v) {
    const auto row = graph.out_edges(v);
    EXPECT_EQ(store.read_edges(v), std::vector<Edge>(row.begin(), row.end()));
    EXPECT_EQ(store.read_entity(graph.entity_name(v)), v);
  }
  EXPECT_EQ(store.read_entity("nobody at ALL"), graph.find_entity("Nobody  At All"));
  EXPECT_EQ(store.read_entity("nowhere"), std::nullopt);
  EXPECT_TRUE(store.read_edges(1000).empty());
  store.verify();
}

TEST_F(StoreTest, KeepsTablesAndBlobs) {
  {
    Store store = open(Store::Mode::kReadWrite);
    std::vector<float> values(300000);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) * 0.5f;
    store.put_table("transe/3/entities", values, 3, {{"seed", 7}});
    store.put_table("small", std::vector<float>{1, 2}, 2, Json::object());
    store.put_table("empty", {}, 5, Json::object());
    store.put_blob("states", std::string(2500000, 'x') + "end", {{"model", "m"}});
    store.put_blob("states", "new", Json::object());  // replaces
    EXPECT_EQ(store.table_names(), (std::vector<std::string>{"empty", "small", "transe/3/entities"}));
  }
  const Store store = open();
  const auto table = store.get_table("transe/3/entities");
  ASSERT_TRUE(table.has_value());
  EXPECT_EQ(table->rows, 100000);
  EXPECT_EQ(table->columns, 3);
  EXPECT_EQ(table->values[299999], 299999 * 0.5f);
  EXPECT_EQ(table->meta, (Json{{"seed", 7}}));
  EXPECT_EQ(store.table_meta("small"), Json::object());
  EXPECT_EQ(store.get_table("empty")->rows, 0);
  EXPECT_EQ(store.get_table("empty")->columns, 5);
  EXPECT_EQ(store.get_blob("states"), "new");
  EXPECT_EQ(store.get_table("none"), std::nullopt);
  EXPECT_EQ(store.get_blob("small"), std::nullopt);  // tables and blobs have names of their own
  store.verify();
}

TEST_F(StoreTest, RemovesTables) {
  Store store = open(Store::Mode::kReadWrite);
  store.put_table("t", std::vector<float>{1, 2, 3}, 3, Json::object());
  store.put_table("t2", std::vector<float>{4, 5, 6}, 3, Json::object());
  store.remove_table("t");
  store.remove_table("never there");
  EXPECT_EQ(store.table_names(), (std::vector<std::string>{"t2"}));
  EXPECT_EQ(store.get_table("t2")->values, (std::vector<float>{4, 5, 6}));
}

// A put killed between the database's taking in of its file and the removal of its first name leaves two
// names of one file: writing through the first one again would destroy what was put.
TEST_F(StoreTest, PutsBesideTheFileOfAKilledPut) {
  open(Store::Mode::kReadWrite).put_table("t", std::vector<float>(5000, 1.0f), 10, Json::object());
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "kg"))
    if (entry.path().extension() == ".sst") files.push_back(entry.path());
  ASSERT_GE(files.size(), 3u);
  float value = 2;
  for (const std::filesystem::path& file : files) {
    if (!std::filesystem::exists(file)) continue;  // merged into another one meanwhile
    std::filesystem::remove(folder_ / "kg" / kPutFile);
    std::filesystem::create_hard_link(file, folder_ / "kg" / kPutFile);
    open(Store::Mode::kReadWrite).put_table("other", std::vector<float>(9000, value), 10, Json::object());
    EXPECT_FALSE(std::filesystem::exists(folder_ / "kg" / kPutFile));
    const Store store = open();
    store.verify();
    EXPECT_EQ(store.get_table("t")->values, std::vector<float>(5000, 1.0f)) << file;
    EXPECT_EQ(store.get_table("other")->values, std::vector<float>(9000, value)) << file;
    EXPECT_EQ(store.read_entity("Elf").has_value(), true) << file;
    ++value;
  }
}

TEST_F(StoreTest, RefusesWhatItCannotKeep) {
  Store store = open(Store::Mode::kReadWrite);
  EXPECT_THROW(store.put_table("t", std::vector<float>{1, 2, 3}, 2, Json::object()), StoreError);
  EXPECT_THROW(store.put_table("t", std::vector<float>{1}, 0, Json::object()), StoreError);
  EXPECT_THROW(store.put_blob("", "x", Json::object()), StoreError);
  EXPECT_THROW(store.put_blob("graph/snapshot", "x", Json::object()), StoreError);
  EXPECT_THROW(store.remove_blob("graph/snapshot"), StoreError);
}

TEST_F(StoreTest, ForReadingOnlyRefusesToWrite) {
  Store store = open();
  EXPECT_TRUE(
      contains(message_of<StoreError>([&] { store.put_blob("b", "x", Json::object()); }), "reading only"));
  EXPECT_THROW(store.remove_table("t"), StoreError);
}

TEST_F(StoreTest, HasOneWriterAndManyReaders) {
  Store writer = open(Store::Mode::kReadWrite);
  const std::string message = message_of<StoreError>([&] { (void)open(Store::Mode::kReadWrite); });
  EXPECT_TRUE(contains(message, "another process writes this database")) << message;
  std::vector<std::thread> readers;
  std::atomic<int> good{0};
  for (int i = 0; i < 4; ++i)
    readers.emplace_back([&] {
      const Store reader = open();
      good += reader.load_graph().num_edges() == 4;
    });
  for (int i = 0; i < 20; ++i)
    writer.put_blob("b", std::string(1000, static_cast<char>('a' + i)), Json::object());
  for (std::thread& thread : readers) thread.join();
  EXPECT_EQ(good, 4);
  EXPECT_EQ(open().get_blob("b"), std::string(1000, 'a' + 19));
}

TEST_F(StoreTest, IsReadByManyThreads) {
  const Store store = open();
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 500; ++k) {
        wrong += store.read_entity("elf") != std::optional<EntityId>(2);
        wrong += store.read_edges(1).size() != 2;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(StoreTest, SaysWhatIsWrongWithAPath) {
  const auto refusal = [&](const std::filesystem::path& path) {
    return advice_of<StoreError>([&] { (void)Store::open(path, Store::Mode::kReadOnly); });
  };
  EXPECT_TRUE(contains(refusal(folder_ / "none"),
                       "there is no database {ingest " + (folder_ / "none").string() + "}"));
  EXPECT_TRUE(contains(refusal(folder_ / "t.txt"), "not a folder"));
  std::filesystem::create_directory(folder_ / "plain");
  EXPECT_TRUE(contains(refusal(folder_ / "plain"), "not a kgwalk database"));
  std::filesystem::create_directory(folder_ / "half.ingesting");
  folder_.write("half.ingesting/REQUEST", R"([["triples","t.txt"],["replace","true"]])");
  EXPECT_TRUE(contains(refusal(folder_ / "half"), " triples=t.txt replace=true}"));
  std::filesystem::rename(folder_ / "half.ingesting", folder_ / "half");
  EXPECT_TRUE(contains(refusal(folder_ / "half"),
                       "did not finish {ingest " + (folder_ / "half").string() + " triples=t.txt"));
}

TEST_F(StoreTest, OfAnotherSchemaIsRefusedWithWhatToDo) {
  folder_.write("kg/KGWALK", "{\"format\":\"kgwalk graph database\",\"schema\":3}\n");
  const std::string newer = message_of<StoreError>([&] { (void)open(); });
  EXPECT_TRUE(contains(newer, "schema version 3, this program reads versions 1 to 2; use a newer")) << newer;
  folder_.write("kg/KGWALK", "{\"format\":\"kgwalk graph database\",\"schema\":0}\n");
  EXPECT_TRUE(contains(message_of<StoreError>([&] { (void)open(); }), "schema version 0"));
  folder_.write("kg/KGWALK", "not json");
  EXPECT_TRUE(contains(message_of<StoreError>([&] { (void)open(); }), "damaged"));
}

TEST_F(StoreTest, NamesTheSplitsThereAre) {
  const std::string message = message_of<StoreError>([&] { (void)open().dialogues("train"); });
  EXPECT_TRUE(contains(message, "no split 'train'; there are: none")) << message;
}

}  // namespace
}  // namespace kgwalk::graph
