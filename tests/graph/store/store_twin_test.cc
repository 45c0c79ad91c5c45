// Tables and blobs under random puts, removes and reopenings against std::map.
#include <map>

#include "tests/graph/graph_fixtures.h"

namespace kgwalk::graph {
namespace {

TEST(StoreTwin, EqualsAMapUnderRandomOperations) {
  const testing::TempFolder folder;
  IngestOptions options;
  options.database = folder / "kg";
  options.triples = {folder.write("t.txt", "a\tr\tb\n")};
  (void)ingest(options);
  std::map<std::string, std::vector<float>> tables;
  std::map<std::string, std::string> blobs;
  std::mt19937_64 random(31);
  const std::vector<std::string> names = {"a", "aa", "a/b", "b", std::string("a\x01", 2), "z"};
  std::optional<Store> store = Store::open(options.database, Store::Mode::kReadWrite);
  for (int step = 0; step < 200; ++step) {
    const std::string& name = names[random() % names.size()];
    switch (random() % 6) {
      case 0: {
        std::vector<float> values((random() % 200) * (random() % 3000));
        for (float& value : values) value = static_cast<float>(random() % 1000);
        store->put_table(name, values, 1, {{"step", step}});
        tables[name] = values;
        break;
      }
      case 1: {
        const std::string bytes(random() % 4 == 0 ? random() % 3000000 : random() % 100,
                                static_cast<char>(step));
        store->put_blob(name, bytes, {{"step", step}});
        blobs[name] = bytes;
        break;
      }
      case 2:
        store->remove_table(name);
        tables.erase(name);
        break;
      case 3:
        store->remove_blob(name);
        blobs.erase(name);
        break;
      case 4: {
        const auto table = store->get_table(name);
        ASSERT_EQ(table.has_value(), tables.contains(name));
        if (table) {
          ASSERT_EQ(table->values, tables[name]);
        }
        const auto blob = store->get_blob(name);
        ASSERT_EQ(blob.has_value(), blobs.contains(name));
        if (blob) {
          ASSERT_EQ(*blob, blobs[name]);
        }
        break;
      }
      default:
        if (random() % 5 != 0) break;
        store.reset();
        store = Store::open(options.database, Store::Mode::kReadWrite);
    }
    std::vector<std::string> expected;
    for (const auto& [key, value] : tables) expected.push_back(key);
    ASSERT_EQ(store->table_names(), expected);
  }
  store->verify();
  EXPECT_EQ(store->blob_names().size(), blobs.size());  // the graph itself is a file
}

}  // namespace
}  // namespace kgwalk::graph
