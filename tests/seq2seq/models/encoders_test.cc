// BERT and wav2vec 2.0 against references, their file formats, and significance read off them.
#include <gtest/gtest.h>

#include "kgwalk/error.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/attention/significance.h"
#include "seq2seq/models/albert.h"
#include "seq2seq/models/bert.h"
#include "seq2seq/models/wav2vec2.h"
#include "tests/seq2seq/gradient_check.h"
#include "tests/seq2seq/tasks/understanding/model_folder.h"

namespace kgwalk::seq2seq {
namespace {

using testing::Folder;
using testing::largest_difference;
using testing::message_of;
using testing::tensor_of;
using torch::Tensor;

Json golden(const char* name) {
  return read_json_file((testing::source_dir() / "tests/golden" / name).string());
}

Json with_type(Json config, const char* type) {
  config["model_type"] = type;
  config["classifier_dropout"] = nullptr;  // a key that does not concern us
  return config;
}

TokenInput token_input(const Json& c) {
  return {tensor_of(c["inputs"]["ids"], torch::kInt64), tensor_of(c["inputs"]["keep"], torch::kBool),
          tensor_of(c["inputs"]["types"], torch::kInt64)};
}

TEST(BertGolden, FolderInHuggingFacesFormatEqualsTheReference) {
  const torch::NoGradGuard guard;
  const Json cases = golden("bert.json");
  for (const auto& item : cases.items()) {
    const Json& c = item.value();
    const Folder folder("kgwalk_bert_golden");
    folder.write(with_type(c["options"], "bert"), testing::weights_of(c["weights"]));
    TokenEncoder model = load_token_encoder(folder.path());
    model->to(torch::kFloat64);
    AttentionTrace trace;
    trace.keep_logits = true;
    const TokenInput input = token_input(c);
    const TokenOutput out = model->forward(input, true, &trace);
    EXPECT_LT(largest_difference(out.states.masked_fill(input.keep.logical_not().unsqueeze(2), 0),
                                 tensor_of(c["expected"]["states"])),
              1e-5)
        << item.key();
    EXPECT_LT(largest_difference(out.pooled, tensor_of(c["expected"]["pooled"])), 1e-5);
    EXPECT_EQ(out.hidden.size(), 3u);
    EXPECT_LT(largest_difference(significance_of(trace, input.keep, SignificanceLayers::kAll),
                                 tensor_of(c["expected"]["significance"])),
              1e-6);
    EXPECT_LT(largest_difference(significance_of(trace, input.keep, SignificanceLayers::kLast),
                                 tensor_of(c["expected"]["significance_last"])),
              1e-6);
  }
}

TEST(BertFolder, OldSpellingsAndPrefixesAreRead) {
  const Json c = golden("bert.json")["bert_gelu"];
  NamedTensors weights;
  for (auto& [name, tensor] : testing::weights_of(c["weights"])) {
    std::string old = "bert." + name;
    for (const auto& [now, then] :
         {std::pair{"LayerNorm.weight", "LayerNorm.gamma"}, {"LayerNorm.bias", "LayerNorm.beta"}})
      if (const std::size_t at = old.find(now); at != std::string::npos)
        old.replace(at, std::strlen(now), then);
    weights[old] = tensor;
  }
  weights["cls.predictions.bias"] = torch::zeros({11});
  weights["bert.embeddings.position_ids"] = torch::arange(7);
  const Folder folder("kgwalk_bert_old");
  folder.write(with_type(c["options"], "bert"), weights);
  const Bert model = load_bert(folder.path());
  EXPECT_EQ(checksum_of(bert_state(model)), checksum_of(testing::weights_of(c["weights"])));
  const Folder again("kgwalk_bert_again");
  save_bert(model, again.path());
  EXPECT_EQ(checksum_of(bert_state(load_bert(again.path()))), checksum_of(bert_state(model)));
}

TEST(BertFolder, EveryDifferenceIsToldAtOnce) {
  const Json c = golden("bert.json")["bert_relu"];
  NamedTensors weights = testing::weights_of(c["weights"]);
  weights.erase("encoder.layer.1.output.dense.bias");
  weights["encoder.layer.2.output.dense.bias"] = torch::zeros({8});
  weights["embeddings.LayerNorm.weight"] = torch::zeros({9});
  const Folder folder("kgwalk_bert_bad");
  folder.write(with_type(c["options"], "bert"), weights);
  const std::string message = message_of<FormatError>([&] { (void)load_bert(folder.path()); });
  EXPECT_NE(message.find("missing encoder.layer.1.output.dense.bias [8]"), std::string::npos) << message;
  EXPECT_NE(message.find("unknown encoder.layer.2.output.dense.bias [8]"), std::string::npos);
  EXPECT_NE(message.find("embeddings.LayerNorm.weight is [9], must be [8]"), std::string::npos);
  folder.write(with_type(c["options"], "roberta"), weights);
  EXPECT_NE(message_of<FormatError>([&] { (void)load_token_encoder(folder.path()); }).find("'roberta'"),
            std::string::npos);
  EXPECT_NE(message_of<FormatError>([&] { (void)load_bert(folder.path()); }).find("only \"bert\""),
            std::string::npos);
}

TEST(Significance, OfAlbertCountsEachPassOfItsSharedLayer) {
  AlbertOptions options;
  options.vocab_size = 20;
  options.embedding_size = 8;
  options.hidden_size = 16;
  options.num_hidden_layers = 3;
  options.num_attention_heads = 2;
  options.intermediate_size = 24;
  options.max_position_embeddings = 12;
  options.initializer_range = 0.3;
  torch::manual_seed(3);
  Albert model(options);
  model->eval();
  const torch::NoGradGuard guard;
  AttentionTrace trace;
  trace.keep_logits = true;
  (void)model->forward({torch::randint(20, {2, 6}, torch::kInt64), {}, {}}, false, &trace);
  EXPECT_EQ(trace.layers.size(), 3u);
  const Tensor all = significance_of(trace, {}, SignificanceLayers::kAll);
  EXPECT_LT(largest_difference(all.sum(1), torch::ones({2})), 1e-6);
  EXPECT_GT(largest_difference(all, significance_of(trace, {}, SignificanceLayers::kLast)), 1e-6);
}

TEST(Significance, NeedsLogitsAndMovesItsMassToAPart) {
  const AttentionTrace empty;
  EXPECT_THROW((void)significance_of(empty, {}, SignificanceLayers::kAll), ShapeError);
  AttentionTrace without;
  without.layers.emplace_back();
  EXPECT_THROW((void)significance_of(without, {}, SignificanceLayers::kAll), ShapeError);
  EXPECT_THROW((void)Choice<SignificanceLayers>("first"), ConfigError);
  const Tensor prior = torch::tensor({{0.5, 0.3, 0.2}, {1.0, 0.0, 0.0}}, torch::kFloat64);
  const Tensor part = torch::tensor({{false, true, true}, {false, true, true}});
  EXPECT_LT(largest_difference(restrict_prior(prior, part),
                               torch::tensor({{0.0, 0.6, 0.4}, {0.0, 0.5, 0.5}}, torch::kFloat64)),
            1e-12);
}

SpeechInput speech_input(const Json& c, bool hidden) {
  SpeechInput input{tensor_of(c["inputs"]["samples"]), tensor_of(c["inputs"]["lengths"], torch::kInt64), {}};
  if (hidden) input.hide = tensor_of(c["inputs"]["hide"], torch::kBool);
  return input;
}

TEST(Wav2Vec2Golden, PaddedBatchesEqualTheReferenceWithoutPadding) {
  const torch::NoGradGuard guard;
  const Json cases = golden("wav2vec2.json");
  for (const auto& item : cases.items()) {
    const Json& c = item.value();
    const Folder folder("kgwalk_wav2vec2_golden");
    folder.write(with_type(c["options"], "wav2vec2"), testing::weights_of(c["weights"]));
    Wav2Vec2 model = load_wav2vec2(folder.path());
    model->to(torch::kFloat64);
    for (const bool hidden : {false, true}) {
      const SpeechOutput out = model->forward(speech_input(c, hidden), true);
      ASSERT_EQ(out.hidden.size(), 3u);
      const Tensor states = torch::stack(out.hidden, 1);  // [B, L + 1, T, D]
      const char* names[2][2] = {{"first", "second"}, {"first_masked", "second_masked"}};
      for (int b = 0; b < 2; ++b) {
        const Tensor expected = tensor_of(c["expected"][names[hidden][b]]);
        EXPECT_EQ(out.keep[b].sum().item<std::int64_t>(), expected.size(1));
        EXPECT_LT(largest_difference(states[b].narrow(1, 0, expected.size(1)), expected), 1e-5)
            << item.key() << " example " << b << " hidden " << hidden;
      }
      EXPECT_TRUE(torch::equal(out.states, out.hidden.back()));
    }
    // Without padding torch's own group norm runs.
    const SpeechOutput alone =
        model->forward({tensor_of(c["inputs"]["samples"]).narrow(0, 0, 1), {}, {}}, true);
    EXPECT_LT(largest_difference(torch::stack(alone.hidden, 1)[0], tensor_of(c["expected"]["first"])), 1e-5);
  }
}

TEST(Wav2Vec2Folder, HeadsOfPreTrainingAndNewSpellingsAreReadOtherThingsRefused) {
  const Json c = golden("wav2vec2.json")["base"];
  NamedTensors weights;
  for (auto& [name, tensor] : testing::weights_of(c["weights"])) weights["wav2vec2." + name] = tensor;
  const auto rename = [&](const std::string& from, const std::string& to) {
    weights["wav2vec2.encoder.pos_conv_embed.conv." + to] =
        weights.at("wav2vec2.encoder.pos_conv_embed.conv." + from);
    weights.erase("wav2vec2.encoder.pos_conv_embed.conv." + from);
  };
  rename("weight_g", "parametrizations.weight.original0");
  rename("weight_v", "parametrizations.weight.original1");
  weights["quantizer.codevectors"] = torch::zeros({1, 2, 3});
  const Folder folder("kgwalk_wav2vec2_new");
  folder.write(with_type(c["options"], "wav2vec2"), weights);
  const Wav2Vec2 model = load_wav2vec2(folder.path());
  EXPECT_EQ(checksum_of(wav2vec2_state(model)), checksum_of(testing::weights_of(c["weights"])));
  const Folder again("kgwalk_wav2vec2_again");
  save_wav2vec2(model, again.path());
  EXPECT_EQ(checksum_of(wav2vec2_state(load_wav2vec2(again.path()))), checksum_of(wav2vec2_state(model)));
  weights.erase("wav2vec2.encoder.layer_norm.bias");
  weights["adapter.weight"] = torch::zeros({2});
  folder.write(with_type(c["options"], "wav2vec2"), weights);
  const std::string message = message_of<FormatError>([&] { (void)load_wav2vec2(folder.path()); });
  EXPECT_NE(message.find("missing encoder.layer_norm.bias [8]"), std::string::npos) << message;
  EXPECT_NE(message.find("unknown adapter.weight [2]"), std::string::npos);
}

Wav2Vec2Options small_speech() {
  Wav2Vec2Options options;
  options.conv_dim = {4, 4};
  options.conv_kernel = {4, 3};
  options.conv_stride = {3, 2};
  options.num_conv_pos_embeddings = 4;
  options.num_conv_pos_embedding_groups = 2;
  options.hidden_size = 8;
  options.num_hidden_layers = 1;
  options.num_attention_heads = 2;
  options.intermediate_size = 8;
  options.initializer_range = 0.3;
  options.hidden_dropout = options.attention_dropout = options.activation_dropout = 0;
  return options;
}

TEST(Wav2Vec2, GradientsMatchWithPaddingAndMask) {
  for (const char* norm : {"group", "layer"}) {
    Wav2Vec2Options options = small_speech();
    options.feat_extract_norm = norm;
    torch::manual_seed(5);
    Wav2Vec2 model(options);
    model->to(torch::kFloat64);
    const Tensor samples = torch::randn({2, 40}, torch::kFloat64);
    const Tensor lengths = torch::tensor({40, 26}, torch::kInt64);
    Tensor hide = torch::zeros({2, options.frames(40)}, torch::kBool);
    hide[0][1] = true;
    testing::expect_gradients_match(
        testing::leaves_of(*model),
        [&] {
          const SpeechOutput out = model->forward({samples, lengths, hide});
          return out.states.masked_fill(out.keep.logical_not().unsqueeze(2), 0);
        },
        6);
  }
}

TEST(Wav2Vec2, FramesCountAndTooShortExamplesAreRefused) {
  const Wav2Vec2Options base;
  EXPECT_EQ(base.frames(16000), 49);
  EXPECT_EQ(base.samples_per_frame(), 320);
  EXPECT_EQ(base.receptive_field(), 400);
  EXPECT_EQ(base.frames(399), 0);
  EXPECT_EQ(base.frames(400), 1);
  Wav2Vec2 model(small_speech());
  EXPECT_NE(message_of<ShapeError>([&] {
              (void)model->forward({torch::zeros({1, 5}), {}, {}});
            }).find("a frame needs 10"),
            std::string::npos);
  Wav2Vec2Options bad = small_speech();
  bad.conv_stride.pop_back();
  bad.num_attention_heads = 3;
  const std::string message = message_of<ConfigError>([&] { Wav2Vec2 other(bad); });
  EXPECT_NE(message.find("same length"), std::string::npos);
  EXPECT_NE(message.find("num_attention_heads"), std::string::npos);
}

TEST(Wav2Vec2, FrozenConvolutionsGetNoGradient) {
  Wav2Vec2 model(small_speech());
  model->freeze_convolutions();
  model->forward({torch::randn({2, 40}), {}, {}}).states.sum().backward();
  EXPECT_FALSE(model->convolutions[0]->weight.grad().defined());
  EXPECT_FALSE(model->conv_norms[0]->weight.grad().defined());
  EXPECT_TRUE(model->projection->weight.grad().defined());
}

}  // namespace
}  // namespace kgwalk::seq2seq
