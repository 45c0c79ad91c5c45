// Translation, language modeling and summaries through the program: trained for a second on a few lines,
// what is printed, what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>

#include "runtime/config.h"
#include "tests/cli/shell.h"

namespace kgwalk {
namespace {

using test::contains;
using test::shell;
using test::ShellResult;

class TextTasks : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (std::system("command -v spm_train >/dev/null 2>&1") != 0) return;
    folder_ = std::make_unique<test::TempFolder>();
    std::string source, target;
    Json dialogues = Json::array();
    for (int i = 0; i < 60; ++i) {
      const char* const animal = i % 2 == 0 ? "dog" : "cat";
      const char* const other = i % 3 == 0 ? "sees" : "hears";
      source.append("a ").append(animal).append(" ").append(other).append(" a bird\n");
      target.append("ein ").append(animal).append(" ").append(other).append(" vogel\n");
      dialogues.push_back(
          {{"dialogue", std::string("Ann: i see a ") + animal + "\nBob: who " + other + " it ?"},
           {"summary", std::string("Ann sees a ") + animal + "."}});
    }
    write_file_atomically(*folder_ / "x.en", source);
    write_file_atomically(*folder_ / "x.de", target);
    write_file_atomically(*folder_ / "x.json", dialogues.dump());
    const std::string pair = path("x.en") + " " + path("x.de");
    succeed("mt train --preset tiny --set vocabulary.size=40 --set trainer.max_epochs=2 --train " + pair +
            " --dev " + pair + " --run " + path("mt"));
    succeed("mt train --preset tiny --set vocabulary.size=40 --set trainer.max_epochs=1 --train " + pair +
            " --dev " + pair + " --run " + path("groups") +
            " --set model.decoder.layers=2 --set model.decoder.group_layers=1");
    succeed("summarize train --preset tiny --set trainer.max_epochs=2 --train " + path("x.json") + " --dev " +
            path("x.json") + " --run " + path("sum"));
  }
  static void TearDownTestSuite() { folder_.reset(); }
  void SetUp() override {
    if (!folder_) GTEST_SKIP() << "spm_train is not installed";
  }
  static std::string path(const std::string& name) { return (*folder_ / name).string(); }
  static ShellResult task(const std::string& arguments, const std::string& input = "") {
    write_file_atomically(*folder_ / "input", input);
    return shell(KGWALK_PROGRAM " task " + arguments + " --threads 1 --quiet --no-progress <" +
                 path("input"));
  }
  static void succeed(const std::string& arguments) {
    const ShellResult result = task(arguments);
    ASSERT_EQ(result.status, 0) << arguments << "\n" << result.err;
  }
  static long lines_of(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }
  static std::unique_ptr<test::TempFolder> folder_;
};
std::unique_ptr<test::TempFolder> TextTasks::folder_;

TEST_F(TextTasks, SummariesOfJsonLinesAreLines) {
  const std::string model = "summarize run --model " + path("sum");
  const ShellResult found =
      task(model, "{\"dialogue\": \"Ann: i see a dog\\nBob: who ?\"}\n{\"dialogue\": \"\"}\n");
  ASSERT_EQ(found.status, 0) << found.err;
  EXPECT_EQ(lines_of(found.out), 2);
  EXPECT_TRUE(found.out.ends_with("\n\n")) << "an empty dialogue has an empty summary: " << found.out;
  const ShellResult best = task(model + " --set beam=3 --set nbest=2", "{\"dialogue\": \"Ann: a cat\"}\n");
  EXPECT_EQ(lines_of(best.out), 2);
  EXPECT_TRUE(best.out.starts_with("1 ||| ")) << best.out;
  const ShellResult broken = task(model, "{\"dialogue\": \"Ann: a cat\"}\noops\n");
  EXPECT_EQ(broken.status, 1);
  EXPECT_EQ(lines_of(broken.out), 1) << "what stands before is answered";
  EXPECT_TRUE(contains(broken.err, "standard input:2")) << broken.err;
  EXPECT_EQ(task(model + " --set nope=1").status, 1);
}

TEST_F(TextTasks, RougeIsPrintedAndBadInputNamed) {
  const std::string eval = "summarize eval --model " + path("sum") + " --test ";
  const ShellResult found = task(eval + path("x.json") + " --output " + path("out.txt") + " --weights int8");
  ASSERT_EQ(found.status, 0) << found.err;
  for (const char* name : {"rouge1", "rouge2", "rougeL", "rougeLsum", "first three turns"})
    EXPECT_TRUE(contains(found.out, name)) << found.out;
  EXPECT_EQ(lines_of(read_file(path("out.txt"))), 60);
  const ShellResult paired = task(eval + path("x.json") + " --baseline " + path("out.txt"));
  EXPECT_TRUE(contains(paired.out, "paired bootstrap")) << paired.out;
  write_file_atomically(*folder_ / "empty.txt", "");
  EXPECT_EQ(task(eval + path("x.json") + " --baseline " + path("empty.txt")).status, 1);
  write_file_atomically(*folder_ / "bad.json", "[{\"dialogue\": \"x\"}]");
  const ShellResult bad = task(eval + path("bad.json"));
  EXPECT_EQ(bad.status, 1);
  EXPECT_TRUE(contains(bad.err, "bad.json:1")) << bad.err;
  EXPECT_EQ(task("summarize eval --model " + path("mt") + " --test " + path("x.json")).status, 1);
  EXPECT_EQ(task(eval + path("x.json") + " --weights int4").status, 2);
}

TEST_F(TextTasks, TranslationsKeepTheirLinesAndGroupsCanBeLeftOut) {
  const ShellResult found = task("mt run --model " + path("mt"), "a dog sees a bird\n\na cat\n");
  ASSERT_EQ(found.status, 0) << found.err;
  EXPECT_EQ(lines_of(found.out), 3);
  const std::string eval = " --test " + path("x.en") + " " + path("x.de");
  const ShellResult one = task("mt eval --model " + path("groups") + eval + " --groups 0");
  EXPECT_TRUE(contains(one.out, "BLEU|") && contains(one.out, "decoder groups, psi 1.0000\n")) << one.out;
  const std::string all =
      task("mt eval --model " + path("groups") + eval + " --json " + path("all.json")).out;
  EXPECT_TRUE(contains(all, "decoder groups, psi 0.")) << all;
  const Json fusion = read_json_file(path("all.json")).at("fusion");
  EXPECT_EQ(fusion.at("encoder_gates").size(), 0u) << "its encoder has no groups";
  EXPECT_EQ(fusion.at("decoder_gates").size(), 2u);
  EXPECT_NEAR(fusion.at("psi").at(0).get<double>() + fusion.at("psi").at(1).get<double>(), 1, 1e-6);
  EXPECT_FALSE(contains(task("mt eval --model " + path("mt") + eval).out, "psi"));
  const ShellResult none = task("mt eval --model " + path("mt") + eval + " --groups 0");
  EXPECT_EQ(none.status, 1);
  EXPECT_TRUE(contains(none.err, "no groups of layers")) << none.err;
}

// Whoever reads the output must not take a part for the whole.
TEST_F(TextTasks, BlankTextIsRefusedInASentence) {
  write_file_atomically(*folder_ / "blank", "\n  \n\t\n");
  const std::string pair = path("blank") + " " + path("blank");
  const ShellResult result =
      task("mt train --preset tiny --train " + pair + " --dev " + pair + " --run " + path("blank_run"));
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.err, "blank")) << result.err;
  EXPECT_FALSE(contains(result.err, "spm_train")) << result.err;
}

TEST_F(TextTasks, AStoppedStreamIsNoSuccess) {
  const std::string out = path("stopped.out");
  const ShellResult stopped =
      shell("mkfifo " + path("lines") + "; " KGWALK_PROGRAM " task mt run --model " + path("mt") +
            " --threads 1 <" + path("lines") + " >" + out + " & program=$!; exec 3>" + path("lines") +
            "; echo a dog >&3; until [ -s " + out +
            " ] || ! kill -0 $program; do sleep 0.1; done; kill -TERM $program; wait $program; status=$?; "
            "exec 3>&-; exit $status");
  EXPECT_EQ(stopped.status, 130) << stopped.err;
  EXPECT_TRUE(contains(stopped.err, "stopped before line 2")) << stopped.err;
  EXPECT_FALSE(contains(stopped.err, "resume")) << stopped.err;
  EXPECT_EQ(lines_of(read_file(out)), 1);
}

TEST_F(TextTasks, LanguageModelsTellPerplexityAndContinue) {
  const ShellResult trained = task("lm train --preset tiny --set trainer.max_epochs=1 --train " +
                                   path("x.en") + " --dev " + path("x.en") + " --run " + path("lm"));
  ASSERT_EQ(trained.status, 0) << trained.err;
  const std::string eval = "lm eval --model " + path("lm") + " --test " + path("x.en");
  EXPECT_TRUE(contains(task(eval + " --output " + path("lm.lines")).out, "perplexity"));
  EXPECT_TRUE(contains(task(eval + " --baseline " + path("lm.lines")).out, "difference +0.00"));
  EXPECT_TRUE(contains(task("lm eval --model " + path("lm") + " --test /dev/null").err, "has no line"));
  EXPECT_EQ(task(eval + " --output " + path("none/lm.lines")).status, 2);
  const ShellResult other = task(eval + " --baseline " + path("x.en"));
  EXPECT_EQ(other.status, 1);
  EXPECT_TRUE(contains(other.err, "x.en:1: is no negative log probability")) << other.err;
  EXPECT_EQ(lines_of(task("lm run --model " + path("lm"), "a dog\na cat\n").out), 2);
  const ShellResult none = task("lm train --preset ght_ps --pillars " + path("lm") + " --train " +
                                path("x.en") + " --dev " + path("x.en") + " --run " + path("lm2"));
  EXPECT_EQ(none.status, 1);
  EXPECT_TRUE(contains(none.err, "without groups of heads")) << none.err;
  const std::string again = "lm train --preset tiny --set trainer.max_epochs=1 --train " + path("x.en") +
                            " --dev " + path("x.en") + " --run " + path("lm3") + " --from " + path("lm");
  EXPECT_EQ(task(again + " --pillars " + path("lm")).status, 2);
  const ShellResult wider = task(again + " --set model.decoder.width=64");
  EXPECT_EQ(wider.status, 1);
  EXPECT_TRUE(contains(wider.err, "do not fit the model")) << wider.err;
  EXPECT_EQ(task(again).status, 0);
}

}  // namespace
}  // namespace kgwalk
