// Two and three processes that train together on this machine: the same losses as one, and what happens when
// one of them fails, ends or is asked to stop.
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <map>

#include "kgwalk/error.h"
#include "runtime/launch.h"
#include "tests/runtime/tensor/regression_task.h"
#include "tests/runtime/test_support.h"

namespace kgwalk {
namespace {

namespace fs = std::filesystem;
using test::RegressionTask;

constexpr const char* kFolder = "KGWALK_TEST_TRAIN_INTO";
constexpr const char* kEvent = "KGWALK_TEST_EVENT";  // "throw", "die" or "stop", in rank 1 at update 20
constexpr std::int64_t kUpdates = 100, kEventAt = 20;

// Five batches an epoch, in updates of three and of two: of the latter a third process has none.
TrainerConfig ranks_config() {
  TrainerConfig config;
  config.max_epochs = static_cast<int>(kUpdates / 2);
  config.accumulate = 3;
  config.log_every = 1;
  config.eval_every = 10;
  config.restore_best = false;
  return config;
}

// In double precision and without dropout. What ended it, empty when nothing did.
std::string train_into(const fs::path& path, const std::string& event) {
  RegressionTask task(/*dropout=*/0);
  task.in_double();
  StopFlag stop;
  if (launch().rank == 1)
    task.on_update = [&](std::int64_t step) {
      if (step != kEventAt) return;
      if (event == "stop") stop.request();
      if (event == "die") ::_exit(9);
      if (event == "throw")
        task.on_loss = [](const torch::Tensor&) -> torch::Tensor { throw Error("no luck"); };
    };
  const TrainerConfig config = ranks_config();
  try {
    RunFolder folder = RunFolder::create(path, test::kTestRun);
    (void)train(task, config, RunManifest(test::kTestRun, to_json_of(config), 5), folder, silent_reporter(),
                stop);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// One of several processes: a program of its own, started by the tests below.
TEST(Rank, DISABLED_Child) {
  const char *folder = std::getenv(kFolder), *event = std::getenv(kEvent);
  ASSERT_NE(folder, nullptr);
  write_file_atomically(std::string(folder) + ".told" + std::to_string(launch().rank),
                        train_into(folder, event));
}

int free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in any{};
  any.sin_family = AF_INET;
  any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof any;
  EXPECT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&any), sizeof any), 0);
  EXPECT_EQ(::getsockname(fd, reinterpret_cast<sockaddr*>(&any), &length), 0);
  ::close(fd);
  return ntohs(any.sin_port);
}

pid_t start_rank(int rank, int size, int port, const fs::path& path, const std::string& event) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::setenv("RANK", std::to_string(rank).c_str(), 1);
  ::setenv("WORLD_SIZE", std::to_string(size).c_str(), 1);
  ::setenv("MASTER_PORT", std::to_string(port).c_str(), 1);
  ::setenv("KGWALK_RANK_TIMEOUT_S", "20", 1);
  ::setenv(kFolder, path.c_str(), 1);
  ::setenv(kEvent, event.c_str(), 1);
  ::freopen("/dev/null", "w", stdout);
  ::execl("/proc/self/exe", "ranks_test", "--gtest_filter=Rank.DISABLED_Child",
          "--gtest_also_run_disabled_tests", nullptr);
  ::_exit(127);
}

// What ended each rank; "gone" where it left no word.
std::vector<std::string> train_in_ranks(int size, const fs::path& path, const std::string& event = "") {
  const int port = free_port();
  std::vector<pid_t> children;
  for (int rank = 0; rank < size; ++rank) children.push_back(start_rank(rank, size, port, path, event));
  for (const pid_t child : children) ::waitpid(child, nullptr, 0);
  std::vector<std::string> told;
  for (int rank = 0; rank < size; ++rank) {
    const fs::path word = path.string() + ".told" + std::to_string(rank);
    told.push_back(fs::exists(word) ? read_file(word) : "gone");
    fs::remove(word);
  }
  return told;
}

std::vector<double> losses_of(const fs::path& run, const char* kind) {
  std::vector<double> losses;
  for (const Json& row : read_metrics(run / "metrics.jsonl"))
    if (row.at("kind") == kind) losses.push_back(row.at("loss").get<double>());
  return losses;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_LT(std::abs(found[i] - expected[i]), 1e-5 * std::abs(expected[i])) << "row " << i;
}

class ManyRanks : public ::testing::Test {
 protected:
  void SetUp() override {
    alone_ = folder_ / "alone";
    ASSERT_EQ(train_into(alone_, ""), "");
    ASSERT_EQ(losses_of(alone_, "train").size(), static_cast<std::size_t>(kUpdates));
  }
  void expect_as_alone(const fs::path& run) const {
    expect_near(losses_of(run, "train"), losses_of(alone_, "train"));
    expect_near(losses_of(run, "dev"), losses_of(alone_, "dev"));
  }
  test::TempFolder folder_;
  fs::path alone_;
};

TEST_F(ManyRanks, LossesAreThoseOfOneProcessAtTheSameGlobalBatch) {
  for (const int size : {2, 3}) {
    const fs::path run = folder_ / std::to_string(size);
    EXPECT_EQ(train_in_ranks(size, run), std::vector<std::string>(static_cast<std::size_t>(size)));
    expect_as_alone(run);
  }
}

TEST_F(ManyRanks, AFailingRankStopsAllWithItsMessage) {
  EXPECT_EQ(train_in_ranks(3, folder_ / "run", "throw"),
            (std::vector<std::string>{"rank 1 stopped: no luck", "no luck", "rank 1 stopped: no luck"}));
}

TEST_F(ManyRanks, ARankThatIsGoneIsMissedAndTheOthersGoOnLater) {
  const fs::path run = folder_ / "run";
  const std::vector<std::string> told = train_in_ranks(3, run, "die");
  EXPECT_EQ(told[1], "gone");
  for (const int rank : {0, 2})
    EXPECT_NE(told[static_cast<std::size_t>(rank)].find("another process has ended"), std::string::npos)
        << told[0];
  EXPECT_EQ(train_in_ranks(2, run), std::vector<std::string>(2));
  expect_as_alone(run);
}

TEST_F(ManyRanks, AnyRankStopsAllAndAnotherNumberGoesOn) {
  const fs::path run = folder_ / "run";
  for (const std::string& told : train_in_ranks(2, run, "stop"))
    EXPECT_TRUE(told.starts_with("stopped after update")) << told;
  EXPECT_EQ(train_in_ranks(3, run), std::vector<std::string>(3));
  expect_as_alone(run);
}

TEST_F(ManyRanks, MoreProcessesThanBatchesAreRefused) {
  for (const std::string& told : train_in_ranks(4, folder_ / "run"))
    EXPECT_NE(told.find("trainer.accumulate"), std::string::npos) << told;
}

TEST(Launch, ReadsWhatTorchrunMpirunAndSrunSet) {
  const auto launched = [](std::map<std::string, std::string> variables) {
    return launch_of([variables = std::move(variables)](const char* name) {
      const auto at = variables.find(name);
      return at == variables.end() ? nullptr : at->second.c_str();
    });
  };
  EXPECT_EQ(launched({}).size, 1);
  const Launch torchrun = launched({{"RANK", "2"},
                                    {"WORLD_SIZE", "4"},
                                    {"LOCAL_WORLD_SIZE", "2"},
                                    {"MASTER_ADDR", "node1"},
                                    {"MASTER_PORT", "4000"},
                                    {"TORCHELASTIC_USE_AGENT_STORE", "True"},
                                    {"TORCHELASTIC_RESTART_COUNT", "1"}});
  EXPECT_EQ(torchrun.rank, 2);
  EXPECT_EQ(torchrun.size, 4);
  EXPECT_EQ(torchrun.local_size, 2);
  EXPECT_EQ(torchrun.host, "node1");
  EXPECT_EQ(torchrun.port, 4000);
  EXPECT_EQ(torchrun.agent_prefix, "/worker/attempt_1");
  const Launch mpirun = launched(
      {{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}});
  EXPECT_EQ(mpirun.rank, 1);
  EXPECT_EQ(mpirun.size, 2);
  EXPECT_EQ(launched({{"SLURM_PROCID", "3"}, {"SLURM_NTASKS", "4"}}).size, 1) << "a batch script, no step";
  EXPECT_EQ(launched({{"SLURM_PROCID", "3"}, {"SLURM_STEP_NUM_TASKS", "4"}}).rank, 3);
  EXPECT_THROW((void)launched({{"RANK", "4"}, {"WORLD_SIZE", "4"}}), ConfigError);
  EXPECT_THROW((void)launched({{"WORLD_SIZE", "4"}}), ConfigError);
  EXPECT_THROW((void)launched({{"RANK", "x"}, {"WORLD_SIZE", "4"}}), ConfigError);
  EXPECT_THROW((void)launched({{"OMPI_COMM_WORLD_RANK", "1"},
                               {"OMPI_COMM_WORLD_SIZE", "4"},
                               {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}}),
               ConfigError)
      << "several machines and no MASTER_ADDR";
}

}  // namespace
}  // namespace kgwalk
