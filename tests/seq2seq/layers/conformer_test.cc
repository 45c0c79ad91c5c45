// Conformer blocks: golden values, gradients, padding, causality; the swish of the kernels.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "kgwalk/error.h"
#include "seq2seq/layers/convolution.h"
#include "seq2seq/layers/decoder.h"
#include "seq2seq/layers/encoder.h"
#include "tests/seq2seq/golden.h"
#include "tests/seq2seq/gradient_check.h"

namespace kgwalk::seq2seq {
namespace {

using testing::expect_gradients_match;
using testing::largest_difference;
using testing::leaves_of;
using testing::random_leaf;
using testing::tensor_of;
using torch::Tensor;

StackOptions conformer(int kernel, bool causal) {
  StackOptions options;
  options.layers = 3;
  options.width = 8;
  options.heads = 2;
  options.ffn_width = 12;
  options.activation = "swish";
  options.relative_positions = true;
  options.conformer = {true, kernel, causal};
  return options;
}

TransformerEncoder evaluated(const StackOptions& options) {
  torch::manual_seed(3);
  TransformerEncoder encoder(options);
  encoder->to(torch::kFloat64);
  encoder->eval();
  return encoder;
}

TEST(Conformer, EqualsTheReference) {
  const Json cases = read_json_file((testing::source_dir() / "tests/golden/conformer.json").string());
  ASSERT_EQ(cases.size(), 2u);
  for (const auto& item : cases.items()) {
    const Json &c = item.value(), &o = c["options"];
    StackOptions options = conformer(o["kernel"], o["causal"]);
    options.layers = o["layers"];
    options.width = o["width"];
    options.heads = o["heads"];
    options.ffn_width = o["ffn_width"];
    TransformerEncoder encoder(options);
    testing::load_weights(*encoder, c["weights"]);
    const Tensor keep = tensor_of(c["inputs"]["keep"], torch::kBool);
    const Tensor y = encoder(tensor_of(c["inputs"]["x"]), keep), wanted = tensor_of(c["expected"]["y"]);
    const Tensor kept = keep.unsqueeze(2).to(torch::kFloat64);
    EXPECT_LT(largest_difference(y * kept, wanted * kept), 1e-10) << item.key();
  }
}

TEST(Conformer, PaddingDoesNotReachTheKeptPositions) {
  for (const char* tasa : {"none", "residual", "dense"}) {
    StackOptions options = conformer(5, false);
    options.tasa.mode = tasa;
    options.tasa.start = "uniform";
    options.hi = {2, 1, "concat_eq9"};
    TransformerEncoder encoder = evaluated(options);
    const Tensor x = torch::randn({2, 9, 8}, torch::kFloat64);
    Tensor keep = torch::ones({2, 9}, torch::kBool);
    keep[1].narrow(0, 6, 3).fill_(false);
    const Tensor together = encoder(x, keep), alone = encoder(x.narrow(0, 1, 1).narrow(1, 0, 6), Tensor());
    EXPECT_LT(largest_difference(together.narrow(0, 1, 1).narrow(1, 0, 6), alone), 1e-12) << tasa;
  }
}

TEST(Conformer, CausalConvolutionAndMaskHideTheFuture) {
  TransformerEncoder encoder = evaluated(conformer(4, true));
  Tensor x = torch::randn({1, 7, 8}, torch::kFloat64);
  AttentionMasks masks;
  masks.causal = true;
  const Tensor before = encoder->forward_masked(x, masks, nullptr);
  x[0].narrow(0, 5, 2).mul_(-2);
  const Tensor after = encoder->forward_masked(x, masks, nullptr);
  EXPECT_EQ(largest_difference(before.narrow(1, 0, 5), after.narrow(1, 0, 5)), 0);
  EXPECT_GT(largest_difference(before.narrow(1, 5, 2), after.narrow(1, 5, 2)), 1e-3);
}

TEST(Conformer, GradientsMatchDifferences) {
  StackOptions options = conformer(3, false);
  options.layers = 2;
  options.width = 4;
  options.ffn_width = 6;
  TransformerEncoder encoder = evaluated(options);
  const Tensor x = random_leaf({2, 5, 4});
  Tensor keep = torch::ones({2, 5}, torch::kBool);
  keep[0][4] = false;
  auto leaves = leaves_of(*encoder);
  leaves.emplace_back("x", x);
  expect_gradients_match(
      leaves, [&] { return encoder(x, keep) * keep.unsqueeze(2).to(torch::kFloat64); }, 6);
}

TEST(Depthwise, EqualsTheGroupedConvolutionWithItsGradients) {
  const Tensor x = random_leaf({2, 6, 3}), weight = random_leaf({4, 3});
  const auto reference = [&](std::int64_t left) {
    const Tensor padded = torch::constant_pad_nd(x.transpose(1, 2), {left, 3 - left});
    return torch::conv1d(padded, weight.t().unsqueeze(1), Tensor(), at::IntArrayRef{1}, at::IntArrayRef{0},
                         at::IntArrayRef{1}, 3)
        .transpose(1, 2);
  };
  for (const std::int64_t left : {0, 1, 3})
    EXPECT_LT(largest_difference(depthwise_convolution(x, weight, left), reference(left)), 1e-12);
  expect_gradients_match({{"x", x}, {"weight", weight}}, [&] { return depthwise_convolution(x, weight, 2); });
  EXPECT_THROW((void)depthwise_convolution(x, weight, 4), ShapeError);
}

TEST(Swish, OfTheKernelsEqualsLibTorchs) {
  const Tensor x = torch::linspace(-100, 100, 4001);
  EXPECT_LT(largest_difference(activate(x, Activation::kSwish), torch::silu(x)), 2e-5);
  const Tensor leaf = torch::linspace(-4, 4, 17, torch::kFloat64).requires_grad_(true);
  expect_gradients_match({{"x", leaf}}, [&] { return activate(leaf, Activation::kSwish); });
}

TEST(ConformerOptionsCheck, ImpossibleOnesAreRefused) {
  EXPECT_THROW(TransformerEncoder{conformer(4, false)}, ConfigError) << "even and not causal";
  StackOptions end = conformer(3, false);
  end.norm = "end";
  EXPECT_THROW(TransformerEncoder{end}, ConfigError);
  EXPECT_THROW(TransformerDecoder(conformer(3, false), std::vector<int>{0}), ConfigError);
}

}  // namespace
}  // namespace kgwalk::seq2seq
