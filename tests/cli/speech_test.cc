// Speech recognition through the program: words that are tones, a recognizer trained for seconds, files
// of all kinds.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "runtime/json_text.h"
#include "runtime/random.h"
#include "seq2seq/audio/sound.h"
#include "tests/cli/shell.h"

namespace kgwalk {
namespace {

using seq2seq::Sound;
using seq2seq::write_wav;
using test::contains;
using test::shell;
using test::ShellResult;

Sound spoken(const std::vector<int>& words, int rate, Random& random) {
  Sound sound{rate, {}};
  const auto add = [&](double hz, double seconds) {
    for (int i = 0; i < static_cast<int>(rate * seconds); ++i)
      sound.samples.push_back(static_cast<float>(
          (hz > 0 ? 0.3 * std::sin(6.283185307 * hz * i / rate) : 0.0) + 0.01 * random.normal()));
  };
  for (const int word : words) {
    add(word == 0 ? 400 : 2500, 0.25);
    add(0, 0.15);
  }
  return sound;
}

class Speech : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<test::TempFolder>();
    Random random(4);
    std::string table = "path\ttext\n";
    for (int i = 0; i < 40; ++i) {
      std::vector<int> words;
      std::string text;
      for (std::uint64_t n = 1 + random.below(3); n-- > 0;) {
        words.push_back(static_cast<int>(random.below(2)));
        text += words.back() == 0 ? "low " : "high ";
      }
      const std::string name = std::to_string(i) + ".wav";
      write_wav(*folder_ / name, spoken(words, 16000, random));
      table += name + "\t";
      table += text + "\n";
    }
    write_file_atomically(*folder_ / "list.tsv", table);
    write_wav(*folder_ / "telephone.wav", spoken({1, 0}, 8000, random));
    write_wav(*folder_ / "silence.wav", {16000, std::vector<float>(16000, 0.0F)});
    write_wav(*folder_ / "short.wav", {16000, std::vector<float>(50, 0.1F)});
    write_file_atomically(*folder_ / "cut.wav", read_file(*folder_ / "1.wav").substr(0, 4000));
    write_file_atomically(*folder_ / "text.wav", "no sound, but some bytes of text that go on for a while");
    const ShellResult trained =
        task("train --preset tiny --train " + path("list.tsv") + " --run " + path("run") +
             " --set units.kind=words --set max_frames=500 --set hold_out=8" +
             " --set search.ctc_weight=0.8 --set trainer.max_epochs=40" +
             " --set trainer.eval_every=50 --set trainer.schedule.kind=cosine");
    ASSERT_EQ(trained.status, 0) << trained.err;
  }
  static void TearDownTestSuite() { folder_.reset(); }
  static std::string path(const std::string& name) { return (*folder_ / name).string(); }
  static ShellResult task(const std::string& arguments) {
    return shell(KGWALK_PROGRAM " task asr " + arguments + " --threads 1 --quiet --no-progress");
  }
  static ShellResult run(const std::string& arguments) {
    return task("run --model " + path("run") + " " + arguments);
  }
  static std::unique_ptr<test::TempFolder> folder_;
};
std::unique_ptr<test::TempFolder> Speech::folder_;

TEST_F(Speech, OneFileIsOneLineAndJsonHasTimes) {
  const ShellResult text = run(path("telephone.wav"));
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_EQ(text.out, "high low\n");
  const ShellResult json = run(path("telephone.wav") + " --format json --set nbest=2");
  ASSERT_EQ(json.status, 0) << json.err;
  const Json parsed = Json::parse(json.out);
  EXPECT_NEAR(parsed["seconds"].get<double>(), 0.8, 0.01);
  EXPECT_EQ(parsed["hypotheses"].size(), 2U);
  EXPECT_EQ(parsed["hypotheses"][0]["words"].size(), 2U);
  EXPECT_LT(parsed["hypotheses"][0]["words"][0]["end_s"], parsed["hypotheses"][0]["words"][1]["end_s"]);
}

TEST_F(Speech, OfAListTheBrokenFilesAreToldAndTheOthersTranscribed) {
  std::string names;
  for (const char* name : {"telephone.wav", "cut.wav", "silence.wav", "text.wav", "short.wav", "none.wav"})
    names += path(name) + "\n";
  write_file_atomically(*folder_ / "names", names);
  const ShellResult result = run("--list " + path("names"));
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, path("telephone.wav") + "\thigh low\n" + path("silence.wav") + "\t\n" +
                            path("short.wav") + "\t\n");
  for (const char* part : {"is cut off", "no sound", "no such file", "silence.wav: silence, no text",
                           "short.wav: shorter than a frame, no text", "3 of 6 files"})
    EXPECT_TRUE(contains(result.err, part)) << part << "\n" << result.err;
  const ShellResult one = run(path("cut.wav"));
  EXPECT_EQ(one.status, 1);
  EXPECT_TRUE(contains(one.err, "is cut off") && one.out.empty()) << one.err;
}

TEST_F(Speech, TheFileThatFailedIsNamedAndPipesAreRead) {
  write_file_atomically(*folder_ / "marked",
                        "\xEF\xBB\xBF" + path("telephone.wav") + "\n" + path("cut.wav") + "\n");
  const ShellResult listed = run("--list " + path("marked"));
  EXPECT_EQ(listed.out, path("telephone.wav") + "\thigh low\n") << "the mark of UTF-8 is no part of a name";
  EXPECT_TRUE(contains(listed.err, "kgwalk: " + path("cut.wav") + ": 1 of 2 files could not be transcribed"))
      << listed.err;
  const ShellResult piped = run("<(cat " + path("telephone.wav") + ")");
  EXPECT_EQ(piped.out, "high low\n") << piped.err;
  EXPECT_EQ(run("/dev/stdin < " + path("telephone.wav")).out, "high low\n");
  EXPECT_EQ(shell("cat " + path("telephone.wav") + " | " + KGWALK_PROGRAM + " task asr run --quiet --model " +
                  path("run") + " /dev/stdin")
                .out,
            "high low\n");
}

TEST_F(Speech, ANamedPipeIsReadAndASignalEndsTheWaitForIt) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(shell("mkfifo " + pipe).status, 0);
  // The writer comes late, and in two pieces.
  const ShellResult late =
      shell("(sleep 1; head -c 3000 " + path("telephone.wav") + "; sleep 0.3; tail -c +3001 " +
            path("telephone.wav") + ") > " + pipe + " & " + KGWALK_PROGRAM +
            " task asr run --quiet --model " + path("run") + " " + pipe);
  EXPECT_EQ(late.out, "high low\n") << late.err;
  const ShellResult ended = shell("timeout -s INT 2 " + std::string(KGWALK_PROGRAM) +
                                  " task asr run --quiet --model " + path("run") + " " + pipe);
  EXPECT_EQ(ended.status, 124) << "timeout's own status: the signal ended it";
  EXPECT_TRUE(contains(ended.err, "pipe: stopped before its end")) << ended.err;
}

TEST_F(Speech, EvaluationWritesAlignmentsAndPictures) {
  const ShellResult result =
      task("eval --model " + path("run") + " --test " + path("list.tsv") + " --alignments " +
           path("alignments") + " --plots " + path("plots") + " --json " + path("e.json"));
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "WER")) << result.out;
  EXPECT_LT(read_json_file(path("e.json"))["wer"]["rate"], 20);
  EXPECT_TRUE(contains(read_file(*folder_ / "alignments"), "REF: "));
  EXPECT_TRUE(std::filesystem::exists(*folder_ / "plots/attention_encoder.layers.0.attention.svg"));
}

TEST_F(Speech, WrongListsAndSearchesSaySo) {
  EXPECT_EQ(run("").status, 1) << "no file is named";
  EXPECT_TRUE(contains(run(path("0.wav") + " --set method=none").err, "ctc_beam"));
  EXPECT_TRUE(
      contains(task("eval --model " + path("run") + " --test " + path("none.tsv")).err, "no such file"));
  EXPECT_TRUE(contains(run(path("0.wav") + " --lm " + path("run")).err, "task-lm"));
}

}  // namespace
}  // namespace kgwalk
