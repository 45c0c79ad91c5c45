// Backups: all that a database holds comes back, and what is not whole is refused with a sentence.
#include "kgwalk/backup.h"

#include <fstream>

#include "kgwalk/error.h"
#include "runtime/files.h"
#include "tests/graph/edits/edits_fixture.h"

namespace kgwalk::graph {
namespace {

namespace fs = std::filesystem;
using testing::contains;
using testing::facts_of;
using testing::message_of;

class Backup : public testing::EditedDatabase {
 protected:
  void SetUp() override {
    write("facts.tsv", {{"Heat", "directed_by", "Michael Mann"}, {"Heat", "has_genre", "Crime"}});
    (void)ingest({.database = db(),
                  .triples = {folder_ / "facts.tsv"},
                  .dialogues = {{"train", folder_.write("train.csv", "Messages\n[]\n[]\n")}}});
    Store store = Store::open(db(), Store::Mode::kReadWrite);
    store.put_table("transe/8/entities", std::vector<float>(1 << 19, 0.5F), 8, {{"seed", 1}});
    store.put_blob("text_states/a", "long", {});
  }
  [[nodiscard]] BackupOptions options() const {
    return {.database = folder_ / "new.db", .folder = folder_ / "backup"};
  }
  BackupReport back_up_now(bool replace = false) const {
    return back_up({.database = db(), .folder = folder_ / "backup", .replace = replace});
  }
  [[nodiscard]] std::string refusal() const {
    return message_of<StoreError>([&] { (void)restore_backup(options()); });
  }
  void flip(const fs::path& file) const {
    std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
    const char old = static_cast<char>(bytes.get());
    bytes.seekp(0);
    bytes.put(static_cast<char>(old ^ 1));
  }
};

void expect_same_store(const fs::path& a, const fs::path& b) {
  const Store one = Store::open(a, Store::Mode::kReadOnly), other = Store::open(b, Store::Mode::kReadOnly);
  EXPECT_NO_THROW(other.verify());
  EXPECT_EQ(one.meta(), other.meta());
  EXPECT_EQ(facts_of(one.load_graph()), facts_of(other.load_graph()));
  EXPECT_EQ(one.load_graph().checksum(), other.load_graph().checksum());
  EXPECT_EQ(one.dialogues("train").size(), other.dialogues("train").size());
  EXPECT_EQ(one.table_names(), other.table_names());
  EXPECT_EQ(one.blob_names(), other.blob_names());
  EXPECT_EQ(one.get_table("transe/8/entities")->values, other.get_table("transe/8/entities")->values);
  EXPECT_EQ(edit_log(a).size(), edit_log(b).size());
  EXPECT_EQ(last_edit_noticed(a), last_edit_noticed(b));
}

TEST_F(Backup, BringsBackAllThatTheDatabaseHolds) {
  for (const bool compacted : {false, true}) {
    if (compacted) (void)compact_edits(db());
    add(compacted ? "Ali" : "Thief", "directed_by", "Michael Mann");
    const BackupReport made = back_up_now(compacted);
    EXPECT_EQ(made.last_edit, compacted ? 2U : 1U);
    const BackupReport restored =
        restore_backup({.database = folder_ / "new.db", .folder = folder_ / "backup", .replace = compacted});
    EXPECT_EQ(made.to_json(), restored.to_json());
    expect_same_store(db(), folder_ / "new.db");
    expect_same_store(db(), folder_ / "backup");  // which can be read where it lies
  }
  (void)undo_edit(folder_ / "new.db", 2, testing::kAda);
  EXPECT_FALSE(Store::open(folder_ / "new.db", Store::Mode::kReadOnly).load_graph().find_entity("Ali"));
}

TEST_F(Backup, IsRefusedWhereAnyOfItsFilesIsDamagedMissingOrCut) {
  (void)back_up_now();
  int files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "backup")) {
    const std::string name = entry.path().filename().string();
    if (name == "BACKUP" || name == "LOCK") continue;
    ++files;
    const std::string bytes = read_file(entry.path());
    if (!bytes.empty()) {
      flip(entry.path());
      EXPECT_TRUE(contains(refusal(), name + " is damaged or was changed")) << name << refusal();
      fs::resize_file(entry.path(), bytes.size() - 1);
      EXPECT_TRUE(contains(refusal(), name + " is damaged or was changed")) << name;
    }
    fs::remove(entry.path());
    EXPECT_TRUE(contains(refusal(), name + " is missing")) << name << refusal();
    std::ofstream(entry.path(), std::ios::binary) << bytes;
    EXPECT_FALSE(fs::exists(folder_ / "new.db"));
  }
  EXPECT_GT(files, 5);
  EXPECT_EQ(refusal(), "");
}

TEST_F(Backup, IsRefusedWhenItIsHalfMadeOrOfSomethingElse) {
  EXPECT_TRUE(contains(refusal(), "there is no backup"));
  fs::create_directory(folder_ / ".backup.partial");  // as a kill leaves it
  EXPECT_TRUE(contains(refusal(), "there is no backup"));
  (void)back_up_now();
  EXPECT_FALSE(fs::exists(folder_ / ".backup.partial"));
  const std::string manifest = read_file(folder_ / "backup" / "BACKUP");
  for (const auto& [from, to, why] : {std::tuple("\"version\": 1", "\"version\": 2", "version 2"),
                                      {"\"files\"", "\"fils\"", "is damaged"},
                                      {"SNAPSHOT", "../kg.db/SNAPSHOT", "is damaged"},
                                      {"kgwalk backup", "kgwalk", "of something else"}}) {
    std::string other = manifest;
    other.replace(other.find(from), std::string_view(from).size(), to);
    folder_.write("backup/BACKUP", other);
    EXPECT_TRUE(contains(refusal(), why)) << refusal();
  }
  fs::remove(folder_ / "backup" / "BACKUP");
  EXPECT_TRUE(contains(refusal(), "is no whole backup"));
}

TEST_F(Backup, ReplacesOnlyWhatItIsAskedToAndWhatNobodyWrites) {
  (void)back_up_now();
  EXPECT_TRUE(contains(message_of<StoreError>([&] { (void)back_up_now(); }), "there is a backup already"));
  EXPECT_TRUE(contains(message_of<StoreError>([&] {
                         (void)back_up({.database = db(), .folder = folder_.path(), .replace = true});
                       }),
                       "is no backup and will not be replaced"));
  const BackupOptions over{.database = db(), .folder = folder_ / "backup", .replace = true};
  BackupOptions not_over = over;
  not_over.replace = false;
  EXPECT_TRUE(contains(message_of<StoreError>([&] { (void)restore_backup(not_over); }), "exists already"));
  add("Thief", "directed_by", "Michael Mann");
  {
    const Store writer = Store::open(db(), Store::Mode::kReadWrite);
    EXPECT_THROW((void)restore_backup(over), BusyError);
  }
  const KnowledgeGraph before = graph();
  (void)restore_backup(over);
  EXPECT_FALSE(graph().find_entity("Thief"));
  EXPECT_TRUE(before.find_entity("Thief"));  // who had it open keeps it
}

TEST_F(Backup, LeavesNothingWhenItIsStopped) {
  StopFlag stop;
  stop.request();
  EXPECT_THROW((void)back_up({.database = db(), .folder = folder_ / "backup"}, silent_reporter(), stop),
               Stopped);
  EXPECT_FALSE(fs::exists(folder_ / "backup"));
  (void)back_up_now();
  EXPECT_THROW((void)restore_backup(options(), silent_reporter(), stop), Stopped);
  EXPECT_FALSE(fs::exists(folder_ / "new.db"));
}

}  // namespace
}  // namespace kgwalk::graph
