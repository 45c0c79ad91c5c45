// A language model trained for seconds on lines that count, through files and folders, as the
// command does it.
#include <gtest/gtest.h>
#include <unistd.h>

#include "kgwalk/error.h"
#include "kgwalk/language_model.h"
#include "runtime/files.h"
#include "runtime/random.h"
#include "seq2seq/tasks/language/language_model.h"
#include "seq2seq/tasks/language/run.h"
#include "seq2seq/tasks/presets.h"
#include "seq2seq/tasks/text_lines.h"

namespace kgwalk::seq2seq {
namespace {

TEST(LanguageRun, LearnsARuleAndContinuesByIt) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("kgwalk_lm_run_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  // Each line counts upwards from one of eight numbers to the last one.
  const auto text = [](int lines, std::uint64_t seed) {
    const char* const numbers[] = {"one", "two", "three", "four", "five", "six", "seven", "eight"};
    Random random(seed);
    std::string all;
    for (int i = 0; i < lines; ++i) {
      for (std::uint64_t n = random.below(8); n < 8; ++n) all.append(numbers[n]).append(" ");
      all += "\n";
    }
    return all;
  };
  write_file_atomically(folder / "train.txt", text(900, 1));
  write_file_atomically(folder / "dev.txt", text(60, 2));
  LanguageTrainOptions options;
  apply_json(options.config, task_preset("lm", "tiny"), "tiny");
  options.train = folder / "train.txt";
  options.dev = folder / "dev.txt";
  options.run = folder / "run";
  const LanguageTrainReport report = train_language(options, silent_reporter(), never_stop());
  EXPECT_EQ(report.vocabulary, 10);  // eight words, <eos>, <unk>
  const LanguageModel model = LanguageModel::open(options.run);
  const Likelihood found = model.likelihood(read_text_lines(folder / "dev.txt"));
  // Only the first word of a line is free, one of eight: 8^(60 / words) at best, 10 by chance.
  EXPECT_LT(found.perplexity(), 2.2);
  EXPECT_EQ(found.unknown, 0);
  LineLikelihood sum;
  for (const LineLikelihood& line : found.lines) sum += line;
  EXPECT_EQ(found.lines.size(), 60u);
  EXPECT_EQ(sum.words, found.words);
  EXPECT_NEAR(sum.negative_log_prob, found.negative_log_prob, 1e-6);
  EXPECT_EQ(model.continue_line("two three")[0], "four five six seven eight");
  EXPECT_EQ(model.continue_line("seven zzz").size(), 1u) << "an unknown word is read as such";

  const kgwalk::LanguageModel open = kgwalk::LanguageModel::open(options.run, {.words = 3});
  const kgwalk::Perplexity told = open.perplexity(read_text_lines(folder / "dev.txt"));
  EXPECT_NEAR(told.per_word, found.perplexity(), 1e-6);
  EXPECT_EQ(told.words, found.words);
  EXPECT_EQ(open.continue_line("two three")[0], "four five six");
  EXPECT_THROW((void)kgwalk::LanguageModel::open(options.run, {.stride = 1000000}), ConfigError);

  LanguageTrainOptions grouped = options;
  grouped.run = folder / "grouped";
  grouped.config.model.decoder.heads = 4;
  grouped.config.heads.groups = 2;
  grouped.config.trainer.max_epochs = 1;
  const LanguageTrainReport whole = train_language(grouped, silent_reporter(), never_stop());
  LanguageTrainOptions smaller = grouped;
  smaller.config.heads = {};
  smaller.run = folder / "pillars";
  smaller.pillars_of = std::filesystem::relative(grouped.run);
  EXPECT_LT(train_language(smaller, silent_reporter(), never_stop()).parameters, whole.parameters);
  EXPECT_NO_THROW((void)train_language(smaller, silent_reporter(), never_stop())) << "is the same run";
  EXPECT_LT(LanguageModel::open(smaller.run).likelihood(read_text_lines(folder / "dev.txt")).perplexity(),
            10);
  smaller.pillars_of = options.run;
  smaller.run = folder / "none";
  EXPECT_THROW((void)train_language(smaller, silent_reporter(), never_stop()), ConfigError) << "no groups";

  options.config.window = 9;
  EXPECT_THROW((void)train_language(options, silent_reporter(), never_stop()), ConfigError);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace kgwalk::seq2seq
