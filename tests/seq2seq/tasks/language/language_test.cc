#include <gtest/gtest.h>

#include <numeric>

#include "kgwalk/error.h"
#include "runtime/files.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/models/transformer_language_model.h"
#include "seq2seq/tasks/language/likelihood.h"
#include "seq2seq/tasks/language/task.h"
#include "tests/seq2seq/gradient_check.h"
#include "tests/temp_folder.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;

TEST(WordVocabulary, SortsByCountThenByFirstAppearance) {
  const std::vector<std::string> lines{"b a a", "c b a", ""};
  const WordVocabulary words = WordVocabulary::count(lines, 1);
  EXPECT_EQ(words.bytes(), "a\n<eos>\nb\nc\n<unk>\n");
  EXPECT_EQ(words.stream(std::vector<std::string>{"a z"}), (std::vector<std::int64_t>{0, 4, 1}));
  EXPECT_EQ(WordVocabulary::count(lines, 2).bytes(), "a\n<eos>\nb\n<unk>\n");
  EXPECT_EQ(WordVocabulary::parse(words.bytes(), "x").id_of("c"), 3);
  EXPECT_THROW((void)WordVocabulary::parse("a\na\n<unk>\n<eos>\n", "x"), FormatError);
  EXPECT_THROW((void)WordVocabulary::parse("a\n<unk>\n", "x"), FormatError);
}

TEST(AdaptiveVocabulary, ProbabilitiesSumToOneAndGiveTheLoss) {
  torch::manual_seed(1);
  AdaptiveVocabulary words(AdaptiveOptions{{3, 8}, 2}, 20, 8);
  const Tensor states = torch::randn({40, 8}), gold = torch::arange(40, torch::kInt64).remainder(20);
  const Tensor log_probs = words->log_probs(states);
  ASSERT_EQ(log_probs.sizes(), (std::vector<std::int64_t>{40, 20}));
  EXPECT_LT((log_probs.exp().sum(1) - 1).abs().max().item<double>(), 1e-5);
  const double expected = -log_probs.gather(1, gold.unsqueeze(1)).sum().item<double>();
  EXPECT_NEAR(words->loss(states, gold).nll, expected, 1e-3);
  EXPECT_TRUE(torch::allclose(words->gold_log_probs(states, gold),
                              log_probs.gather(1, gold.unsqueeze(1)).squeeze(1), 1e-4, 1e-5));
  EXPECT_NEAR(words->loss(states, gold).loss.item<double>(), expected, 1e-3);
  // Words of a band are embedded by its own narrower table.
  const Tensor found = words->embed(torch::tensor({{9, 1}}, torch::kInt64));
  EXPECT_TRUE(torch::allclose(found[0][1], words->tables[0][1]));
  EXPECT_TRUE(torch::allclose(found[0][0], torch::mv(words->maps[1], words->tables[2][1])));
  EXPECT_THROW(AdaptiveVocabulary(AdaptiveOptions{{20}, 2}, 20, 8), ConfigError);
  EXPECT_THROW(AdaptiveVocabulary(AdaptiveOptions{{5, 4}, 2}, 20, 8), ConfigError);
}

TEST(AdaptiveVocabulary, GradientsMatch) {
  torch::manual_seed(2);
  AdaptiveVocabulary words(AdaptiveOptions{{3, 6}, 2}, 10, 4);
  words->to(torch::kFloat64);
  for (std::size_t b = 0; b < words->tables.size(); ++b)
    words->tables[b] = words->named_parameters()["tables_" + std::to_string(b)];
  for (std::size_t b = 0; b < words->maps.size(); ++b)
    words->maps[b] = words->named_parameters()["maps_" + std::to_string(b + 1)];
  words->clusters = words->named_parameters()["clusters"];
  const Tensor ids = torch::arange(10, torch::kInt64);
  testing::expect_gradients_match(testing::leaves_of(*words),
                                  [&] { return words->loss(words->embed(ids), ids).loss; });
}

LanguageConfig small_language() {
  LanguageConfig config;
  apply_json(config,
             Json::parse(R"({"model": {"decoder": {"layers": 2, "width": 16, "heads": 2, "ffn_width": 32},
      "vocabulary": {"cutoffs": [5], "divide": 2}}, "window": 8, "rows": 4, "eval_window": 8, "eval_stride": 3})"),
             "test");
  return config;
}

TEST(TransformerLanguageModel, StepsEqualTheWhole) {
  for (const char* positions : {"sinusoidal", "none"}) {
    torch::manual_seed(3);
    TransformerLanguageModelOptions options = small_language().model;
    options.positions = positions;
    options.decoder.relative_positions = options.positions == AddedPositions::kNone;
    TransformerLanguageModel model(options, 12);
    model->eval();
    const torch::NoGradGuard no_grad;
    const Tensor ids = torch::randint(12, {3, 7}, torch::kInt64);
    const Tensor whole = model->forward(ids);
    DecoderState state = model->start(3);
    EXPECT_LT((model->step(ids.narrow(1, 0, 4), state) - model->vocabulary->log_probs(whole.select(1, 3)))
                  .abs()
                  .max()
                  .item<double>(),
              1e-4);
    for (std::int64_t t = 4; t < 7; ++t)
      EXPECT_LT((model->step(ids.narrow(1, t, 1), state) - model->vocabulary->log_probs(whole.select(1, t)))
                    .abs()
                    .max()
                    .item<double>(),
                1e-4)
          << t;
  }
}

TEST(LanguageConfig, EvaluationStaysAmongThePositionsOfTraining) {
  LanguageConfig config = small_language();
  EXPECT_NO_THROW(validate(config));
  config.eval_window = 9;
  EXPECT_THROW(validate(config), ConfigError);
  config.model.positions = "none";
  config.model.decoder.relative_positions = true;
  EXPECT_NO_THROW(validate(config));
  config.eval_stride = 10;
  EXPECT_THROW(validate(config), ConfigError);
}

// Against words told one by one.
TEST(SlidingLikelihood, TellsEveryWordOnceWithItsContext) {
  torch::manual_seed(4);
  const WordVocabulary words = WordVocabulary::count(std::vector<std::string>{"a b c d e f g h i j"}, 1);
  const LanguageConfig config = small_language();
  TransformerLanguageModel model(config.model, words.size());
  model->eval();
  const torch::NoGradGuard no_grad;
  for (const std::size_t count : {1u, 7u, 8u, 9u, 25u}) {
    std::vector<std::int64_t> stream, sequence{words.line_end()};
    for (std::size_t i = 0; i < count; ++i) stream.push_back(static_cast<std::int64_t>(i * 5 % 11));
    sequence.insert(sequence.end(), stream.begin(), stream.end());
    double expected = 0;
    std::size_t end = 0;  // of the window that tells word i
    for (std::size_t i = 1; i <= count; ++i) {
      while (end < i) end = std::min(end + (end == 0 ? 8 : 3), count);
      const std::size_t begin = end > 8 ? end - 8 : 0;
      const std::vector<std::int64_t> seen(sequence.begin() + static_cast<std::ptrdiff_t>(begin),
                                           sequence.begin() + static_cast<std::ptrdiff_t>(i));
      const Tensor states = model->forward(torch::tensor(seen, torch::kInt64).unsqueeze(0))[0];
      expected -= model->vocabulary->log_probs(states.narrow(0, states.size(0) - 1, 1))[0][sequence[i]]
                      .item<double>();
    }
    const std::vector<float> found = sliding_log_probs(model, words, stream, config);
    EXPECT_EQ(found.size(), count);
    EXPECT_NEAR(-std::accumulate(found.begin(), found.end(), 0.0), expected, 1e-3) << count << " words";
  }
}

TEST(Likelihood, LinesAreWrittenReadAndCompared) {
  const test::TempFolder folder;
  const std::vector<LineLikelihood> one{{10.25, 4}, {3, 1}, {0.125, 2}}, two{{9.25, 4}, {2.5, 1}, {0.1, 2}};
  write_file_atomically(folder / "one", to_text(one));
  const std::vector<LineLikelihood> read = read_line_likelihoods(folder / "one");
  ASSERT_EQ(read.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read[i].negative_log_prob, one[i].negative_log_prob);
    EXPECT_EQ(read[i].words, one[i].words);
  }
  const PairedBootstrap test = compare(one, "one", two);
  EXPECT_DOUBLE_EQ(test.baseline.score, std::exp(13.375 / 7));
  EXPECT_DOUBLE_EQ(test.system.score, std::exp(11.85 / 7));
  EXPECT_LT(test.difference.high, 0) << "every line is better";
  EXPECT_EQ(compare(one, "one", one).p_value, 1);

  EXPECT_THROW((void)compare(std::span(one).first(2), "one", two), DataError);
  for (const char* bad :
       {"1.5\t3\n2 4\n", "1.5\t3\n2.5\t4 words\n", "1.5\t3\nnan\t4\n", "1.5\t3\n2\t0\n", "1.5\t3\n\n"}) {
    write_file_atomically(folder / "bad", bad);
    try {
      (void)read_line_likelihoods(folder / "bad");
      ADD_FAILURE() << bad;
    } catch (const DataError& error) {
      EXPECT_EQ(error.line(), 2u) << bad;
    }
  }
  std::vector<LineLikelihood> other = one;
  other[1].words = 5;
  try {
    (void)compare(other, "other", two);
    ADD_FAILURE();
  } catch (const DataError& error) {
    EXPECT_EQ(error.line(), 2u);
  }
}

TEST(LanguageTask, WindowsCoverTheTextAndMoveBetweenPasses) {
  const WordVocabulary words = WordVocabulary::count(std::vector<std::string>{"a b c d e f"}, 1);
  std::vector<std::int64_t> text(200, 1);
  const LanguageConfig config = small_language();
  LanguageTask task(config, TransformerLanguageModel(config.model, words.size()), words, text, text);
  Random random(1);
  EXPECT_EQ(task.begin_epoch(0, random), 6);  // 24 windows of 8 words, 4 a batch
  const StepResult result = task.step(5);
  EXPECT_GT(result.loss.item<double>(), 0);
  EXPECT_THROW(
      LanguageTask(config, TransformerLanguageModel(config.model, words.size()), words, {1, 2, 3}, text),
      ConfigError);
}

}  // namespace
}  // namespace kgwalk::seq2seq
