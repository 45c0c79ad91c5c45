// Ingestions and puts that die: killed at random moments, or out of disk.
#include <fcntl.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "kgwalk/error.h"
#include "tests/graph/graph_fixtures.h"

namespace kgwalk::graph {
namespace {

namespace fs = std::filesystem;
using testing::advice_of;
using testing::contains;
using testing::message_of;
using testing::TempFolder;
using Clock = std::chrono::steady_clock;

constexpr int kIoError = 3, kOtherError = 4;
constexpr const char* kJobVariable = "KGWALK_TEST_JOB";
constexpr const char* kFolderVariable = "KGWALK_TEST_FOLDER";

IngestOptions options_in(const fs::path& folder, const std::string& triples) {
  IngestOptions options;
  options.database = folder / "kg";
  options.triples = {folder / triples};
  options.dialogues = {{"train", folder / "d.csv"}};
  options.replace = true;
  return options;
}

std::string dialogue_csv(int rows) {
  std::string text = "Messages\n";
  for (int i = 0; i < rows; ++i)
    text += "\"[{\"\"type\"\":\"\"chat\"\",\"\"sender\"\":\"\"user\"\",\"\"message\"\":\"\"" +
            std::string(200, 'x') + std::to_string(i) + "\"\"}]\"\n";
  return text;
}

std::string triple_lines(int count, int names, std::uint64_t seed) {
  std::string text;
  for (const NamedTriple& t : testing::random_triples(names, count, seed))
    text += "entity " + t.head + "\t" + t.relation + "\tentity " + t.tail + "\n";
  return text;
}

// This program again, running one job of the test Child.Job below. Its process id.
pid_t start_child(const std::string& job, const fs::path& folder) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::setenv(kJobVariable, job.c_str(), 1);
  ::setenv(kFolderVariable, folder.c_str(), 1);
  const int null = ::open("/dev/null", O_WRONLY);
  ::dup2(null, 1);
  ::dup2(null, 2);
  ::execl("/proc/self/exe", "graph_slow_test", "--gtest_filter=Child.Job", static_cast<char*>(nullptr));
  ::_exit(99);
}

int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int run_child(const std::string& job, const fs::path& folder) { return wait_for(start_child(job, folder)); }

void do_job(const std::string& job, const fs::path& folder) {
  if (job == "one") (void)ingest(options_in(folder, "one.txt"));
  if (job == "two") (void)ingest(options_in(folder, "two.txt"));
  if (job == "put") {
    Store store = Store::open(folder / "kg", Store::Mode::kReadWrite);
    const auto old = store.get_table("t");
    store.put_table("t", std::vector<float>(2000000, old->values[0] + 1), 10, Json::object());
  }
  if (job.starts_with("limit ")) {
    const auto bytes = static_cast<rlim_t>(std::stoul(job.substr(6)));
    const rlimit limit{bytes, bytes};
    ::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &limit);
    (void)ingest(options_in(folder, "one.txt"));
  }
}

TEST(Child, Job) {
  const char* job = std::getenv(kJobVariable);
  if (!job) GTEST_SKIP() << "run by the other tests of this file only";
  try {
    do_job(job, std::getenv(kFolderVariable));
  } catch (const IoError&) {
    ::_exit(kIoError);
  } catch (...) {
    ::_exit(kOtherError);
  }
  ::_exit(0);
}

// What a whole database holds, in one word.
std::string fingerprint(const fs::path& database) {
  const Store store = Store::open(database, Store::Mode::kReadOnly);
  store.verify();
  return store.graph_checksum() + " " + std::to_string(store.dialogues("train").size());
}

class Atomic : public ::testing::Test {
 protected:
  Atomic() {
    folder_.write("one.txt", triple_lines(60000, 9000, 1));
    folder_.write("two.txt", triple_lines(50000, 8000, 2));
    folder_.write("d.csv", dialogue_csv(2000));
  }

  // Runs a job to its end once, for its length and its result.
  std::chrono::microseconds time_job(const std::string& job, std::string& result) {
    const auto begin = Clock::now();
    EXPECT_EQ(run_child(job, folder_.path()), 0);
    result = fingerprint(folder_ / "kg");
    return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);
  }

  void kill_after(const std::string& job, std::chrono::microseconds delay) {
    const pid_t child = start_child(job, folder_.path());
    std::this_thread::sleep_for(delay);
    ::kill(child, SIGKILL);
    (void)wait_for(child);
  }

  TempFolder folder_;
  std::mt19937_64 random_{20};
};

TEST_F(Atomic, AnIngestionKilledAnywhereIsWholeOrSaysWhatToDo) {
  std::string whole;
  const auto length = time_job("one", whole);
  int refused = 0;
  for (int i = 0; i < 20; ++i) {
    fs::remove_all(folder_ / "kg");  // what a killed one leaves beside it stays
    kill_after("one", length * static_cast<int>(random_() % 1000) / 1000);
    std::string found;
    const std::string message = advice_of<StoreError>([&] { found = fingerprint(folder_ / "kg"); });
    if (message.empty()) {
      EXPECT_EQ(found, whole);
      continue;
    }
    ++refused;
    EXPECT_TRUE(contains(message, "{ingest " + (folder_ / "kg").string())) << message;
    if (fs::exists(folder_ / "kg.ingesting" / "REQUEST")) {
      EXPECT_TRUE(contains(message, "an ingestion was interrupted")) << message;
    }
  }
  EXPECT_GT(refused, 0);
  EXPECT_EQ(run_child("one", folder_.path()), 0);  // in spite of all that was left behind
  EXPECT_EQ(fingerprint(folder_ / "kg"), whole);
  EXPECT_FALSE(fs::exists(folder_ / "kg.ingesting"));
}

TEST_F(Atomic, AReplacementKilledAnywhereLeavesTheOldOrTheNewDatabase) {
  std::string one, two;
  (void)time_job("one", one);
  const auto length = time_job("two", two);
  ASSERT_NE(one, two);
  std::string before = two;
  for (int i = 0; i < 20; ++i) {
    const std::string job = before == two ? "one" : "two";
    kill_after(job, length * static_cast<int>(random_() % 1000) / 1000);
    const std::string found = fingerprint(folder_ / "kg");
    EXPECT_TRUE(found == one || found == two);
    before = found;
  }
}

TEST_F(Atomic, APutKilledAnywhereLeavesTheOldOrTheNewTable) {
  std::string whole;
  (void)time_job("one", whole);
  {
    Store store = Store::open(folder_ / "kg", Store::Mode::kReadWrite);
    store.put_table("t", std::vector<float>(100, 1.0f), 10, Json::object());
  }
  const auto length = time_job("put", whole);
  float last = 2;
  for (int i = 0; i < 20; ++i) {
    kill_after("put", length * static_cast<int>(random_() % 1000) / 1000);
    const Store store = Store::open(folder_ / "kg", Store::Mode::kReadOnly);
    const auto table = store.get_table("t");
    ASSERT_TRUE(table.has_value());
    const float value = table->values[0];
    EXPECT_TRUE(value == last || value == last + 1) << value << " after " << last;
    for (const float other : table->values) ASSERT_EQ(other, value);
    last = value;
  }
  EXPECT_EQ(run_child("put", folder_.path()), 0);
  EXPECT_EQ(Store::open(folder_ / "kg", Store::Mode::kReadOnly).get_table("t")->values[0], last + 1);
}

TEST_F(Atomic, ASecondIngestionIsRefusedWhileOneRuns) {
  // A folder locked as a running ingestion locks it.
  fs::create_directory(folder_ / "kg.ingesting");
  const pid_t child = start_child("one", folder_.path());
  std::string message;
  const auto until = Clock::now() + std::chrono::seconds(20);
  while (message.empty() && Clock::now() < until && ::waitpid(child, nullptr, WNOHANG) == 0)
    if (fs::exists(folder_ / "kg.ingesting" / "REQUEST")) {
      IngestOptions options = options_in(folder_.path(), "two.txt");
      message = message_of<StoreError>([&] { (void)ingest(options); });
      break;
    }
  (void)wait_for(child);
  EXPECT_TRUE(contains(message, "another ingestion into it runs")) << message;
}

TEST_F(Atomic, AFullDiskIsAnIoErrorAndLeavesNothing) {
  // A file may not grow beyond the limit: met in the sorted files at several places, and in the manifest.
  for (const int bytes : {100, 3000, 20000, 200000, 600000}) {
    EXPECT_EQ(run_child("limit " + std::to_string(bytes), folder_.path()), kIoError) << bytes;
    EXPECT_FALSE(fs::exists(folder_ / "kg")) << bytes;
    EXPECT_FALSE(fs::exists(folder_ / "kg.ingesting")) << bytes;
  }
  EXPECT_EQ(run_child("limit 100000000", folder_.path()), 0);
  fingerprint(folder_ / "kg");
}

TEST_F(Atomic, AFullFileSystemIsAnIoErrorAndLeavesNothing) {
  const fs::path mounted = folder_ / "small";
  fs::create_directory(mounted);
  if (::mount("tmpfs", mounted.c_str(), "tmpfs", 0, "size=1m") != 0)
    GTEST_SKIP() << "mounting a small file system needs root";
  IngestOptions options = options_in(folder_.path(), "one.txt");
  options.database = mounted / "kg";
  const std::string message = message_of<IoError>([&] { (void)ingest(options); });
  EXPECT_TRUE(contains(message, "disk is full")) << message;
  EXPECT_TRUE(fs::is_empty(mounted));
  ::umount(mounted.c_str());
}

}  // namespace
}  // namespace kgwalk::graph
