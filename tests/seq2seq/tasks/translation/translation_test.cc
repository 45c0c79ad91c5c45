#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <limits>

#include "kgwalk/error.h"
#include "runtime/files.h"
#include "runtime/tensor/tensor_io.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/models/encoder_decoder.h"
#include "seq2seq/tasks/language/config.h"
#include "seq2seq/tasks/model_folder.h"
#include "seq2seq/tasks/presets.h"
#include "seq2seq/tasks/translation/plots.h"
#include "seq2seq/tasks/translation/task.h"
#include "seq2seq/tasks/translation/translator.h"
#include "seq2seq/text/spm_train.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;

EncoderDecoderOptions small_translator() {
  EncoderDecoderOptions options;
  for (StackOptions* stack : {&options.encoder, &options.decoder}) {
    stack->layers = 2;
    stack->width = 16;
    stack->heads = 2;
    stack->ffn_width = 32;
    stack->dropout = 0;
    stack->attention_dropout = 0;
  }
  return options;
}

// All steps of one batch, fed piece by piece, against teacher forcing; and a padded batch
// against single sentences.
void expect_steps_equal_teaching(const EncoderDecoderOptions& options) {
  torch::manual_seed(5);
  EncoderDecoder model(options, 30);
  model->eval();
  const torch::NoGradGuard no_grad;
  const Tensor source = torch::randint(4, 30, {2, 6}, torch::kInt64),
               target = torch::randint(4, 30, {2, 5}, torch::kInt64);
  Tensor keep = torch::ones({2, 6}, torch::kBool);
  keep[1].slice(0, 4).fill_(false);
  const EncodedSource encoded = model->encode(source, keep);
  const Tensor taught =
      torch::log_softmax(model->scores(model->teach(encoded, target, {})), -1);  // [B, T, V]
  DecoderState state = model->start(encoded);
  for (std::int64_t t = 0; t < 5; ++t) {
    const Tensor stepped = torch::log_softmax(model->step(target.select(1, t), state), -1);
    EXPECT_LT((stepped - taught.select(1, t)).abs().max().item<double>(), 1e-4) << "step " << t;
  }
  const EncodedSource alone = model->encode(source.slice(0, 1).slice(1, 0, 4), {});
  const Tensor single = torch::log_softmax(model->scores(model->teach(alone, target.slice(0, 1), {})), -1);
  EXPECT_LT((single - taught.slice(0, 1)).abs().max().item<double>(), 1e-4) << "padding leaks";

  // The losses are those of the same scores; keep of the target leaves its last position out.
  Tensor target_keep = torch::ones({2, 5}, torch::kBool);
  target_keep[1][4].fill_(false);
  const Tensor rows = torch::arange(9, torch::kInt64), gold = torch::randint(30, {9}, torch::kInt64);
  const Tensor picked = taught.flatten(0, 1).narrow(0, 0, 9).gather(1, gold.unsqueeze(1));
  EXPECT_NEAR(model->negative_log_prob(encoded, {target, target_keep, rows, gold}),
              -picked.sum().item<double>(), 1e-3);
}

TEST(EncoderDecoder, StepsEqualTeachingAndPaddingDoesNotLeak) {
  expect_steps_equal_teaching(small_translator());
}

TEST(EncoderDecoder, HoldsWithEveryOptionOfItsStacks) {
  EncoderDecoderOptions options = small_translator();
  options.encoder.hi.history = options.decoder.hi.history = options.decoder.hi_memory.history = 1;
  expect_steps_equal_teaching(options);
  options = small_translator();
  options.encoder.tasa.mode = options.decoder.tasa.mode = "dense";
  expect_steps_equal_teaching(options);
  options = small_translator();
  options.encoder.group_layers = options.decoder.group_layers = 1;
  options.encoder.norm = options.decoder.norm = "post";
  expect_steps_equal_teaching(options);
  options = small_translator();
  options.positions = "learnt";
  options.normalize_embeddings = options.output_bias = true;
  options.scale_embeddings = false;
  options.encoder.norm = options.decoder.norm = "post";
  expect_steps_equal_teaching(options);
}

TEST(EncoderDecoder, RefusesUnequalWidths) {
  EncoderDecoderOptions options = small_translator();
  options.decoder.width = 32;
  EXPECT_THROW(EncoderDecoder(options, 10), ConfigError);
}

TEST(TranslationPresets, AreValidAndNamed) {
  ASSERT_FALSE(task_preset_names("mt").empty());
  for (const std::string& name : task_preset_names("mt")) {
    TranslationConfig config;
    apply_json(config, task_preset("mt", name), name);
    EXPECT_NO_THROW(validate(config)) << name;
  }
  for (const std::string& name : task_preset_names("lm")) {
    LanguageConfig config;
    apply_json(config, task_preset("lm", name), name);
    EXPECT_NO_THROW(validate(config)) << name;
  }
  EXPECT_THROW((void)task_preset("mt", "plian"), ConfigError);
}

// Without dropout both passes say the same, if the rows that belong together are compared.
TEST(PairedLoss, IsTwiceTheLossWhereNothingIsDroppedOut) {
  torch::manual_seed(8);
  EncoderDecoder model(small_translator(), 30);
  model->eval();
  const PiecePair first{{9, 3}, {4, 5, 3}}, second{{9, 9, 3}, {6, 3}}, third{{7, 3}, {8, 8, 8, 3}};
  const auto batch_of = [](const std::vector<const PiecePair*>& pairs) { return make_batch(pairs, 2); };
  const TranslationBatch once = batch_of({&first, &second, &third});
  const TranslationBatch twice = batch_of({&first, &second, &third, &first, &second, &third});
  const auto encode = [&](const TranslationBatch& batch) {
    return model->encode(batch.source.ids, batch.source.keep);
  };
  const ProjectionLoss single = model->loss(encode(once), once.target, 0.1);
  const ProjectionLoss both = model->paired_loss(encode(twice), twice.target, 0.1, 1000);
  EXPECT_NEAR(both.loss.item<double>() / (2 * single.loss.item<double>()), 1, 1e-5);
  EXPECT_NEAR(both.nll / (2 * single.nll), 1, 1e-5);
  EXPECT_THROW((void)model->paired_loss(encode(once), once.target, 0.1, 1), ShapeError) << "nine pieces";
}

class TranslatorFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!spm_train_available()) GTEST_SKIP() << "spm_train is not installed";
    folder_ = std::filesystem::temp_directory_path() / ("kgwalk_translator_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] SentencePiece vocabulary(const std::string& more = "") const {
    std::vector<std::string> lines;
    for (const char* word : {"ein hund", "eine katze", "a dog", "a cat"})
      for (int i = 0; i < 5; ++i) lines.push_back(word + more);
    VocabularyOptions options;
    options.size = 40;
    options.coverage = 1;
    options.control = {kStartPiece, kEndPiece};
    return train_sentencepiece(lines, options, folder_);
  }
  [[nodiscard]] TranslationConfig config() const {
    TranslationConfig c;
    c.model = small_translator();
    c.model.max_length = 12;
    return c;
  }
  std::filesystem::path folder_;
};

TEST_F(TranslatorFolder, TranslatesEveryKindOfLine) {
  torch::manual_seed(1);
  SentencePiece pieces = vocabulary();
  EncoderDecoder model(config().model, pieces.size());
  const Translator translator(config(), model, std::move(pieces));
  const std::vector<std::string> lines{"a dog", "", "   ", "a cat a cat a cat a cat a cat a cat a cat",
                                       "\xFFx", "☃"};
  const auto translations = translator.translate(lines, 4);
  ASSERT_EQ(translations.size(), lines.size());
  for (const std::size_t empty : {1u, 2u}) {
    ASSERT_EQ(translations[empty].hypotheses.size(), 1u);
    EXPECT_EQ(translations[empty].hypotheses[0].text, "");
  }
  EXPECT_TRUE(translations[3].cut);
  EXPECT_FALSE(translations[0].cut);
  EXPECT_TRUE(translations[4].repaired);
  // A batch changes nothing.
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto alone = translator.translate(std::span(lines).subspan(i, 1), 1);
    EXPECT_EQ(alone[0].hypotheses[0].text, translations[i].hypotheses[0].text) << i;
    EXPECT_NEAR(alone[0].hypotheses[0].score, translations[i].hypotheses[0].score, 1e-4) << i;
  }
}

TEST_F(TranslatorFolder, EveryAttentionHasAPicture) {
  torch::manual_seed(1);
  SentencePiece pieces = vocabulary();
  EncoderDecoder model(config().model, pieces.size());
  const Translator translator(config(), model, std::move(pieces));
  const auto plots = translation_plots(translator, "a dog", "ein hund");
  ASSERT_EQ(plots.size(), 6u) << "two layers in the encoder, two with two attentions in the decoder";
  for (const NamedPlot& plot : plots) EXPECT_NE(plot.svg.find("</svg>"), std::string::npos) << plot.name;
  EXPECT_THROW((void)translation_plots(translator, "", "ein hund"), ConfigError);
}

TEST_F(TranslatorFolder, NBestListsAreSortedAndDiffer) {
  torch::manual_seed(2);
  SentencePiece pieces = vocabulary();
  EncoderDecoder model(config().model, pieces.size());
  Translator translator(config(), model, std::move(pieces));
  TokenSearchOptions search;
  search.nbest = 4;
  translator.set_search(search);
  const auto found = translator.translate(std::vector<std::string>{"a dog"})[0].hypotheses;
  ASSERT_EQ(found.size(), 4u);
  for (std::size_t i = 1; i < found.size(); ++i) EXPECT_GE(found[i - 1].score, found[i].score);
}

TEST_F(TranslatorFolder, GroupsOfTheDecoderCanBeLeftOut) {
  torch::manual_seed(4);
  SentencePiece pieces = vocabulary();
  TranslationConfig grouped = config();
  grouped.model.encoder.group_layers = grouped.model.decoder.group_layers = 1;
  grouped.model.encoder.norm = grouped.model.decoder.norm = "post";
  EncoderDecoder model(grouped.model, pieces.size());
  Translator translator(grouped, model, std::move(pieces));
  const std::vector<std::string> lines{"a dog", "a cat a dog"};
  const auto score = [&] { return translator.translate(lines)[1].hypotheses[0].score; };
  const double whole = score();
  translator.keep_groups({0});
  const double first = score();
  EXPECT_NE(first, whole);
  {  // The layer above the group that stays is not run.
    const torch::NoGradGuard no_grad;
    for (const auto& p : model->decoder->named_parameters())
      if (p.key().starts_with("layers.1.")) p.value().fill_(std::numeric_limits<float>::quiet_NaN());
  }
  EXPECT_EQ(score(), first);
  EXPECT_THROW(translator.keep_groups({2}), ConfigError);
  SentencePiece again = vocabulary();
  EncoderDecoder plain(config().model, again.size());
  Translator ungrouped(config(), plain, std::move(again));
  EXPECT_THROW(ungrouped.keep_groups({0}), ConfigError);
}

TEST_F(TranslatorFolder, Int8WeightsTellNearlyTheSame) {
  torch::manual_seed(5);
  SentencePiece pieces = vocabulary();
  EncoderDecoder model(config().model, pieces.size());
  Translator translator(config(), model, std::move(pieces));
  const std::vector<std::string> lines{"a dog"};
  const double before = translator.translate(lines)[0].hypotheses[0].score;
  translator.quantize();
  const double after = translator.translate(lines)[0].hypotheses[0].score;
  EXPECT_NE(after, before);
  EXPECT_NEAR(after, before, 0.1 * std::abs(before));
}

TEST_F(TranslatorFolder, FoldersComeBackAndRefuseAForeignVocabulary) {
  torch::manual_seed(3);
  SentencePiece pieces = vocabulary();
  EncoderDecoder model(config().model, pieces.size());
  const auto folder = folder_ / "model";
  write_model_folder(folder, kTranslationRun, to_json_of(config()), state_of(*model),
                     {"sentencepiece.model", pieces.bytes()});
  const Translator opened = Translator::open(folder);
  const Translator original(config(), model, std::move(pieces));
  const std::vector<std::string> lines{"a dog", "a cat"};
  for (std::size_t i = 0; i < lines.size(); ++i)
    EXPECT_EQ(opened.translate(lines)[i].hypotheses[0].score,
              original.translate(lines)[i].hypotheses[0].score);
  EXPECT_THROW((void)read_model_files(folder, kLanguageRun, "sentencepiece.model"), FormatError);
  EXPECT_THROW((void)read_model_files(folder_, kTranslationRun, "sentencepiece.model"), FormatError);
  vocabulary(" xyz qqq").save(folder);
  EXPECT_THROW((void)Translator::open(folder), FormatError);
}

TEST_F(TranslatorFolder, WeightsAndVocabularyMustAgreeInSize) {
  EncoderDecoder model(config().model, 7);
  EXPECT_THROW((Translator(config(), model, vocabulary())), ConfigError);
}

TEST_F(TranslatorFolder, AveragesAreMeans) {
  write_tensors(folder_ / "a.safetensors", {{"x", torch::tensor({1.0f, 2.0f})}, {"n", torch::tensor({1})}});
  write_tensors(folder_ / "b.safetensors", {{"x", torch::tensor({3.0f, 6.0f})}, {"n", torch::tensor({2})}});
  write_tensors(folder_ / "c.safetensors", {{"y", torch::tensor({3.0f, 6.0f})}, {"n", torch::tensor({2})}});
  const NamedTensors mean = average_weights({folder_ / "a.safetensors", folder_ / "b.safetensors"});
  EXPECT_TRUE(torch::equal(mean.at("x"), torch::tensor({2.0f, 4.0f})));
  EXPECT_TRUE(torch::equal(mean.at("n"), torch::tensor({2})));
  EXPECT_THROW((void)average_weights({folder_ / "a.safetensors", folder_ / "c.safetensors"}), FormatError);
}

}  // namespace
}  // namespace kgwalk::seq2seq
