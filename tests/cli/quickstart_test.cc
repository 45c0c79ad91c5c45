// From a file to answers with one command, and what is made of it: model, workspace, another graph. Walkers
// are trained for seconds.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "runtime/json_text.h"
#include "tests/cli/shell.h"

namespace kgwalk {
namespace {

namespace fs = std::filesystem;

using test::contains;
using test::shell;
using test::TempFolder;
using Result = test::ShellResult;

class Quickstart : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TempFolder>();
    ::setenv("KGWALK_CACHE", (*folder_ / "cache").c_str(), 1);
    first_ = kgwalk(command());
  }
  static void TearDownTestSuite() { folder_.reset(); }
  static std::string path(const std::string& name) { return (*folder_ / name).string(); }
  static Result kgwalk(const std::string& arguments, const std::string& input = "/dev/null") {
    return shell(KGWALK_PROGRAM " " + arguments + " --threads 1 < " + input);
  }
  static std::string command() {
    return "quickstart " KGWALK_SOURCE_DIR "/data/sample/triples.txt --out " + path("films") +
           " --questions 6000 --no-progress --ask 'Who directed Inception?' --json " + path("films.json");
  }
  static std::unique_ptr<TempFolder> folder_;
  static Result first_;
};

std::unique_ptr<TempFolder> Quickstart::folder_;
Result Quickstart::first_;

TEST_F(Quickstart, GoesFromAFileToAnswers) {
  ASSERT_EQ(first_.status, 0) << first_.out << first_.err;
  EXPECT_TRUE(contains(first_.out, "Christopher Nolan")) << first_.out;
  const Json json = read_json_file(path("films.json"));
  EXPECT_EQ(json["samples"].size(), 10U);
  EXPECT_GE(json["right"]["usual wordings"]["percent"].get<double>(), 70) << json["right"];
  EXPECT_GE(json["right"]["all"]["percent"].get<double>(), 25) << json["right"];
  EXPECT_TRUE(contains(read_file(*folder_ / "films/summary.md"), "what it is about: 852 entities"));
}

TEST_F(Quickstart, GoesOnBehindWhatIsDone) {
  ASSERT_EQ(first_.status, 0);
  const auto written = fs::last_write_time(path("films/runs/walker/config.json"));
  const Result again = kgwalk(command());
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_TRUE(contains(again.out, "(done before)"));
  EXPECT_EQ(fs::last_write_time(path("films/runs/walker/config.json")), written);
}

TEST_F(Quickstart, ItsModelAndWorkspaceAnswer) {
  ASSERT_EQ(first_.status, 0);
  write_file_atomically(*folder_ / "lines", "Who directed Inception?\n");
  for (const std::string& how : {"chat " + path("films/model"), "chat --workspace " + path("films")}) {
    const Result chat = kgwalk(how, path("lines"));
    EXPECT_EQ(chat.status, 0) << chat.err;
    EXPECT_TRUE(contains(chat.out, "Christopher Nolan")) << how << "\n" << chat.out;
  }
  EXPECT_TRUE(contains(
      kgwalk("complete --model " + path("films/model") + " --head Inception --relation directed_by").out,
      "Christopher Nolan"))
      << "the table of embeddings is packed too";
}

TEST_F(Quickstart, AFileOfAModelAnswersAndSaysWhenItIsDamaged) {
  ASSERT_EQ(first_.status, 0);
  const std::string file = path("films.tar.zst");
  ASSERT_EQ(kgwalk("pack --workspace " + path("films") + " --out " + file).status, 0);
  EXPECT_EQ(kgwalk("pack --check " + file).status, 0);
  const Result plan = kgwalk("plan " + file + " --say 'Who directed Inception?' --k 1");
  EXPECT_TRUE(contains(plan.out, "answer: Christopher Nolan")) << plan.out << plan.err;
  EXPECT_EQ(shell("head -c 100000 " + file + " > " + path("cut.tar.zst")).status, 0);
  const Result cut = kgwalk("plan " + path("cut.tar.zst") + " --from Inception");
  EXPECT_EQ(cut.status, 1);
  EXPECT_TRUE(contains(cut.err, "has lost its end")) << cut.err;
}

TEST_F(Quickstart, AnswersOnAnotherGraphOfTheSameRelations) {
  ASSERT_EQ(first_.status, 0);
  write_file_atomically(
      *folder_ / "other.ttl",
      "@prefix : <http://x/> .\n:Jaws :directedBy :Steven_Spielberg ; :hasGenre :Thriller .\n"
      ":Alien :directedBy :Ridley_Scott ; :hasGenre :Horror .\n");
  ASSERT_EQ(kgwalk("ingest --quiet " + path("other.ttl") + " --db " + path("other.db")).status, 0);
  const std::string ask =
      "plan " + path("films/model") + " --db " + path("other.db") + " --say 'Who directed Alien?' --k 1";
  const Result refused = kgwalk(ask);
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(contains(refused.err, "the knowledge graph")) << refused.err;
  const Result answered = kgwalk(ask + " --other-graph");
  EXPECT_TRUE(contains(answered.out, "answer: Ridley Scott")) << answered.out << answered.err;
}

TEST_F(Quickstart, DialoguesOfTextAloneAreAnnotatedAndTaken) {
  ASSERT_EQ(first_.status, 0);
  write_file_atomically(
      *folder_ / "talks.jsonl",
      "{\"messages\": [{\"speaker\": \"user\", \"text\": \"I liked Inception.\"}, {\"speaker\": "
      "\"assistant\", \"text\": \"Christopher Nolan directed it.\"}]}\n");
  const Result annotated = kgwalk("annotate --db " + path("films/kg.db") + " " + path("talks.jsonl") +
                                  " --out " + path("annotated.jsonl"));
  EXPECT_EQ(annotated.status, 0) << annotated.err;
  EXPECT_TRUE(contains(read_file(*folder_ / "annotated.jsonl"), "directed_by"));
  const Result ingested = kgwalk("ingest " KGWALK_SOURCE_DIR "/data/sample/triples.txt --db " +
                                 path("talks.db") + " --dialogs train=" + path("annotated.jsonl"));
  EXPECT_TRUE(contains(ingested.out, "1 dialogues, 2 messages, 1 paths")) << ingested.out << ingested.err;
}

TEST_F(Quickstart, TensorboardGetsTheMetricsOfATraining) {
  ASSERT_EQ(first_.status, 0);
  const Result trained =
      kgwalk("train --quiet --tensorboard --db " + path("films/kg.db") + " --run " + path("board") +
             " --preset graph --set trainer.max_epochs=1 --questions own=" + path("films/walks.jsonl"));
  EXPECT_EQ(trained.status, 0) << trained.err;
  EXPECT_TRUE(contains(read_file(*folder_ / "board/tensorboard/events.out.tfevents.kgwalk"), "dev/score"));
}

}  // namespace
}  // namespace kgwalk
