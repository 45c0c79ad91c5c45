#include "graph/store/copy_store.h"

#include <gtest/gtest.h>

#include "kgwalk/edits.h"
#include "kgwalk/error.h"
#include "kgwalk/ingest.h"
#include "kgwalk/store.h"
#include "tests/temp_folder.h"

namespace kgwalk::graph {
namespace {

Store made(const test::TempFolder& folder) {
  (void)ingest(
      {.database = folder / "kg.db",
       .triples = {folder.write("t.txt", "Heat\tdirected_by\tMichael Mann\nHeat\thas_genre\tCrime\n")},
       .dialogues = {{"train", folder.write("train.csv", "Messages\n[]\n")},
                     {"test", folder.write("test.csv", "Messages\n[]\n[]\n")}}});
  Store store = Store::open(folder / "kg.db", Store::Mode::kReadWrite);
  const std::vector<float> large(1 << 19, 0.5F);  // two pieces
  store.put_table("transe/8/entities", large, 8, {{"seed", 1}});
  store.put_table("transe/16/entities", large, 16, {});
  store.put_blob("text_states/a", "long", {});
  store.put_blob("graph/distance_index", "index", {});
  return store;
}

TEST(CopyStore, KeepsTheGraphAndWhatIsChosen) {
  const test::TempFolder folder;
  const Store store = made(folder);
  copy_store(store, folder / "copy.db",
             {.splits = [](std::string_view name) { return name == "train"; },
              .tables = [](std::string_view name) { return name.starts_with("transe/8/"); },
              .blobs = [](std::string_view name) { return !name.starts_with("text_states/"); }});
  const Store copy = Store::open(folder / "copy.db", Store::Mode::kReadOnly);
  EXPECT_NO_THROW(copy.verify());
  EXPECT_EQ(copy.load_graph().checksum(), store.load_graph().checksum());
  EXPECT_EQ(copy.read_entity("heat"), store.read_entity("heat"));
  EXPECT_EQ(copy.read_edges(0).size(), store.read_edges(0).size());
  EXPECT_EQ(copy.splits(), std::vector<std::string>{"train"});
  EXPECT_EQ(copy.dialogues("train").size(), 1U);
  EXPECT_EQ(copy.table_names(), std::vector<std::string>{"transe/8/entities"});
  EXPECT_EQ(copy.get_table("transe/8/entities")->values, store.get_table("transe/8/entities")->values);
  EXPECT_EQ(*copy.get_blob("graph/distance_index"), "index");
  EXPECT_FALSE(copy.get_blob("text_states/a").has_value());
}

TEST(CopyStore, SaysNothingOfTheMachineItWasMadeOn) {
  const test::TempFolder folder;
  copy_store(made(folder), folder / "copy.db", {});
  const Json meta = Store::open(folder / "copy.db", Store::Mode::kReadOnly).meta();
  EXPECT_TRUE(meta["sources"].contains("t.txt")) << meta["sources"];
  EXPECT_EQ(meta.dump().find(folder.path().string()), std::string::npos) << meta;
}

TEST(CopyStore, IsTheStateThatWasOpened) {
  const test::TempFolder folder;
  (void)made(folder);
  const auto add = [&](const char* name) {
    const EditOperation operation{
        .kind = EditOperation::Kind::kAdd, .names = {name, "has_genre", "Crime"}, .make_new = true};
    (void)edit(folder / "kg.db", {&operation, 1}, {.author = "ada"});
  };
  add("Ronin");
  const Store store = Store::open(folder / "kg.db", Store::Mode::kReadOnly);
  const std::string checksum = store.load_graph().checksum();
  add("Thief");
  (void)compact_edits(folder / "kg.db");  // removes what the copy is made of
  copy_store(store, folder / "copy.db", {});
  const Store copy = Store::open(folder / "copy.db", Store::Mode::kReadOnly);
  EXPECT_NO_THROW(copy.verify());
  EXPECT_EQ(copy.load_graph().checksum(), checksum);
  EXPECT_EQ(last_edit(copy), 1U);
  EXPECT_EQ(last_edit_noticed(folder / "copy.db"), 1U);  // else those that watch would wait for it
}

TEST(CopyStore, RefusesAPlaceThatIsTakenAndStops) {
  const test::TempFolder folder;
  const Store store = made(folder);
  copy_store(store, folder / "copy.db", {});
  EXPECT_THROW(copy_store(store, folder / "copy.db", {}), Error);
  StopFlag stop;
  stop.request();
  EXPECT_THROW(copy_store(store, folder / "half.db", {}, silent_reporter(), stop), Stopped);
  EXPECT_THROW((void)Store::open(folder / "half.db", Store::Mode::kReadOnly), StoreError);
}

}  // namespace
}  // namespace kgwalk::graph
