// The snapshot as a mapped file: equal to the graph in memory, told where it is damaged, and databases of the
// schema before it.
#include <fstream>

#include "graph/knowledge_graph_impl.h"
#include "graph/store/store_impl.h"
#include "kgwalk/edits.h"
#include "kgwalk/error.h"
#include "tests/graph/graph_fixtures.h"

namespace kgwalk::graph {
namespace {

namespace fs = std::filesystem;
using testing::contains;
using testing::message_of;
using testing::TempFolder;

class SnapshotFile : public ::testing::Test {
 protected:
  SnapshotFile() : triples_(testing::random_triples(3000, 40000, 6)) {
    std::string text;
    for (const NamedTriple& t : triples_) text += t.head + "\t" + t.relation + "\t" + t.tail + "\n";
    IngestOptions options;
    options.database = db();
    options.triples = {folder_.write("t.txt", text)};
    (void)ingest(options);
  }
  [[nodiscard]] fs::path db() const { return folder_ / "kg"; }
  [[nodiscard]] KnowledgeGraph load() const { return Store::open(db(), Store::Mode::kReadOnly).load_graph(); }
  // As databases were before: the snapshot in the database's own pieces.
  void make_first_schema() const {
    const Store store = Store::open(db(), Store::Mode::kReadWrite);
    StoreAccess::Impl& impl = StoreAccess::impl(store);
    impl.put_value(StoredKind::kBlob, kSnapshotBlob, impl.snapshot->bytes(), {{"meta", Json::object()}});
    impl.meta["schema"] = 1;
    rocksdb::WriteOptions synced;
    synced.sync = true;
    check(impl.db->Put(synced, impl.family(Family::kMeta), kMetaKey, impl.meta.dump()), db(), "write");
    write_marker(db(), 1);
    fs::remove(db() / kSnapshotFile);
  }
  void flip(std::uint64_t at) const {
    std::fstream file(db() / kSnapshotFile, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const char old = static_cast<char>(file.get());
    file.seekp(static_cast<std::streamoff>(at));
    file.put(static_cast<char>(old ^ 1));
  }
  TempFolder folder_;
  std::vector<NamedTriple> triples_;
};

void expect_same(const KnowledgeGraph& a, const KnowledgeGraph& b) {
  ASSERT_EQ(a.num_entities(), b.num_entities());
  EXPECT_EQ(a.checksum(), b.checksum());
  EXPECT_TRUE(std::ranges::equal(a.offsets(), b.offsets()));
  EXPECT_TRUE(std::ranges::equal(a.edges(), b.edges()));
  EXPECT_TRUE(std::ranges::equal(a.neighbor_offsets(), b.neighbor_offsets()));
  EXPECT_TRUE(std::ranges::equal(a.all_neighbors(), b.all_neighbors()));
  for (EntityId e = 0; e < a.num_entities(); ++e) {
    EXPECT_EQ(a.find_entity(b.entity_name(e)), e);
    EXPECT_EQ(a.first_edge(e), b.offsets()[e]);
  }
}

TEST_F(SnapshotFile, IsTheGraphAsItIsMadeInMemory) {
  expect_same(load(), KnowledgeGraph::from_triples(triples_));
}

TEST_F(SnapshotFile, OutlivesItsNameAndItsStore) {
  const KnowledgeGraph graph = load();
  fs::remove_all(db());
  expect_same(graph, KnowledgeGraph::from_triples(triples_));
}

TEST_F(SnapshotFile, IsReadUntilADamagedBlockIsTouched) {
  const KnowledgeGraph whole = load();
  const std::string_view bytes = GraphAccess::whole_bytes(whole);
  const EntityId middle = whole.num_connected() / 2;  // neither the block of the first rows nor of the ends
  flip(static_cast<std::uint64_t>(reinterpret_cast<const char*>(&whole.out_edges(middle)[0]) - bytes.data()));
  const KnowledgeGraph graph = load();
  EXPECT_EQ(graph.out_edges(0).size(), whole.out_edges(0).size());
  const std::string message = message_of<StoreError>([&] { (void)graph.out_edges(middle); });
  EXPECT_TRUE(contains(message, (db() / kSnapshotFile).string() + ": block ")) << message;
  EXPECT_TRUE(contains(message, "is damaged; make the database again")) << message;
  EXPECT_THROW((void)graph.edges(), StoreError);
  EXPECT_THROW(Store::open(db(), Store::Mode::kReadOnly).verify(), StoreError);
}

TEST_F(SnapshotFile, OfAnotherGraphIsRefused) {
  IngestOptions options;
  options.database = folder_ / "other";
  options.triples = {folder_.write("o.txt", "a\tr\tb\n")};
  (void)ingest(options);
  fs::copy_file(folder_ / "other" / kSnapshotFile, db() / kSnapshotFile,
                fs::copy_options::overwrite_existing);
  EXPECT_TRUE(contains(message_of<StoreError>([&] { (void)load(); }), "the snapshot of another graph"));
  fs::remove(db() / kSnapshotFile);
  EXPECT_TRUE(contains(message_of<StoreError>([&] { (void)load(); }), "is missing, and the graph with it"));
}

TEST_F(SnapshotFile, IsNotNeededByTheFirstSchemaAndMadeByItsCompaction) {
  const KnowledgeGraph before = load();
  make_first_schema();
  EXPECT_FALSE(fs::exists(db() / kSnapshotFile));
  expect_same(load(), before);
  const EditOperation add{.names = {"0", "r0", "new"}, .make_new = true};
  (void)edit(db(), {&add, 1}, {.author = "ada"});
  EXPECT_EQ(compact_edits(db()), 1U);
  EXPECT_TRUE(fs::exists(db() / "SNAPSHOT.1"));
  const Store store = Store::open(db(), Store::Mode::kReadOnly);
  EXPECT_EQ(store.meta()["schema"], kSchemaVersion);
  EXPECT_EQ(store.blob_meta(kSnapshotBlob), std::nullopt);
  EXPECT_EQ(store.load_graph().num_entities(), before.num_entities() + 1);
}

}  // namespace
}  // namespace kgwalk::graph
