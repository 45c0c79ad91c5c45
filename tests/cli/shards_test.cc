// Work cut into shards and merged through the program equals one run, on the embedded sample with hardly
// trained walkers.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "runtime/files.h"
#include "runtime/json_text.h"
#include "tests/cli/sample.h"
#include "tests/cli/shell.h"

namespace kgwalk {
namespace {

using test::contains;
using test::shell;
using test::TempFolder;
using Result = test::ShellResult;

class ShardedVerbs : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TempFolder>();
    const std::string steps[] = {
        test::ingest_sample("kg.db"), "distances --db kg.db --rank 64 --index",
        "embed --db kg.db --set dim=64",
        "train --db kg.db --run walker --preset stage2_tiny --set text.states=false --set "
        "trainer.max_epochs=1",
        "rl --db kg.db --preset tiny --from walker --run agent --set trainer.max_epochs=1 --set "
        "a2c.updates_per_epoch=10"};
    for (const std::string& step : steps) {
      const Result result = kgwalk(step);
      ASSERT_EQ(result.status, 0) << step << "\n" << result.err;
    }
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static Result kgwalk(const std::string& arguments) {
    return shell("cd " + folder_->path().string() + " && " KGWALK_PROGRAM " " + arguments +
                 " --threads 1 --quiet");
  }

  // What is told and the file that `writes` names are the same from one run and from three shards.
  static void expect_same(const std::string& command, const std::string& writes = "") {
    const std::string output = writes.empty() ? "" : " " + writes + " out";
    const Result whole = kgwalk(command + output);
    ASSERT_EQ(whole.status, 0) << command << "\n" << whole.err;
    const std::string file = writes.empty() ? "" : read_file(*folder_ / "out");
    std::filesystem::remove(*folder_ / "out");
    for (const char* shard : {"1", "2", "3"}) {
      const Result part = kgwalk(command + output + " --shard " + shard + "/3 --part part" + shard);
      ASSERT_EQ(part.status, 0) << command << "\n" << part.err;
      EXPECT_TRUE(part.out.empty() || part.out.starts_with("shard ")) << part.out;
      EXPECT_FALSE(std::filesystem::exists(*folder_ / "out")) << "a shard writes its part alone";
    }
    const Result merged =
        shell("cd " + folder_->path().string() + " && " KGWALK_PROGRAM " merge part3 part1 part2");
    ASSERT_EQ(merged.status, 0) << command << "\n" << merged.err;
    EXPECT_EQ(merged.out, whole.out) << command;
    EXPECT_EQ(writes.empty() ? "" : read_file(*folder_ / "out"), file) << command;
  }

  static std::unique_ptr<TempFolder> folder_;
};

std::unique_ptr<TempFolder> ShardedVerbs::folder_;

TEST_F(ShardedVerbs, DistancesAndEvaluationsAreThoseOfOneRun) {
  expect_same("distances --db kg.db");
  expect_same("eval paths --run walker --split dev --readings --start candidates", "--ranks");
  expect_same("eval success --run agent --run shortest --stage1 walker --distances 2,3 --episodes 70",
              "--walks");
  expect_same("eval routes --run agent --run shortest --stage1 walker --split dev", "--walks");
  write_file_atomically(*folder_ / "exam.json",
                        R"([[{"say": "I liked Inception.", "kind": "a", "any": ["Inception"]}],
                            [{"say": "hello", "kind": "b", "nofact": true}], [{"say": "/goal Inception"}]])");
  expect_same("eval conversations --db kg.db --run agent exam.json", "--log");
}

TEST_F(ShardedVerbs, QuestionsPlansAndDialoguesAreThoseOfOneRun) {
  expect_same("questions --db kg.db --count 70000", "--out");
  std::string requests;
  for (int i = 0; i < 20; ++i)
    requests += R"({"id": )" + std::to_string(i) + R"(, "start": "Inception", "k": )" +
                std::to_string(1 + i % 5) + "}\n";
  requests += "no json\n{\"start\": \"Inceptoin\"}\n{\"start\": 3}";
  write_file_atomically(*folder_ / "requests", requests);
  expect_same("plan --db kg.db --run walker --requests requests", "--out");
  // Its report tells times; the dialogues do not.
  const std::string command = "selfplay --db kg.db --run agent --dialogues 5 --turns 3 --out ";
  ASSERT_EQ(kgwalk(command + "whole").status, 0);
  for (const char* shard : {"1", "2"})
    ASSERT_EQ(kgwalk(command + "merged --shard " + shard + "/2 --part part" + shard).status, 0);
  ASSERT_EQ(shell("cd " + folder_->path().string() + " && " KGWALK_PROGRAM " merge part1 part2").status, 0);
  EXPECT_EQ(read_file(*folder_ / "merged"), read_file(*folder_ / "whole"));
}

TEST_F(ShardedVerbs, RequestsThatCannotBeAnsweredSayWhyInTheirPlace) {
  write_file_atomically(*folder_ / "requests",
                        "{\"id\": \"a\", \"start\": \"Inception\"}\nno json\n"
                        "{\"id\": 7, \"start\": \"Inceptoin\"}\n");
  const Result told = kgwalk("plan --db kg.db --run walker --requests - < requests");
  ASSERT_EQ(told.status, 0) << told.err;
  std::vector<Json> lines;
  for (std::size_t begin = 0; begin < told.out.size();) {
    const std::size_t end = told.out.find('\n', begin);
    lines.push_back(Json::parse(told.out.substr(begin, end - begin)));
    begin = end + 1;
  }
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].at("id"), "a");
  EXPECT_EQ(lines[0].at("status"), 200);
  EXPECT_FALSE(lines[0].at("output").at("paths").empty());
  EXPECT_EQ(lines[1].at("status"), 400);
  EXPECT_EQ(lines[2].at("id"), 7);
  EXPECT_TRUE(contains(lines[2].at("detail").get<std::string>(), "Inception")) << lines[2];
  EXPECT_TRUE(contains(told.err, "2 of 3 requests were not answered")) << told.err;
}

TEST_F(ShardedVerbs, RanksOfLinksAreThoseOfOneRun) {
  const std::string sample = KGWALK_SOURCE_DIR "/data/sample/triples.txt";
  ASSERT_EQ(
      shell("cd " + folder_->path().string() + " && head -300 " + sample + " > train && sed -n 301,330p " +
            sample + " > valid && sed -n 331,380p " + sample + " > test")
          .status,
      0);
  const std::string command =
      "link-prediction --train train --valid valid --test test --run links --set dim=16 --set epochs=2";
  const Result early = kgwalk(command + " --shard 1/2 --part part1");
  EXPECT_EQ(early.status, 1);
  EXPECT_TRUE(contains(early.err, "links")) << early.err;
  ASSERT_EQ(kgwalk(command).status, 0);
  const std::string ranks = read_file(*folder_ / "links/test_ranks.tsv");
  std::filesystem::remove(*folder_ / "links/test_ranks.tsv");
  for (const char* shard : {"1", "2"})
    ASSERT_EQ(kgwalk(command + " --shard " + shard + "/2 --part part" + shard).status, 0);
  ASSERT_EQ(shell("cd " + folder_->path().string() + " && " KGWALK_PROGRAM " merge part1 part2").status, 0);
  EXPECT_EQ(read_file(*folder_ / "links/test_ranks.tsv"), ranks);
}

TEST_F(ShardedVerbs, PartsOfOtherDataAreRefused) {
  const std::string command = "distances --db other.db";
  const auto ingest = [&](const std::string& lines) {
    write_file_atomically(*folder_ / "few.txt", lines);
    (void)shell("rm -rf " + (*folder_ / "other.db").string());
    ASSERT_EQ(kgwalk("ingest --db other.db --triples few.txt").status, 0);
  };
  ingest("a\tr\tb\n");
  for (const char* shard : {"1", "2"})
    ASSERT_EQ(kgwalk(command + " --shard " + shard + "/2 --part part" + shard).status, 0);
  ingest("a\tr\tb\nb\tr\tc\n");
  const Result merged = shell("cd " + folder_->path().string() + " && " KGWALK_PROGRAM " merge part1 part2");
  EXPECT_EQ(merged.status, 1);
  EXPECT_TRUE(contains(merged.err, "another graph")) << merged.err;
}

}  // namespace
}  // namespace kgwalk
