// Writers of edits that are killed at any moment: an edit is there whole or not at all, and who watches the
// database sees it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <random>
#include <thread>

#include "kgwalk/backup.h"
#include "kgwalk/edits.h"
#include "tests/graph/graph_fixtures.h"

namespace kgwalk::graph {
namespace {

namespace fs = std::filesystem;
using testing::TempFolder;

constexpr int kRounds = 12;
const EditOptions kAda{.author = "ada", .time = "2026-01-31T12:00:00Z"};

EditReport add(const fs::path& database, std::uint64_t number) {
  const EditOperation operation{.kind = EditOperation::Kind::kAdd,
                                .names = {"new " + std::to_string(number), "r", "a"},
                                .make_new = true};
  return edit(database, {&operation, 1}, kAda);
}

constexpr const char* kDatabaseVariable = "KGWALK_TEST_EDITS";
constexpr int kTold = 3;  // descriptor that a child tells its edits by

// In a process of its own: edits until it is killed, and tells each edit that is done by a byte. Now and then
// it compacts.
TEST(Child, EditsOn) {
  const char* database = std::getenv(kDatabaseVariable);
  if (database == nullptr) GTEST_SKIP() << "is started by another test";
  for (std::uint64_t number = edit_log(database).size() + 1;; ++number) {
    if (add(database, number).number != number) ::_exit(1);
    if (::write(kTold, "x", 1) != 1) ::_exit(2);
    if (number % 7 == 0) (void)compact_edits(database);
  }
}

// A child that edits, and where it tells of it.
struct Editing {
  pid_t child;
  int told;
};

Editing start_editing(const fs::path& database) {
  int pipe[2];
  EXPECT_EQ(::pipe(pipe), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv(kDatabaseVariable, database.c_str(), 1);
    const int null = ::open("/dev/null", O_WRONLY);
    for (const int out : {1, 2}) ::dup2(null, out);
    const int told = ::fcntl(pipe[1], F_DUPFD, 10);  // out of the way of descriptor 3
    ::dup2(told, kTold);
    for (int other = kTold + 1; other < 64; ++other) ::close(other);
    ::execl("/proc/self/exe", "graph_slow_test", "--gtest_filter=Child.EditsOn", static_cast<char*>(nullptr));
    ::_exit(99);
  }
  ::close(pipe[1]);
  return {child, pipe[0]};
}

// How many edits the child told of before it died.
std::size_t kill_editing(const Editing& editing) {
  ::kill(editing.child, SIGKILL);
  int status = 0;
  ::waitpid(editing.child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the child ended by itself: " << WEXITSTATUS(status);
  std::size_t count = 0;
  for (char byte = 0; ::read(editing.told, &byte, 1) == 1;) ++count;
  ::close(editing.told);
  return count;
}

std::size_t killed_after(const fs::path& database, std::chrono::milliseconds pause) {
  const Editing editing = start_editing(database);
  std::this_thread::sleep_for(pause);
  return kill_editing(editing);
}

TEST(KilledEdits, LoseNothingThatWasToldAndAreNoticed) {
  const TempFolder folder;
  const fs::path database = folder.path() / "kg.db";
  std::ofstream(folder.path() / "facts.tsv") << "a\tr\tb\n";
  (void)ingest({.database = database, .triples = {folder.path() / "facts.tsv"}});
  std::mt19937 random(3);
  std::size_t told = 0;
  for (int round = 0; round < kRounds; ++round) {
    told += killed_after(database, std::chrono::milliseconds(150 + random() % 250));
    const Store store = Store::open(database, Store::Mode::kReadOnly);
    const KnowledgeGraph graph = store.load_graph();
    const std::uint64_t last = last_edit(store);
    ASSERT_EQ(last_edit(graph), last);
    ASSERT_TRUE(last == told || last == told + 1) << last << " " << told;
    ASSERT_EQ(edit_log(database).size(), last);
    for (std::uint64_t number = 1; number <= last; ++number)
      ASSERT_TRUE(graph.find_entity("new " + std::to_string(number))) << number;
    ASSERT_EQ(graph.num_edges(), 2 * (last + 1));
    // Who watches sees every edit that is there; a notice may be ahead until the next writer comes.
    ASSERT_GE(last_edit_noticed(database), last);
    ASSERT_LE(last_edit_noticed(database), last + 1);
    told = last;
    { const Store writer = Store::open(database, Store::Mode::kReadWrite); }
    ASSERT_EQ(last_edit_noticed(database), last);
  }
  EXPECT_GT(told, 0U);
  (void)undo_edit(database, 1, kAda);
  EXPECT_FALSE(Store::open(database, Store::Mode::kReadOnly).load_graph().find_entity("new 1"));
}

// The child edits and compacts while backups are made: each is one state, and none is in its way.
TEST(EditedMeanwhile, BackupsAreWholeStates) {
  const TempFolder folder;
  const fs::path database = folder.path() / "kg.db", backup = folder.path() / "backup",
                 restored = folder.path() / "restored.db";
  std::ofstream(folder.path() / "facts.tsv") << "a\tr\tb\n";
  (void)ingest({.database = database, .triples = {folder.path() / "facts.tsv"}});
  const Editing editing = start_editing(database);
  std::uint64_t before = 0, states = 0;
  for (int round = 0; round < 2 * kRounds; ++round) {
    const BackupReport made = back_up({.database = database, .folder = backup, .replace = true});
    (void)restore_backup({.database = restored, .folder = backup, .replace = true});
    const Store store = Store::open(restored, Store::Mode::kReadOnly);
    store.verify();
    const KnowledgeGraph graph = store.load_graph();
    ASSERT_EQ(last_edit(graph), made.last_edit);
    ASSERT_EQ(graph.num_edges(), 2 * (made.last_edit + 1));
    ASSERT_EQ(edit_log(restored).size(), made.last_edit);
    ASSERT_GE(made.last_edit, before);
    states += made.last_edit > before ? 1 : 0;
    before = made.last_edit;
  }
  const std::size_t told = kill_editing(editing);  // it was never refused: the child would have ended
  EXPECT_GE(told, before);
  EXPECT_GT(before, 7U);  // over a compaction
  EXPECT_GT(states, 2U);
}

}  // namespace
}  // namespace kgwalk::graph
