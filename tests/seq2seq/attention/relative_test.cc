// Relative positions in self-attention.
#include "seq2seq/attention/relative.h"
#include "runtime/tensor/torch.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kgwalk/error.h"
#include "seq2seq/attention/attention.h"
#include "seq2seq/layers/decoder.h"
#include "seq2seq/layers/encoder.h"
#include "tests/seq2seq/attention_parts.h"
#include "tests/seq2seq/encoder_checks.h"
#include "tests/seq2seq/golden.h"

namespace kgwalk::seq2seq {
namespace {

using testing::kCausal;
using testing::largest_difference;
using testing::tensor_of;
using torch::Tensor;

StackOptions relative_options(int history = 0, const std::string& tasa = "none") {
  StackOptions options;
  options.layers = 3;
  options.width = 8;
  options.heads = 2;
  options.ffn_width = 12;
  options.relative_positions = true;
  options.hi = {history, 1, "sum"};
  options.tasa.mode = tasa;
  options.tasa.start = "uniform";
  return options;
}

TEST(RelativeGolden, EqualsTheReference) {
  const Json cases = read_json_file((testing::source_dir() / "tests/golden/relative.json").string());
  ASSERT_EQ(cases.size(), 4u);
  for (const auto& item : cases.items()) {
    const Json &c = item.value(), &o = c["options"];
    AttentionOptions options;
    options.width = o["width"];
    options.heads = o["heads"];
    options.relative_positions = true;
    options.hi = {o["history"], 1, "sum"};
    MultiheadAttention module(options, AttentionSite{false, o["layers_below"]});
    testing::load_weights(*module, c["weights"]);
    AttentionTrace trace;
    for (const Tensor& layer : tensor_of(c["inputs"]["earlier"]).unbind(0))
      trace.layers.push_back({layer, 0, layer.size(2) / 2, layer.size(2) / 2, layer.size(1), {}});
    AttentionCall call;
    call.masks = {tensor_of(c["inputs"]["key_keep"], torch::kBool), {}, o["causal"]};
    call.trace = &trace;
    EXPECT_LT(largest_difference(module(tensor_of(c["inputs"]["x"]), call), tensor_of(c["expected"]["y"])),
              1e-11)
        << item.key();
  }
}

TEST(Relative, GradientsAreRight) {
  for (const bool causal : {false, true}) {
    StackOptions options = relative_options(1, "residual");
    options.layers = 2;
    testing::expect_encoder_gradients(options, causal);
  }
}

TEST(Relative, PaddedBatchesEqualSingleSentences) {
  testing::expect_padding_is_not_seen(relative_options(1), "relative positions");
}

TEST(Relative, OnlyDistancesCount) {
  torch::manual_seed(4);
  StackOptions options = relative_options();
  TransformerEncoder encoder(options);
  encoder->to(torch::kFloat64);
  encoder->eval();
  const Tensor x = torch::randn({1, 6, 8}, torch::kFloat64);
  const Tensor keep = torch::tensor({{0, 0, 1, 1, 1, 1}}).to(torch::kBool);
  EXPECT_LT(largest_difference(encoder(x, keep).narrow(1, 2, 4), encoder(x.narrow(1, 2, 4))), 1e-12);
  // And they do count: without them attention does not tell the order.
  const Tensor reversed = encoder(x.flip(1)).flip(1);
  EXPECT_GT(largest_difference(reversed, encoder(x)), 1e-3);
  options.relative_positions = false;
  TransformerEncoder plain(options);
  plain->eval();
  const Tensor f = x.to(torch::kFloat32);
  EXPECT_LT(largest_difference(plain(f.flip(1)).flip(1), plain(f)), 1e-5);
}

TEST(Relative, NoPositionSeesALaterOne) {
  torch::manual_seed(5);
  TransformerDecoder decoder(relative_options(2, "dense"), std::vector<int>{});
  decoder->to(torch::kFloat64);
  decoder->eval();
  const Tensor x = torch::randn({2, 6, 8}, torch::kFloat64);
  const Tensor before = decoder(x, std::vector<Memory>{}, kCausal);
  for (std::int64_t t = 1; t < 6; ++t) {
    Tensor changed = x.clone();
    changed.narrow(1, t, 6 - t).normal_(0, 3);
    const Tensor after = decoder(changed, std::vector<Memory>{}, kCausal);
    EXPECT_LT(largest_difference(after.narrow(1, 0, t), before.narrow(1, 0, t)), 1e-12) << t;
    EXPECT_GT(largest_difference(after.select(1, t), before.select(1, t)), 1e-3);
  }
}

TEST(Relative, StepsEqualTheWholeThroughBeams) {
  const torch::NoGradGuard guard;
  torch::manual_seed(6);
  TransformerDecoder decoder(relative_options(1, "residual"), std::vector<int>{0});
  decoder->to(torch::kFloat64);
  decoder->eval();
  const Tensor memory = torch::randn({2, 3, 8}, torch::kFloat64);
  Tensor x = torch::randn({2, 3, 8}, torch::kFloat64), keep = torch::ones({2, 3}, torch::kBool);
  keep[0][1].fill_(false);
  DecoderState state = decoder->start({{memory}});
  (void)decoder->step(x, state, keep);
  Tensor owners = torch::arange(2);
  for (int round = 0; round < 70; ++round) {  // past what the caches hold at first
    const std::vector<std::int64_t> parents =
        round % 2 == 0 ? std::vector<std::int64_t>{0, 0, 1} : std::vector<std::int64_t>{1, 2};
    const Tensor index = torch::tensor(parents, torch::kInt64);
    state.reorder(index);
    owners = owners.index_select(0, index);
    const Tensor next = torch::randn({index.size(0), 1, 8}, torch::kFloat64);
    x = torch::cat({x.index_select(0, index), next}, 1);
    keep = torch::cat({keep.index_select(0, index), torch::ones({index.size(0), 1}, torch::kBool)}, 1);
    const Tensor y = decoder->step(next, state);
    if (round % 23 != 0) continue;
    const Tensor whole =
        decoder(x, std::vector<Memory>{{memory.index_select(0, owners)}}, AttentionMasks{keep, {}, true});
    EXPECT_LT(largest_difference(y.squeeze(1), whole.select(1, -1)), 1e-11) << round;
  }
}

TEST(Relative, IsAnOptionOfSelfAttentionOnly) {
  AttentionOptions options;
  options.relative_positions = true;
  EXPECT_THROW(MultiheadAttention(options, AttentionSite{true, 0}), ConfigError);
}

}  // namespace
}  // namespace kgwalk::seq2seq
