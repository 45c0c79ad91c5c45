// A translator trained for seconds on sentences made by a rule, through files and folders, as the
// command does it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "kgwalk/error.h"
#include "kgwalk/translator.h"
#include "runtime/files.h"
#include "runtime/random.h"
#include "runtime/tensor/torch_threads.h"
#include "seq2seq/tasks/presets.h"
#include "seq2seq/tasks/translation/eval.h"
#include "seq2seq/tasks/translation/run.h"
#include "seq2seq/text/spm_train.h"

namespace kgwalk::seq2seq {
namespace {

constexpr const char* kWords[][2] = {{"red", "rot"},  {"blue", "blau"}, {"green", "grün"}, {"old", "alt"},
                                     {"dog", "Hund"}, {"cat", "Katze"}, {"bird", "Vogel"}, {"sees", "sieht"}};

class TranslationRun : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!spm_train_available()) GTEST_SKIP() << "spm_train is not installed";
    folder_ = std::filesystem::temp_directory_path() / ("kgwalk_mt_run_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    write("train", 600, 1);
    write("dev", 60, 2);
    write("test", 60, 3);
    apply_json(options_.config, task_preset("mt", "tiny"), "tiny");
    options_.config.trainer.max_epochs = 40;
    options_.train_source = folder_ / "train.en";
    options_.train_target = folder_ / "train.de";
    options_.dev_source = folder_ / "dev.en";
    options_.dev_target = folder_ / "dev.de";
    options_.run = folder_ / "run";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Word by word; "sees" goes to the end, as a German verb may.
  void write(const std::string& name, int lines, std::uint64_t seed) {
    Random random(seed);
    std::string source, target;
    for (int i = 0; i < lines; ++i) {
      const std::uint64_t count = 4 + random.below(4);
      std::vector<std::string> there, back;
      for (std::uint64_t w = 0; w < count; ++w) {
        const auto& word = kWords[random.below(std::size(kWords))];
        there.emplace_back(word[0]);
        back.emplace_back(word[1]);
      }
      std::stable_partition(back.begin(), back.end(),
                            [](const std::string& word) { return word != "sieht"; });
      source += fmt::format("{}\n", fmt::join(there, " "));
      target += fmt::format("{}\n", fmt::join(back, " "));
    }
    write_file_atomically(folder_ / (name + ".en"), source);
    write_file_atomically(folder_ / (name + ".de"), target);
  }
  double test_bleu() {
    const Translator translator = Translator::open(options_.run);
    TranslationEvalOptions eval;
    eval.bleu.lower = true;
    eval.samples = 50;
    return evaluate_translation(translator, read_parallel_text(folder_ / "test.en", folder_ / "test.de"),
                                eval, silent_reporter())
        .bleu.score;
  }
  // The training that made options_.run again, stopped by the reporter's first word about an evaluation in
  // `epoch` and resumed.
  void expect_same_after_a_stop(int epoch) {
    struct Stopper : Reporter {
      explicit Stopper(int epoch) : start_of_line("epoch " + std::to_string(epoch)) {}
      std::string start_of_line;
      StopFlag flag;
      void info(std::string_view line) override {
        if (line.starts_with(start_of_line)) flag.request();
      }
      void warn(std::string_view) override {}
      std::unique_ptr<Progress> start(std::string_view what, std::int64_t total,
                                      std::string_view unit) override {
        return silent_reporter().start(what, total, unit);
      }
    } stopper(epoch);
    TranslationTrainOptions again = options_;
    again.run = folder_ / "again";
    EXPECT_THROW((void)train_translation(again, stopper, stopper.flag), Interrupted);
    EXPECT_THROW((void)Translator::open(again.run), FormatError) << "an unfinished run has no model";
    (void)train_translation(again, silent_reporter(), never_stop());
    EXPECT_EQ(read_file(again.run / "model" / "model.safetensors"),
              read_file(options_.run / "model" / "model.safetensors"));
  }
  std::filesystem::path folder_;
  TranslationTrainOptions options_;
};

TEST_F(TranslationRun, LearnsTheRuleAndResumesBitExactly) {
  const PairTrainReport whole = train_translation(options_, silent_reporter(), never_stop());
  EXPECT_GT(test_bleu(), 60) << "chance is below 5";
  EXPECT_EQ(whole.left_out, 0);

  expect_same_after_a_stop(5);
}

TEST_F(TranslationRun, ThePublicTranslatorGivesTheSame) {
  (void)train_translation(options_, silent_reporter(), never_stop());
  const std::vector<std::string> lines{"der Hund", "", "sieht"};
  const kgwalk::Translator open = kgwalk::Translator::open(options_.run, {.beam = 3, .nbest = 2});
  Translator translator = Translator::open(options_.run);
  TokenSearchOptions search = translator.config().search;
  search.beam = 3;
  search.nbest = 2;
  translator.set_search(search);
  const auto found = open.translate(lines), expected = translator.translate(lines);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].hypotheses.size(), expected[i].hypotheses.size());
    EXPECT_EQ(found[i].text(), expected[i].hypotheses.front().text);
    EXPECT_EQ(found[i].hypotheses.back().score, expected[i].hypotheses.back().score);
  }
  EXPECT_THROW((void)kgwalk::Translator::open(options_.run, {.beam = 2, .nbest = 3}), ConfigError);
  EXPECT_THROW((void)kgwalk::Translator::open(options_.run, {.beam = -1}), ConfigError);
  EXPECT_THROW((void)kgwalk::Translator::open(options_.run, {.batch = 0}), ConfigError);
  EXPECT_THROW((void)kgwalk::Translator::open(folder_), Error);
}

TEST_F(TranslationRun, TextCutAtRandomChangesFromPassToPassAndResumesBitExactly) {
  options_.config.trainer.max_epochs = 4;
  (void)train_translation(options_, silent_reporter(), never_stop());
  const std::string best_pieces = read_file(options_.run / "model" / "model.safetensors");
  options_.run = folder_ / "sampled";
  options_.config.sampling = 0.2;
  (void)train_translation(options_, silent_reporter(), never_stop());
  EXPECT_NE(read_file(options_.run / "model" / "model.safetensors"), best_pieces);
  expect_same_after_a_stop(2);
}

TEST_F(TranslationRun, TwoPassesAreComparedAndResumeBitExactly) {
  options_.config.trainer.max_epochs = 4;
  options_.config.model.encoder.dropout = options_.config.model.decoder.dropout = 0.1;
  options_.config.r_drop = 2;
  (void)train_translation(options_, silent_reporter(), never_stop());
  expect_same_after_a_stop(2);
  EXPECT_NO_THROW(validate(options_.config));
  options_.config.model.decoder.group_layers = 1;
  EXPECT_THROW(validate(options_.config), ConfigError);
}

TEST_F(TranslationRun, GroupedHeadsVoteAndTheSmallerModelGoesOn) {
  options_.config.model.encoder.heads = options_.config.model.decoder.heads = 4;
  options_.config.heads.groups = 2;
  options_.config.trainer.max_epochs = 2;
  const PairTrainReport grouped = train_translation(options_, silent_reporter(), never_stop());
  TranslationTrainOptions smaller = options_;
  smaller.config.heads = {};
  smaller.run = folder_ / "pillars";
  smaller.pillars_of = options_.run;
  const PairTrainReport pillars = train_translation(smaller, silent_reporter(), never_stop());
  EXPECT_LT(pillars.parameters.all, grouped.parameters.all);
  const Translator translator = Translator::open(smaller.run);
  EXPECT_EQ(translator.config().model.decoder.heads, 2);
  EXPECT_EQ(translator.config().model.decoder.head_width, 8);
  smaller.run = folder_ / "none";
  smaller.pillars_of = folder_ / "pillars";
  EXPECT_THROW((void)train_translation(smaller, silent_reporter(), never_stop()), ConfigError)
      << "no groups there";
}

// Without learning the weights that a training begins with are what it ends with; other files, the same
// vocabulary.
TEST_F(TranslationRun, BeginsWithTheWeightsOfAnotherRun) {
  options_.config.trainer.max_epochs = 2;
  options_.config.keep = "best";
  (void)train_translation(options_, silent_reporter(), never_stop());
  TranslationTrainOptions next = options_;
  next.run = folder_ / "next";
  next.from = options_.run;
  next.train_source = folder_ / "test.en";
  next.train_target = folder_ / "test.de";
  next.config.trainer.adam.lr = 0;
  (void)train_translation(next, silent_reporter(), never_stop());
  EXPECT_EQ(read_file(next.run / "model" / "model.safetensors"),
            read_file(options_.run / "model" / "model.safetensors"));
  next.run = folder_ / "deeper";
  next.config.model.decoder.layers += 1;
  EXPECT_THROW((void)train_translation(next, silent_reporter(), never_stop()), ConfigError);
}

TEST_F(TranslationRun, BadInputIsRefusedOrCounted) {
  write_file_atomically(folder_ / "short.de", "eins\n");
  TranslationTrainOptions bad = options_;
  bad.train_target = folder_ / "short.de";
  EXPECT_THROW((void)train_translation(bad, silent_reporter(), never_stop()), DataError);
  std::string source = read_file(folder_ / "train.en"), target = read_file(folder_ / "train.de");
  write_file_atomically(folder_ / "train.en", source + "\nred\n");
  write_file_atomically(folder_ / "train.de", target + "rot\n\n");
  options_.config.trainer.max_epochs = 1;
  EXPECT_EQ(train_translation(options_, silent_reporter(), never_stop()).left_out, 2);
  options_.config.smoothing = 0.2;
  EXPECT_THROW((void)train_translation(options_, silent_reporter(), never_stop()), ConfigError)
      << "another configuration in the same run";
}

}  // namespace
}  // namespace kgwalk::seq2seq
