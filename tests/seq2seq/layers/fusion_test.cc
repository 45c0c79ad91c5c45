// GTRANS: groups of layers, their fusion, the mixture of their words, pruning.
#include "seq2seq/layers/fusion.h"
#include "runtime/tensor/torch.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "kgwalk/error.h"
#include "seq2seq/layers/decoder.h"
#include "seq2seq/layers/encoder.h"
#include "tests/seq2seq/attention_parts.h"
#include "tests/seq2seq/golden_readings.h"
#include "tests/seq2seq/gradient_check.h"

namespace kgwalk::seq2seq {
namespace {

using testing::expect_gradients_match;
using testing::kCausal;
using testing::largest_difference;
using testing::leaves_of;
using testing::load_weights;
using testing::tensor_of;
using torch::Tensor;

StackOptions group_options(int layers, int group_layers, const std::string& norm = "post") {
  StackOptions options;
  options.layers = layers;
  options.width = 8;
  options.heads = 2;
  options.ffn_width = 12;
  options.norm = norm;
  options.group_layers = group_layers;
  return options;
}

// Fusion weights away from zero, so that groups and layers differ.
void spread(torch::nn::Module& module) {
  const torch::NoGradGuard guard;
  for (const auto& item : module.named_parameters())
    if (item.key().find("fusion.weight") != std::string::npos) item.value().normal_();
}

// Cross entropy of each group at each position: logits [G, B, T, V], words [B, T] -> [G, B, T].
Tensor group_losses(const Tensor& logits, const Tensor& words) {
  return -torch::log_softmax(logits, -1)
              .gather(3, words.unsqueeze(0).unsqueeze(3).expand({logits.size(0), -1, -1, 1}))
              .squeeze(3);
}

TEST(FusionGolden, EqualsTheReference) {
  const Json cases = read_json_file((testing::source_dir() / "tests/golden/gtrans.json").string());
  ASSERT_EQ(cases.size(), 3u);
  for (const auto& item : cases.items()) {
    const Json &c = item.value(), &expected = c["expected"];
    StackOptions of_encoder, of_decoder;
    apply_json(of_encoder, c["options"]["encoder"], "gtrans.json");
    apply_json(of_decoder, c["options"]["decoder"], "gtrans.json");
    TransformerEncoder encoder(of_encoder);
    TransformerDecoder decoder(of_decoder, std::vector<int>{0});
    GroupMixture mixture(of_decoder.groups(), of_decoder.width);
    load_weights(*encoder, c["weights"]["encoder"]);
    load_weights(*decoder, c["weights"]["decoder"]);
    load_weights(*mixture, c["weights"]["mixture"]);
    const Tensor keep = tensor_of(c["inputs"]["source_keep"], torch::kBool);
    const Tensor memory = encoder(tensor_of(c["inputs"]["source"]), keep);
    EXPECT_LT(largest_difference(memory, tensor_of(expected["fused"])), 1e-11) << item.key();
    const Tensor groups = decoder->forward_groups(tensor_of(c["inputs"]["target"]),
                                                  std::vector<Memory>{{memory, keep}}, kCausal);
    EXPECT_LT(largest_difference(groups, tensor_of(expected["groups"])), 1e-11) << item.key();
    EXPECT_LT(largest_difference(mixture->weights(), tensor_of(expected["psi"])), 1e-12);
    const Tensor logits = torch::matmul(groups, tensor_of(c["weights"]["out"]).t());  // [G, B, T, V]
    EXPECT_LT(largest_difference(mixture->log_probs(logits), tensor_of(expected["log_probs"])), 1e-11);
    const Tensor words = tensor_of(c["inputs"]["words"], torch::kInt64);
    EXPECT_LT(largest_difference(mixture->loss(group_losses(logits, words)), tensor_of(expected["loss"])),
              1e-11);
  }
}

class FusionOtherReading : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Readings, FusionOtherReading,
                         ::testing::ValuesIn(testing::other_readings("gtrans.json")), testing::reading_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(FusionOtherReading);

TEST_P(FusionOtherReading, IsEqual) {
  const Json cases = read_json_file(GetParam());
  const torch::NoGradGuard guard;
  for (const auto& item : cases.items()) {
    const Json &c = item.value(), &w = c["weights"], &expected = c["expected"];
    const Tensor encoded = tensor_of(c["inputs"]["encoder_states"]),
                 decoded = tensor_of(c["inputs"]["decoder_states"]);
    const LayerGroups lower{static_cast<int>(encoded.size(0)), c["options"]["Te"]},
        upper{static_cast<int>(decoded.size(0)), c["options"]["Td"]};
    EncoderFusion encoder(lower, encoded.size(3), c["options"]["layer_norm_eps"]);
    DecoderFusion decoder(upper);
    GroupMixture mixture(upper, decoded.size(3));
    for (torch::nn::Module* m :
         {static_cast<torch::nn::Module*>(encoder.get()), static_cast<torch::nn::Module*>(decoder.get()),
          static_cast<torch::nn::Module*>(mixture.get())})
      m->to(torch::kFloat64);
    encoder->weight.copy_(tensor_of(w["w_encoder"]));
    decoder->weight.copy_(tensor_of(w["w_decoder"]));
    mixture->weight.copy_(tensor_of(w["w_probability"]));
    std::vector<Tensor> last, groups;
    for (int l = 0; l < lower.layers; ++l)
      if (lower.closes(l)) last.push_back(encoded[l]);
    EXPECT_LT(largest_difference(encoder(last), tensor_of(expected["encoder_fused"])), 1e-9) << item.key();
    for (int k = 0; k < upper.count(); ++k) {
      std::vector<Tensor> states;
      for (int l = upper.begin(k); l < upper.end(k); ++l) states.push_back(decoded[l]);
      groups.push_back(decoder(states, k));
    }
    const Tensor fused = torch::stack(groups);
    EXPECT_LT(largest_difference(fused, tensor_of(expected["group_states"])), 1e-9) << item.key();
    EXPECT_LT(largest_difference(mixture->weights(), tensor_of(expected["group_weights"])), 1e-9);
    const Tensor logits = torch::matmul(fused, tensor_of(w["w_out"]));
    EXPECT_LT(largest_difference(mixture->log_probs(logits).exp(), tensor_of(expected["probability"])), 1e-9);
    const Tensor losses = group_losses(logits, tensor_of(c["inputs"]["targets"], torch::kInt64));
    EXPECT_LT(largest_difference(mixture->loss(losses).sum(), tensor_of(expected["multilevel_loss_sum"])),
              1e-8);
  }
}

TEST(LayerGroups, TheLastOneMayBeShorter) {
  const LayerGroups groups{5, 2};
  EXPECT_EQ(groups.count(), 3);
  EXPECT_EQ(groups.end(2), 5);
  std::vector<int> closing;
  for (int l = 0; l < 5; ++l)
    if (groups.closes(l)) closing.push_back(l);
  EXPECT_EQ(closing, (std::vector<int>{1, 3, 4}));
  EXPECT_FALSE((LayerGroups{5, 0}).active());
  EXPECT_EQ((LayerGroups{2, 6}).count(), 1);
}

TEST(Fusion, GradientsAreRight) {
  for (const char* norm : {"pre", "post"}) {
    torch::manual_seed(1);
    StackOptions options = group_options(3, 2, norm);
    options.width = 4;
    options.ffn_width = 5;
    TransformerEncoder encoder(options);
    TransformerDecoder decoder(options, std::vector<int>{0});
    GroupMixture mixture(options.groups(), 4);
    encoder->to(torch::kFloat64);
    decoder->to(torch::kFloat64);
    mixture->to(torch::kFloat64);
    spread(*encoder);
    spread(*decoder);
    const Tensor source = testing::random_leaf({2, 3, 4}), target = testing::random_leaf({2, 3, 4}),
                 out = testing::random_leaf({6, 4});
    const Tensor keep = torch::tensor({{1, 1, 0}, {1, 1, 1}}).to(torch::kBool);
    const Tensor words = torch::tensor({{0, 3, 5}, {2, 2, 1}}, torch::kInt64);
    const auto logits = [&] {
      torch::manual_seed(2);
      return torch::matmul(
          decoder->forward_groups(target, std::vector<Memory>{{encoder(source, keep), keep}}, kCausal),
          out.t());
    };
    auto leaves = leaves_of(*encoder);
    for (torch::nn::Module* m :
         {static_cast<torch::nn::Module*>(decoder.get()), static_cast<torch::nn::Module*>(mixture.get())})
      for (const auto& leaf : leaves_of(*m)) leaves.push_back(leaf);
    leaves.insert(leaves.end(), {{"source", source}, {"target", target}, {"out", out}});
    expect_gradients_match(
        leaves, [&] { return mixture->loss(group_losses(logits(), words)); }, 3);
    expect_gradients_match(
        leaves, [&] { return mixture->log_probs(logits()); }, 3);
  }
}

TEST(Fusion, PaddedBatchesEqualSingleSentences) {
  torch::manual_seed(3);
  TransformerEncoder encoder(group_options(4, 3));
  TransformerDecoder decoder(group_options(3, 1), std::vector<int>{0});
  for (torch::nn::Module* m :
       {static_cast<torch::nn::Module*>(encoder.get()), static_cast<torch::nn::Module*>(decoder.get())}) {
    m->to(torch::kFloat64);
    m->eval();
    spread(*m);
  }
  const Tensor x = torch::randn({3, 6, 8}, torch::kFloat64), y = torch::randn({3, 4, 8}, torch::kFloat64);
  const std::vector<std::int64_t> lengths{6, 2, 4}, target_lengths{2, 4, 3};
  const Tensor keep = torch::arange(6).unsqueeze(0) < torch::tensor(lengths).unsqueeze(1),
               target_keep = torch::arange(4).unsqueeze(0) < torch::tensor(target_lengths).unsqueeze(1);
  const Tensor states = encoder(x, keep);
  const Tensor batch =
      decoder->forward_groups(y, std::vector<Memory>{{states, keep}}, AttentionMasks{target_keep, {}, true});
  for (std::int64_t b = 0; b < 3; ++b) {
    const std::int64_t length = target_lengths[static_cast<std::size_t>(b)];
    const Tensor memory = encoder(x.narrow(0, b, 1).narrow(1, 0, lengths[static_cast<std::size_t>(b)]));
    EXPECT_LT(largest_difference(states.narrow(0, b, 1).narrow(1, 0, memory.size(1)), memory), 1e-12);
    const Tensor single = decoder->forward_groups(y.narrow(0, b, 1).narrow(1, 0, length),
                                                  std::vector<Memory>{{memory}}, kCausal);
    EXPECT_LT(largest_difference(batch.narrow(1, b, 1).narrow(2, 0, length), single), 1e-12);
  }
}

TEST(Fusion, NoPositionOfAnyGroupSeesALaterOne) {
  torch::manual_seed(4);
  TransformerDecoder decoder(group_options(4, 2, "pre"), std::vector<int>{});
  decoder->eval();
  spread(*decoder);
  const Tensor x = torch::randn({2, 6, 8});
  const Tensor before = decoder->forward_groups(x, {}, kCausal);
  for (std::int64_t t = 1; t < 6; ++t) {
    Tensor changed = x.clone();
    changed.narrow(1, t, 6 - t).normal_(0, 3);
    const Tensor after = decoder->forward_groups(changed, {}, kCausal);
    EXPECT_TRUE(torch::equal(after.narrow(2, 0, t), before.narrow(2, 0, t))) << t;
    EXPECT_GT(largest_difference(after.select(2, t), before.select(2, t)), 1e-3);
  }
}

TEST(Fusion, StepsEqualTheWholeThroughBeamsAndPruning) {
  const torch::NoGradGuard guard;
  torch::manual_seed(5);
  TransformerDecoder decoder(group_options(5, 2), std::vector<int>{0});
  decoder->to(torch::kFloat64);
  decoder->eval();
  spread(*decoder);
  const Tensor memory = torch::randn({2, 3, 8}, torch::kFloat64);
  for (const std::vector<int>& kept : std::vector<std::vector<int>>{{}, {1, 2}, {0, 1}}) {
    decoder->keep_groups(kept);
    Tensor x = torch::randn({2, 3, 8}, torch::kFloat64), owners = torch::arange(2);
    DecoderState state = decoder->start({{memory}});
    (void)decoder->step_groups(x, state);
    for (const std::vector<std::int64_t>& parents :
         std::vector<std::vector<std::int64_t>>{{0, 0, 1}, {0, 1, 2, 2}}) {
      const Tensor index = torch::tensor(parents, torch::kInt64);
      state.reorder(index);
      owners = owners.index_select(0, index);
      const Tensor next = torch::randn({index.size(0), 1, 8}, torch::kFloat64);
      x = torch::cat({x.index_select(0, index), next}, 1);
      const Tensor y = decoder->step_groups(next, state);
      const Tensor whole =
          decoder->forward_groups(x, std::vector<Memory>{{memory.index_select(0, owners)}}, kCausal);
      EXPECT_LT(largest_difference(y.squeeze(2), whole.select(2, -1)), 1e-12) << kept.size();
    }
  }
}

TEST(Fusion, PruningGivesTheKeptGroupsAndRunsNoLayerAboveThem) {
  const torch::NoGradGuard guard;
  torch::manual_seed(6);
  TransformerDecoder decoder(group_options(6, 2), std::vector<int>{});
  GroupMixture mixture(decoder->options().groups(), 8);
  decoder->eval();
  spread(*decoder);
  mixture->weight.normal_(0, 5);
  const Tensor x = torch::randn({2, 4, 8}), logits = torch::randn({3, 2, 4, 9});
  const Tensor all = decoder->forward_groups(x, {}, kCausal), psi = mixture->weights();
  decoder->keep_groups({1, 2});
  mixture->keep_groups({1, 2});
  EXPECT_TRUE(torch::equal(decoder->forward_groups(x, {}, kCausal), all.narrow(0, 1, 2)));
  const Tensor kept = psi.narrow(0, 1, 2) / psi.narrow(0, 1, 2).sum();
  EXPECT_LT(largest_difference(mixture->weights(), kept), 1e-6);
  const Tensor mixed = (torch::softmax(logits.narrow(0, 1, 2), -1) * kept.view({2, 1, 1, 1})).sum(0);
  EXPECT_LT(largest_difference(mixture->log_probs(logits.narrow(0, 1, 2)).exp(), mixed), 1e-6);
  // Layers above the last kept group: whatever they hold does not matter.
  for (const auto& item : decoder->named_parameters())
    if (item.key().find("layers.4.") == 0 || item.key().find("layers.5.") == 0)
      item.value().fill_(std::numeric_limits<float>::quiet_NaN());
  decoder->keep_groups({0, 1});
  EXPECT_TRUE(torch::equal(decoder->forward_groups(x, {}, kCausal), all.narrow(0, 0, 2)));
  decoder->keep_groups({});
  EXPECT_TRUE(torch::isnan(decoder->forward_groups(x, {}, kCausal)[2]).all().item<bool>());
}

TEST(Fusion, OneOpenGateIsTheLastLayerNormalized) {
  const torch::NoGradGuard guard;
  torch::manual_seed(7);
  StackOptions options = group_options(2, 0);
  TransformerEncoder plain(options);
  options.group_layers = 2;
  TransformerEncoder fused(options);
  auto target = fused->named_parameters();
  for (const auto& item : plain->named_parameters()) target[item.key()].copy_(item.value());
  target["fusion.weight"].fill_(50);  // sigmoid = 1
  plain->eval();
  fused->eval();
  const Tensor x = torch::randn({2, 5, 8});
  const Tensor wanted = torch::layer_norm(plain(x), {8}, {}, {}, 1e-5);
  EXPECT_LT(largest_difference(fused(x), wanted), 1e-5);
}

TEST(Fusion, SaysWhatItCannotDo) {
  TransformerDecoder grouped(group_options(4, 2), std::vector<int>{}),
      plain(group_options(4, 0), std::vector<int>{});
  const Tensor x = torch::randn({1, 3, 8});
  DecoderState state = grouped->start({}, 1);
  EXPECT_THROW((void)grouped(x, std::vector<Memory>{}, kCausal), ConfigError);
  EXPECT_THROW((void)grouped->step(x, state), ConfigError);
  EXPECT_THROW((void)plain->forward_groups(x, {}, kCausal), ConfigError);
  EXPECT_THROW(plain->keep_groups({0}), ConfigError);
  EXPECT_THROW(grouped->keep_groups({2}), ConfigError);
  EXPECT_THROW(grouped->keep_groups({1, 0}), ConfigError);
  grouped->keep_groups({0});
  EXPECT_THROW((void)grouped->step_groups(x, state), ShapeError);  // begun with all groups
  GroupMixture mixture(LayerGroups{4, 2}, 8);
  EXPECT_THROW((void)mixture->log_probs(torch::randn({3, 1, 5})), ShapeError);
}

}  // namespace
}  // namespace kgwalk::seq2seq
