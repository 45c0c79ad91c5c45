// The presets named "..._paper" at their full size: each network is made, one at a time, and its weights are
// counted beside the paper's count. What differs by more than rounding is said beside the row.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "runtime/tensor/torch.h"
#include "seq2seq/models/ctc_attention.h"
#include "seq2seq/tasks/language/config.h"
#include "seq2seq/tasks/presets.h"
#include "seq2seq/tasks/recognition/config.h"
#include "seq2seq/tasks/translation/config.h"

namespace kgwalk::seq2seq {
namespace {

std::int64_t weights_of(const torch::nn::Module& module, const std::string& without = "?") {
  std::int64_t count = 0;
  for (const auto& p : module.named_parameters())
    if (p.key().find(without) == std::string::npos) count += p.value().numel();
  return count;
}

std::int64_t translator(const std::string& name, std::int64_t vocabulary) {
  TranslationConfig config;
  apply_json(config, task_preset("mt", name), name);
  validate(config);
  return weights_of(*EncoderDecoder(config.model, vocabulary));
}

double millions(std::int64_t weights) { return std::round(static_cast<double>(weights) / 1e4) / 100; }

constexpr std::int64_t kShared =
    43636;  // "about 44 k": what leaves the paper's 66.48 million for Transformer base

TEST(PaperSizes, TransformersHaveTheWeightsOfTheirPapers) {
  EXPECT_EQ(millions(translator("base_paper", kShared)), 66.48) << "Hiformer, table III";
  EXPECT_EQ(millions(translator("hiformer_sum_paper", kShared)), 66.48) << "Hiformer, table III: none more";
  EXPECT_NEAR(static_cast<double>(translator("base_paper", 1)) / 1e6, 44, 0.5) << "thesis, table 3.4: 44M";
  EXPECT_NEAR(static_cast<double>(translator("big_paper", 1)) / 1e6, 176, 0.6) << "thesis, table 3.4: 176M";
  EXPECT_EQ(translator("ght_paper", 1), translator("base_paper", 1)) << "groups of heads have no weights";
}

// 66.70 counts three earlier layers in each of 18 attentions, 4,096 weights each. A layer that has fewer
// below it attends to fewer here, so that six of the 54 matrices of encoder and of decoder are not there.
TEST(PaperSizes, HiformerHasAMatrixForEveryEarlierLayerThereIs) {
  const std::int64_t more = translator("hiformer_concat_paper", kShared) - translator("base_paper", kShared);
  EXPECT_EQ(more, (18 + 12 + 12) * 64 * 64);
  EXPECT_NEAR(millions(translator("hiformer_concat_paper", kShared)), 66.70, 0.06);
}

// Two weights a group or layer: fusion is nearly free (Eq. 2 and 4), the encoder's with a norm.
TEST(PaperSizes, GtransAddsAHandfulOfWeights) {
  for (const auto& [name, encoder, decoder] :
       {std::tuple{"gtrans_paper", 6, 6}, {"gtrans_12_paper", 12, 12}, {"gtrans_60_paper", 60, 12}}) {
    TranslationConfig config;
    apply_json(config, task_preset("mt", name), name);
    validate(config);
    EXPECT_EQ(config.model.encoder.layers, encoder);
    EXPECT_EQ(config.model.decoder.layers, decoder);
    const std::int64_t fused = weights_of(*EncoderDecoder(config.model, 10000));
    config.model.encoder.group_layers = config.model.decoder.group_layers = 0;
    const std::int64_t plain = weights_of(*EncoderDecoder(config.model, 10000));
    EXPECT_GT(fused, plain) << name;
    EXPECT_LT(fused - plain, 1200) << name << ": " << fused << " and " << plain;
  }
}

TEST(PaperSizes, TheLanguageModelHas201MillionBesideItsWords) {
  for (const char* name : {"base_paper", "ght_paper"}) {
    LanguageConfig config;
    apply_json(config, task_preset("lm", name), name);
    validate(config);
    const TransformerLanguageModel model(config.model, 100000);
    EXPECT_NEAR(static_cast<double>(weights_of(*model->decoder)) / 1e6, 201, 0.8)
        << name << ", thesis, table 3.6";
  }
}

std::int64_t recognizer(const std::string& name, std::int64_t units) {
  RecognitionConfig config;
  apply_json(config, task_preset("asr", name), name);
  validate(config);
  return weights_of(*CtcAttention(config.model, 80, 1, units));
}

// 20.90 thousand for D-TASA. For R-TASA the paper counts 5.26, which is near twelve layers of both
// convolutions (5.28); the first layer has nothing to receive and none here, as in D-TASA, which makes
// eleven.
TEST(PaperSizes, TasaAddsWhatItsPaperCounts) {
  const std::int64_t plain = recognizer("transformer_paper", 4233);
  EXPECT_EQ(recognizer("r_tasa_paper", 4233) - plain, 11 * ((9 * 16 + 4) + (2 * 9 * 16 + 4)));
  EXPECT_EQ(std::round(static_cast<double>(recognizer("d_tasa_paper", 4233) - plain) / 10) / 100, 20.90);
}

// 126.64 and 116.15 million: 40 matrices of 512 x 512, of which layers with only one layer below them have
// none; they have one here, which makes 42.
TEST(PaperSizes, ChiformerIsATenthLargerThanItsConformer) {
  const std::int64_t conformer = recognizer("conformer_paper", 5000),
                     chiformer = recognizer("chiformer_paper", 5000);
  EXPECT_NEAR(static_cast<double>(conformer) / 1e6, 116.15, 2.5);
  EXPECT_EQ(chiformer - conformer, 42 * 512 * 512);
  EXPECT_GT(recognizer("d_tasa_conformer_paper", 4233), 30'000'000);
}

}  // namespace
}  // namespace kgwalk::seq2seq
