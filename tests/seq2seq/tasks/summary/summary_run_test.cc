// A summarizer trained for seconds on dialogues made by a rule, through files and folders, as the
// command does it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <optional>

#include "kgwalk/error.h"
#include "kgwalk/summarizer.h"
#include "runtime/files.h"
#include "runtime/random.h"
#include "seq2seq/tasks/presets.h"
#include "seq2seq/tasks/summary/eval.h"
#include "seq2seq/tasks/summary/run.h"
#include "seq2seq/text/spm_train.h"

namespace kgwalk::seq2seq {
namespace {

constexpr const char* kNames[] = {"Ann", "Bob", "Cid", "Dora", "Eve", "Finn"};
// More pieces than the model takes.
std::string very_long() {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "rice tea ";
  return text;
}

constexpr const char* kThings[] = {"tea", "rice", "figs", "cake", "soup", "plums", "beans", "bread"};

class SummaryRun : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!spm_train_available()) GTEST_SKIP() << "spm_train is not installed";
    folder_ = std::filesystem::temp_directory_path() / ("kgwalk_summary_run_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    write("train", 700, 1);
    write("dev", 50, 2);
    write("test", 60, 3);
    apply_json(options_.config, task_preset("summarize", "tiny"), "tiny");
    options_.train = folder_ / "train.json";
    options_.dev = folder_ / "dev.json";
    options_.run = folder_ / "run";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Two people speak; one of them, who says so, brings something: "X will bring Y."
  void write(const std::string& name, int count, std::uint64_t seed) {
    Random random(seed);
    Json all = Json::array();
    for (int i = 0; i < count; ++i) {
      const std::size_t a = random.below(std::size(kNames)),
                        b = (a + 1 + random.below(std::size(kNames) - 1)) % std::size(kNames);
      const std::string one = kNames[a], two = kNames[b], thing = kThings[random.below(std::size(kThings))],
                        other = kThings[random.below(std::size(kThings))];
      const bool first = random.below(2) == 0;
      const std::string offer = "i bring " + thing, wish = "i like " + other;
      all.push_back(
          {{"id", std::to_string(i)},
           {"dialogue", one + ": " + (first ? offer : wish) + "\r\n" + two + ": " + (first ? wish : offer)},
           {"summary", (first ? one : two) + " will bring " + thing + "."}});
    }
    write_file_atomically(folder_ / (name + ".json"), all.dump());
  }
  SummaryEvalReport test(const Summarizer& summarizer,
                         std::optional<std::vector<std::string>> baseline = {}) {
    SummaryEvalOptions eval;
    eval.samples = 50;
    eval.baseline = std::move(baseline);
    return evaluate_summaries(summarizer, read_summary_examples(folder_ / "test.json"), eval,
                              silent_reporter());
  }
  std::filesystem::path folder_;
  SummaryTrainOptions options_;
};

TEST_F(SummaryRun, LearnsTheRuleAndRefusesAForeignVocabulary) {
  const PairTrainReport trained = train_summarizer(options_, silent_reporter(), never_stop());
  EXPECT_EQ(trained.pairs, 700);
  Summarizer summarizer = Summarizer::open(options_.run);
  const SummaryEvalReport found = test(summarizer);
  EXPECT_GT(found.rouge[1].score, 75) << "chance is below 30: one of two names, one of two things";
  EXPECT_LT(found.rules[1].second[1], 40) << "the rules do not solve it";
  EXPECT_GT(found.rules[1].second[0], 10);
  const SummaryEvalReport same = test(summarizer, found.decoding.hypotheses);
  EXPECT_EQ((*same.against_baseline)[0].p_value, 1);
  EXPECT_THROW((void)test(summarizer, std::vector<std::string>{"one line"}), ConfigError);
  EXPECT_THROW((void)test(summarizer, std::vector<std::string>{}), ConfigError) << "an empty file";

  // Hypotheses, odd input, and the same whether alone or in a batch.
  TokenSearchOptions search = summarizer.config().search;
  search.beam = search.nbest = 3;
  summarizer.set_search(search, 0.3);
  const std::vector<std::string> odd{"Zed: i bring tea\nAnn: i like figs", "", "no names", "Ann: \xFF figs",
                                     "Ann: " + very_long()};
  const auto results = summarizer.summarize(odd, 8);
  ASSERT_EQ(results.size(), odd.size());
  EXPECT_EQ(results[0].hypotheses.size(), 3u);
  EXPECT_GE(results[0].hypotheses[0].score, results[0].hypotheses[1].score);
  EXPECT_EQ(results[1].hypotheses.size(), 1u);
  EXPECT_EQ(results[1].hypotheses[0].text, "");
  EXPECT_TRUE(results[3].repaired);
  EXPECT_TRUE(results[4].cut);
  for (std::size_t i = 0; i < odd.size(); ++i) {
    const auto alone = summarizer.summarize(std::span(odd).subspan(i, 1), 1);
    EXPECT_EQ(alone[0].hypotheses[0].text, results[i].hypotheses[0].text) << i;
    EXPECT_NEAR(alone[0].hypotheses[0].score, results[i].hypotheses[0].score, 1e-3) << i;
  }

  const kgwalk::Summarizer open = kgwalk::Summarizer::open(options_.run);
  EXPECT_EQ(open.summarize({odd[0]}).front().text(),
            Summarizer::open(options_.run).summarize({&odd[0], 1})[0].text());
  EXPECT_THROW((void)kgwalk::Summarizer::open(options_.run, {.nbest = 0}), ConfigError);

  const auto model = options_.run / "model";
  write_file_atomically(model / "sentencepiece.model", "other bytes");
  EXPECT_THROW((void)Summarizer::open(options_.run), FormatError);
}

TEST_F(SummaryRun, LeavesOutAndCutsAndGoesOnWithPillars) {
  Json all = read_json_file((folder_ / "train.json").string());
  all.push_back({{"dialogue", ""}, {"summary", "x"}});
  all.push_back({{"dialogue", "Ann: x"}, {"summary", ""}});
  all.push_back({{"dialogue", "Ann: " + very_long()}, {"summary", "Ann will bring tea."}});
  all.push_back({{"dialogue", "Ann: x"}, {"summary", very_long()}});
  write_file_atomically(options_.train, all.dump());
  options_.config.trainer.max_epochs = 1;
  PointerGeneratorOptions& model = options_.config.model;
  model.transformer.encoder.heads = model.transformer.decoder.heads = 4;
  options_.config.heads.groups = 2;
  const PairTrainReport grouped = train_summarizer(options_, silent_reporter(), never_stop());
  EXPECT_EQ(grouped.left_out, 3);
  EXPECT_EQ(grouped.cut, 1);
  SummaryTrainOptions smaller = options_;
  smaller.config.heads = {};
  smaller.run = folder_ / "pillars";
  smaller.pillars_of = options_.run;
  const PairTrainReport pillars = train_summarizer(smaller, silent_reporter(), never_stop());
  EXPECT_LT(pillars.parameters.all, grouped.parameters.all);
  EXPECT_EQ(Summarizer::open(smaller.run).config().model.transformer.decoder.heads, 2);
  SummaryTrainOptions next = options_;
  next.config.keep = "best";
  next.config.trainer.adam.lr = 0;
  next.run = folder_ / "next";
  next.from = options_.run;
  const double before = grouped.training.best_metrics.at("perplexity");
  EXPECT_EQ(train_summarizer(next, silent_reporter(), never_stop()).training.best_metrics.at("perplexity"),
            before);
  smaller.pillars_of = smaller.run;
  smaller.run = folder_ / "none";
  EXPECT_THROW((void)train_summarizer(smaller, silent_reporter(), never_stop()), ConfigError) << "no groups";
  model.copy = false;
  options_.config.coverage = 1;
  EXPECT_THROW((void)train_summarizer(options_, silent_reporter(), never_stop()), ConfigError)
      << "coverage is of the attention that copies";
}

}  // namespace
}  // namespace kgwalk::seq2seq
