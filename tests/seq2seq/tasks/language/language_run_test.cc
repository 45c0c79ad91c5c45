// A language model trained for seconds on lines that count, through files and folders, as the
// command does it.
#include <gtest/gtest.h>
#include <unistd.h>

#include "kgwalk/error.h"
#include "kgwalk/language_model.h"
#include "runtime/files.h"
#include "runtime/random.h"
#include "runtime/run_folder.h"
#include "seq2seq/tasks/grouped_net.h"
#include "seq2seq/tasks/language/language_model.h"
#include "seq2seq/tasks/language/run.h"
#include "seq2seq/tasks/presets.h"
#include "seq2seq/tasks/text_lines.h"

namespace kgwalk::seq2seq {
namespace {

// Each line counts upwards from one of eight numbers to the last one.
std::string counting_text(int lines, std::uint64_t seed) {
  const char* const numbers[] = {"one", "two", "three", "four", "five", "six", "seven", "eight"};
  Random random(seed);
  std::string all;
  for (int i = 0; i < lines; ++i) {
    for (std::uint64_t n = random.below(8); n < 8; ++n) all.append(numbers[n]).append(" ");
    all += "\n";
  }
  return all;
}

// A training on such lines in a folder of its own, which is removed at the end.
struct CountingRun {
  explicit CountingRun(const std::string& name)
      : folder(std::filesystem::temp_directory_path() /
               ("kgwalk_lm_" + name + "_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder);
    write_file_atomically(folder / "train.txt", counting_text(900, 1));
    write_file_atomically(folder / "dev.txt", counting_text(60, 2));
    apply_json(options.config, task_preset("lm", "tiny"), "tiny");
    options.train = folder / "train.txt";
    options.dev = folder / "dev.txt";
    options.run = folder / "run";
  }
  ~CountingRun() { std::filesystem::remove_all(folder); }
  // Four heads, trained in two groups.
  [[nodiscard]] LanguageTrainOptions in_groups() const {
    LanguageTrainOptions grouped = options;
    grouped.config.model.decoder.heads = 4;
    grouped.config.heads.groups = 2;
    return grouped;
  }
  std::filesystem::path folder;
  LanguageTrainOptions options;
};

// What a training warns of.
struct Warnings : Reporter {
  void info(std::string_view) override {}
  void warn(std::string_view line) override { text.append(line).append("\n"); }
  std::unique_ptr<Progress> start(std::string_view what, std::int64_t total, std::string_view unit) override {
    return silent_reporter().start(what, total, unit);
  }
  std::string text;
};

TEST(LanguageRun, LearnsARuleAndContinuesByIt) {
  CountingRun counting("run");
  const std::filesystem::path& folder = counting.folder;
  LanguageTrainOptions& options = counting.options;
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

  LanguageTrainOptions grouped = counting.in_groups();
  grouped.run = folder / "grouped";
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
}

// Algorithm 1: heads vote where the means of their groups first moved less than the threshold.
TEST(LanguageRun, HeadsVoteWhereTheirGroupsHaveConverged) {
  CountingRun counting("converged");
  LanguageTrainOptions grouped = counting.in_groups();
  grouped.config.heads.refresh = 4;
  grouped.config.heads.threshold = 1;
  grouped.config.trainer.max_epochs = 2;
  grouped.config.trainer.log_every = 1;
  Warnings warnings;
  (void)train_language(grouped, warnings, never_stop());
  EXPECT_EQ(warnings.text, "");
  const RunFolder run = RunFolder::open(grouped.run, kLanguageRun);
  EXPECT_EQ(voting_checkpoint(run), run.checkpoint("converged"));
  // Groupings are made in updates 1, 5, 9, ...; the first has nothing to be compared with.
  std::int64_t converged_at = 0;
  for (const Json& row : run.read_metrics()) {
    const auto step = row.at("step").get<std::int64_t>();
    if (row.at("kind") == "dev") {
      EXPECT_EQ(row.at("converged_at"), converged_at);
      continue;
    }
    ASSERT_EQ(row.contains("shift"), step % 4 == 1 && step > 1) << row;
    if (!converged_at && row.contains("shift") && row.at("shift") < 1) converged_at = step;
  }
  EXPECT_EQ(read_json_file((run.checkpoint("converged") / "state.json").string()).at("step"), converged_at);

  LanguageTrainOptions smaller = grouped;
  smaller.config.heads = {};
  smaller.config.trainer.max_epochs = 1;
  smaller.pillars_of = grouped.run;
  for (const char* stay : {"voted", "member", "random"}) {
    smaller.config.heads.stay = stay;
    smaller.run = counting.folder / stay;
    (void)train_language(smaller, warnings, never_stop());
  }
  EXPECT_EQ(warnings.text, "");

  grouped.config.heads.threshold = 0;
  grouped.run = counting.folder / "unconverged";
  (void)train_language(grouped, warnings, never_stop());
  EXPECT_NE(warnings.text.find("have not converged (shift 0."), std::string::npos) << warnings.text;
  const RunFolder unconverged = RunFolder::open(grouped.run, kLanguageRun);
  EXPECT_EQ(voting_checkpoint(unconverged), unconverged.checkpoint("best"));
  warnings.text.clear();
  smaller.config.heads = {};
  smaller.pillars_of = grouped.run;
  smaller.run = counting.folder / "pillars";
  (void)train_language(smaller, warnings, never_stop());
  EXPECT_NE(warnings.text.find("the vote is taken all the same"), std::string::npos) << warnings.text;
}

// Without learning the weights that a training begins with are what it ends with.
TEST(LanguageRun, BeginsWithTheWeightsOfAnotherRun) {
  CountingRun counting("from");
  LanguageTrainOptions first = counting.in_groups();
  first.config.trainer.max_epochs = 1;
  (void)train_language(first, silent_reporter(), never_stop());
  LanguageTrainOptions next = first;
  next.config.heads = {};
  next.config.trainer.adam.lr = 0;
  next.config.min_count = 5;  // the vocabulary is the other run's
  next.run = counting.folder / "next";
  next.from = std::filesystem::relative(first.run);
  (void)train_language(next, silent_reporter(), never_stop());
  EXPECT_EQ(read_file(next.run / "model" / "model.safetensors"),
            read_file(first.run / "model" / "model.safetensors"));
  EXPECT_NO_THROW((void)train_language(next, silent_reporter(), never_stop())) << "is the same run";

  next.run = counting.folder / "wider";
  next.config.model.decoder.ffn_width *= 2;
  try {
    (void)train_language(next, silent_reporter(), never_stop());
    ADD_FAILURE() << "weights of another shape were taken";
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("ffn"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("do not fit"), std::string::npos) << error.what();
  }
  next = first;
  next.run = counting.folder / "both";
  next.from = next.pillars_of = first.run;
  EXPECT_THROW((void)train_language(next, silent_reporter(), never_stop()), ConfigError);
  next.pillars_of.clear();
  next.from = counting.folder;
  EXPECT_THROW((void)train_language(next, silent_reporter(), never_stop()), FormatError);
}

}  // namespace
}  // namespace kgwalk::seq2seq
