// Flipped bytes anywhere in a database: an error, or the same contents; never others.
#include <fstream>
#include <sstream>

#include "kgwalk/error.h"
#include "tests/graph/graph_fixtures.h"

namespace kgwalk::graph {
namespace {

namespace fs = std::filesystem;
using testing::TempFolder;

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

void overwrite(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

// Everything that can be read, as text.
std::string contents(const fs::path& database) {
  const Store store = Store::open(database, Store::Mode::kReadOnly);
  const KnowledgeGraph graph = store.load_graph();
  std::ostringstream out;
  out << store.meta().dump() << graph.checksum();
  for (EntityId v = 0; v < graph.num_entities(); ++v) {
    out << graph.entity_name(v) << *store.read_entity(graph.entity_name(v));
    for (const Edge& e : store.read_edges(v)) out << ' ' << e.relation << ':' << e.tail;
    for (const Edge& e : graph.out_edges(v)) out << ' ' << e.relation << ':' << e.tail;
  }
  for (const Dialogue& dialogue : store.dialogues("train"))
    for (const DialogueEvent& event : dialogue.events) out << std::get<Chat>(event).text;
  const auto table = store.get_table("t");
  if (!table) return "the table is gone";
  for (const float value : table->values) out << value << ' ';
  return out.str();
}

class Damage : public ::testing::Test {
 protected:
  Damage() {
    std::string triples;
    for (const NamedTriple& t : testing::random_triples(300, 1500, 8))
      triples += "entity " + t.head + "\t" + t.relation + "\tentity " + t.tail + "\n";
    IngestOptions options;
    options.database = folder_ / "kg";
    options.triples = {folder_.write("t.txt", triples)};
    options.dialogues = {
        {"train", folder_.write("d.csv",
                                "Messages\n\"[{\"\"type\"\":\"\"chat\"\",\"\"sender\"\":\"\"user\"\","
                                "\"\"message\"\":\"\"hello there\"\"}]\"\n")}};
    (void)ingest(options);
    Store store = Store::open(folder_ / "kg", Store::Mode::kReadWrite);
    store.put_table("t", std::vector<float>(5000, 0.25f), 10, Json::object());
  }
  TempFolder folder_;
};

TEST_F(Damage, IsAnErrorOrHarmless) {
  const std::string whole = contents(folder_ / "kg");
  std::mt19937_64 random(9);
  int refused = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "kg")) {
    const std::string bytes = bytes_of(entry.path());
    for (int i = 0; i < 25 && !bytes.empty(); ++i) {
      std::string flipped = bytes;
      flipped[random() % bytes.size()] ^= static_cast<char>(1u << (random() % 8));
      overwrite(entry.path(), flipped);
      try {
        EXPECT_EQ(contents(folder_ / "kg"), whole) << entry.path();
      } catch (const StoreError& e) {
        EXPECT_TRUE(testing::contains(e.what(), "kg")) << e.what();
        ++refused;
      } catch (const IoError&) {
        ++refused;  // a file that the damaged one names is not there
      }
    }
    overwrite(entry.path(), bytes);
  }
  EXPECT_EQ(contents(folder_ / "kg"), whole);
  EXPECT_GT(refused, 100);
}

TEST_F(Damage, OfATruncatedOrMissingFileIsAnError) {
  const std::string whole = contents(folder_ / "kg");
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "kg")) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".sst" && name != "SNAPSHOT" && name != "CURRENT" && name != "KGWALK" &&
        !name.starts_with("MANIFEST"))
      continue;
    const std::string bytes = bytes_of(entry.path());
    for (const std::size_t kept : {std::size_t{0}, bytes.size() / 2, bytes.size() - 1}) {
      overwrite(entry.path(), bytes.substr(0, kept));
      std::string found;
      try {
        found = contents(folder_ / "kg");
      } catch (const Error&) {
        continue;
      }
      // A marker that lost only its newline still says everything. A manifest that ends early is, to RocksDB,
      // one whose last write never happened: the state before the table was put, whole as well.
      const bool earlier = name.starts_with("MANIFEST") && found == "the table is gone";
      EXPECT_TRUE(found == whole || earlier) << name << " cut to " << kept;
      EXPECT_NE(entry.path().extension(), ".sst");
    }
    fs::remove(entry.path());
    EXPECT_THROW((void)contents(folder_ / "kg"), Error) << name;
    overwrite(entry.path(), bytes);
  }
}

}  // namespace
}  // namespace kgwalk::graph
