// TASA: convolutions over logits of earlier layers.
#include "seq2seq/attention/tasa.h"
#include "runtime/tensor/torch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kgwalk/error.h"
#include "seq2seq/attention/attention.h"
#include "seq2seq/layers/decoder.h"
#include "seq2seq/layers/encoder.h"
#include "tests/seq2seq/encoder_checks.h"
#include "tests/seq2seq/golden_readings.h"

namespace kgwalk::seq2seq {
namespace {

using testing::largest_difference;
using testing::load_weights;
using testing::tensor_of;
using torch::Tensor;

StackOptions tasa_options(const std::string& mode, const std::string& norm = "pre", int layers = 3) {
  StackOptions options;
  options.layers = layers;
  options.width = 8;
  options.heads = 2;
  options.ffn_width = 12;
  options.norm = norm;
  options.tasa.mode = mode;
  options.tasa.start = "uniform";  // so that what is received weighs as much as what is there
  return options;
}

// The layers' outputs for inputs x [L, B, T, D] that are given, not computed from one another.
Tensor run_layers(std::vector<MultiheadAttention>& layers, const Tensor& x, const Tensor& keep, bool causal) {
  AttentionTrace trace;
  AttentionCall call;
  call.masks = {keep, {}, causal};
  call.trace = &trace;
  std::vector<Tensor> outputs;
  for (std::size_t l = 0; l < layers.size(); ++l)
    outputs.push_back(layers[l]->forward(x[static_cast<std::int64_t>(l)], call));
  return torch::stack(outputs);
}

TEST(TasaGolden, EveryModeEqualsTheReference) {
  const Json cases = read_json_file((testing::source_dir() / "tests/golden/tasa.json").string());
  ASSERT_EQ(cases.size(), 8u);
  for (const auto& item : cases.items()) {
    const Json& c = item.value();
    AttentionOptions options;
    options.width = c["options"]["width"];
    options.heads = c["options"]["heads"];
    options.tasa.mode = c["options"]["mode"].get<std::string>();
    options.tasa.scale = c["options"]["scale"].get<std::string>();
    options.hi = {c["options"]["history"], 1, "sum"};
    std::vector<MultiheadAttention> layers;
    for (int l = 0; l < 3; ++l) {
      layers.emplace_back(options, AttentionSite{false, l});
      load_weights(*layers.back(), c["weights"][std::to_string(l)]);
    }
    const Tensor y = run_layers(layers, tensor_of(c["inputs"]["x"]),
                                tensor_of(c["inputs"]["key_keep"], torch::kBool), c["options"]["causal"]);
    EXPECT_LT(largest_difference(y, tensor_of(c["expected"]["y"])), 1e-11) << item.key();
  }
}

class TasaOtherReading : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Readings, TasaOtherReading,
                         ::testing::ValuesIn(testing::other_readings("tasa.json")), testing::reading_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(TasaOtherReading);

// Their projections act as x W without biases; a transmission has a name "from->to". They let the logits of
// padded queries into the convolutions, by which a padded example differs from the single sentence in the two
// last rows for each layer below; those rows are not compared (padding is tested below).
TEST_P(TasaOtherReading, IsEqual) {
  const Json cases = read_json_file(GetParam());
  for (const auto& item : cases.items()) {
    const Json &c = item.value(), &w = c["weights"];
    const Tensor x = tensor_of(c["inputs"]["x"]), lengths = tensor_of(c["inputs"]["lengths"], torch::kInt64);
    const Tensor keep = torch::arange(x.size(2)).unsqueeze(0) < lengths.unsqueeze(1);
    for (const std::string mode : {"residual", "dense"}) {
      std::vector<MultiheadAttention> layers;
      for (int l = 0; l < static_cast<int>(x.size(0)); ++l) {
        AttentionOptions options;
        options.width = static_cast<int>(x.size(3));
        options.heads = c["options"]["heads"];
        options.bias = false;
        options.tasa.mode = mode;
        MultiheadAttention& module = layers.emplace_back(options, AttentionSite{false, l});
        module->to(torch::kFloat64);
        const torch::NoGradGuard guard;
        const auto at = [&](const char* name) { return tensor_of(w[name])[l]; };
        module->qkv->weight.copy_(torch::cat({at("wq"), at("wk"), at("wv")}, 1).t());
        module->output->weight.copy_(at("wo").t());
        if (l == 0) continue;
        std::vector<Tensor> weights, biases;
        for (int from = mode == "dense" ? 0 : l - 1; from < l; ++from) {
          const Json& t = w["transmit"][std::to_string(from) + "->" + std::to_string(l)];
          weights.push_back(tensor_of(t["weight"]));
          biases.push_back(tensor_of(t["bias"]));
        }
        module->tasa->transmit_weight.copy_(torch::cat(weights));
        module->tasa->transmit_bias.copy_(torch::cat(biases));
        const Json& a = w["aggregate_" + mode][std::to_string(l)];
        module->tasa->aggregate_weight.copy_(tensor_of(a["weight"]));
        module->tasa->aggregate_bias.copy_(tensor_of(a["bias"]));
      }
      const Tensor y = run_layers(layers, x, keep, false);
      const Tensor wanted = tensor_of(c["expected"][mode]);
      for (std::int64_t l = 0; l < x.size(0); ++l)
        for (std::int64_t b = 0; b < x.size(1); ++b) {
          const std::int64_t length = lengths[b].item<std::int64_t>();
          const std::int64_t rows = length == x.size(2) ? length : std::max<std::int64_t>(0, length - 2 * l);
          EXPECT_LT(largest_difference(y[l][b].narrow(0, 0, rows), wanted[l][b].narrow(0, 0, rows)), 1e-10)
              << mode << " layer " << l << " example " << b;
        }
    }
  }
}

TEST(Tasa, CountsParametersAsThePaperDoes) {
  const auto count = [](const std::string& mode) {
    std::int64_t total = 0;
    for (int l = 0; l < 12; ++l) {
      TasaOptions options;
      options.mode = mode;
      for (const Tensor& p : Tasa(options, 4, l)->parameters()) total += p.numel();
    }
    return total;
  };
  EXPECT_EQ(count("dense"), 20900);  // table 3: 20.90 K
  EXPECT_EQ(count("residual"), 11 * 440);
}

TEST(Tasa, PaddedBatchesEqualSingleSentences) {
  for (const char* mode : {"residual", "dense"})
    testing::expect_padding_is_not_seen(tasa_options(mode), mode);
}

TEST(Tasa, NoPositionSeesALaterOne) {
  torch::manual_seed(2);
  for (const char* mode : {"residual", "dense"}) {
    StackOptions options = tasa_options(mode);
    options.hi = {2, 1, "concat_eq9"};
    TransformerDecoder decoder(options, std::vector<int>{});
    decoder->eval();
    const AttentionMasks causal{{}, {}, true};
    const Tensor x = torch::randn({2, 7, 8});
    const Tensor before = decoder(x, std::vector<Memory>{}, causal);
    for (std::int64_t t = 1; t < 7; ++t) {
      Tensor changed = x.clone();
      changed.narrow(1, t, 7 - t).normal_(0, 3);
      const Tensor after = decoder(changed, std::vector<Memory>{}, causal);
      EXPECT_LT(largest_difference(after.narrow(1, 0, t), before.narrow(1, 0, t)), 1e-6) << mode << " " << t;
      EXPECT_GT(largest_difference(after.select(1, t), before.select(1, t)), 1e-3);
      // Nor does it depend on how much comes after.
      const Tensor shorter = decoder(x.narrow(1, 0, t), std::vector<Memory>{}, causal);
      EXPECT_LT(largest_difference(shorter, before.narrow(1, 0, t)), 1e-6) << mode << " " << t;
    }
  }
}

TEST(Tasa, StepsEqualTheWholeThroughBeams) {
  const torch::NoGradGuard guard;
  for (const char* mode : {"residual", "dense"}) {
    torch::manual_seed(3);
    StackOptions options = tasa_options(mode, "post");
    options.hi = {1, 1, "sum"};
    TransformerDecoder decoder(options, std::vector<int>{0});
    decoder->to(torch::kFloat64);
    decoder->eval();
    const auto doubles = torch::TensorOptions().dtype(torch::kFloat64);
    const Tensor memory = torch::randn({2, 3, 8}, doubles);
    Tensor x = torch::randn({2, 3, 8}, doubles);
    Tensor keep = torch::ones({2, 3}, torch::kBool);
    keep[0][1].fill_(false);  // a masked goal
    DecoderState state = decoder->start({{memory}});
    Tensor y = decoder->step(x, state, keep);
    Tensor owners = torch::arange(2);
    for (const std::vector<std::int64_t>& parents :
         std::vector<std::vector<std::int64_t>>{{0, 1}, {0, 0, 1, 1, 1}, {1, 2, 4, 2}, {0, 2, 3}}) {
      const Tensor index = torch::tensor(parents, torch::kInt64);  // rows may change places, examples not
      state.reorder(index);
      x = x.index_select(0, index);
      keep = keep.index_select(0, index);
      owners = owners.index_select(0, index);
      const Tensor next = torch::randn({x.size(0), 1, 8}, doubles);
      x = torch::cat({x, next}, 1);
      keep = torch::cat({keep, torch::ones({x.size(0), 1}, torch::kBool)}, 1);
      y = decoder->step(next, state);
      const Tensor whole =
          decoder(x, std::vector<Memory>{{memory.index_select(0, owners)}}, AttentionMasks{keep, {}, true});
      EXPECT_LT(largest_difference(y.squeeze(1), whole.select(1, -1)), 1e-12) << mode;
    }
  }
}

TEST(Tasa, StepsOfSeveralPositionsEqualTheWhole) {
  const torch::NoGradGuard guard;
  torch::manual_seed(4);
  TransformerDecoder decoder(tasa_options("dense"), std::vector<int>{});
  decoder->eval();
  const Tensor x = torch::randn({2, 9, 8});
  DecoderState state = decoder->start({}, 2);
  std::vector<Tensor> parts;
  std::int64_t from = 0;
  for (const std::int64_t length : {1, 3, 1, 4}) {
    parts.push_back(decoder->step(x.narrow(1, from, length), state));
    from += length;
  }
  EXPECT_LT(largest_difference(torch::cat(parts, 1),
                               decoder(x, std::vector<Memory>{}, AttentionMasks{{}, {}, true})),
            1e-5);
}

// Where there are no kernels, as on a graphics card, LibTorch's operations stand in. Here for bfloat16, whose
// numbers have eight bits; both are given what these can hold.
TEST(Tasa, LibTorchsOperationsGiveWhatTheKernelsDo) {
  const torch::NoGradGuard guard;
  torch::manual_seed(5);
  TasaOptions options;
  options.mode = "dense";
  options.start = "uniform";
  Tasa kernels(options, 2, 2), generic(options, 2, 2);
  generic->to(torch::kBFloat16);
  kernels->to(torch::kFloat64);
  auto exact = kernels->named_parameters();
  for (const auto& item : generic->named_parameters()) exact[item.key()].copy_(item.value());
  const Tensor maps = torch::randn({3, 3, 2, 7, 7}).to(torch::kBFloat16);  // two layers below, and this one
  const Tensor keep = torch::arange(7).unsqueeze(0) < torch::tensor({7, 5, 6}).unsqueeze(1);
  for (const bool causal : {false, true}) {
    const auto run = [&](Tasa& tasa, torch::Dtype type) {
      AttentionTrace trace;
      trace.layers.resize(2);
      for (std::int64_t l = 0; l < 2; ++l)
        trace.layers[static_cast<std::size_t>(l)].logits = maps[l].to(type);
      Tensor sent;
      const LogitCall call{keep, causal, &trace, nullptr};
      return tasa->forward(maps[2].to(type), call, sent);
    };
    const Tensor wanted = run(kernels, torch::kFloat64);
    ASSERT_GT(wanted.abs().max().item<double>(), 0.5);
    EXPECT_LT(largest_difference(run(generic, torch::kBFloat16), wanted), 0.05) << "causal " << causal;
  }
}

TEST(Tasa, GradientsAreRight) {
  for (const char* mode : {"residual", "dense"})
    for (const bool causal : {false, true}) {
      StackOptions options = tasa_options(mode);
      options.dropout = options.attention_dropout = 0.2;
      testing::expect_encoder_gradients(options, causal);
    }
}

TEST(Tasa, PassingOnlyItsOwnLogitsItIsPlainAttention) {
  torch::manual_seed(7);
  StackOptions options = tasa_options("dense");
  options.tasa.start = "identity";
  TransformerEncoder with(options);
  options.tasa.mode = "none";
  TransformerEncoder plain(options);
  const torch::NoGradGuard guard;
  auto target = with->named_parameters();
  for (const auto& item : plain->named_parameters()) target[item.key()].copy_(item.value());
  with->eval();
  plain->eval();
  const Tensor x = torch::randn({2, 5, 8});
  const double near = largest_difference(with(x), plain(x));
  EXPECT_GT(near, 1e-6);  // received logits enter weakly
  EXPECT_LT(near, 0.5);
  for (const auto& item : with->named_parameters())
    if (item.key().find("transmit") != std::string::npos) item.value().zero_();
  EXPECT_LT(largest_difference(with(x), plain(x)), 1e-5);
}

TEST(Tasa, SaysWhatItCannotDo) {
  const AttentionOptions options = tasa_options("dense").self_attention();
  EXPECT_THROW(MultiheadAttention(options, AttentionSite{true, 0}), ConfigError);
  MultiheadAttention second(options, AttentionSite{false, 1});
  const Tensor x = torch::randn({1, 3, 8});
  EXPECT_THROW(second(x, AttentionCall{}), ShapeError);  // no trace
  AttentionTrace trace;
  trace.layers.resize(1);
  AttentionCall call;
  call.trace = &trace;
  EXPECT_THROW(second(x, call), ShapeError);  // a layer below without logits
  MultiheadAttention first(options, AttentionSite{false, 0});
  call.masks.keep = torch::ones({1, 3, 3}, torch::kBool);
  EXPECT_THROW(first(x, call), ShapeError);
  StackOptions bad;
  EXPECT_THROW(bad.tasa.mode = "sparse", ConfigError);
}

}  // namespace
}  // namespace kgwalk::seq2seq
