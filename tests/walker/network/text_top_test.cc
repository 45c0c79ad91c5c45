// The top of a text encoder that is trained with a walker.
#include "walker/network/text_top.h"

#include <gtest/gtest.h>

#include "dialogue/text/text_encoder.h"
#include "kgwalk/error.h"
#include "runtime/tensor/torch_threads.h"
#include "tests/dialogue/test_world.h"

namespace kgwalk::walker {
namespace {

std::shared_ptr<const dialogue::TextEncoder> encoder_of_two_layers() {
  const auto tokenizer = dialogue::test::make_tokenizer();
  seed_torch(4);
  return std::make_shared<const dialogue::TextEncoder>(
      seq2seq::Albert(dialogue::test::small_albert(static_cast<int>(tokenizer->size()))), tokenizer,
      torch::kCPU);
}

torch::Tensor states_of(const dialogue::TextEncoder& encoder, torch::Tensor* keep = nullptr) {
  const std::vector<dialogue::TokenSequence> texts{encoder.tokens().text("who directed it"),
                                                   encoder.tokens().text("crime")};
  torch::Tensor all;
  encoder.encode(texts, [&](std::span<const std::size_t> /*places*/, const torch::Tensor& states,
                            const torch::Tensor& kept) {
    all = states;
    if (keep != nullptr) *keep = kept;
  });
  return all;
}

TEST(TextTop, OnTheLayersBelowItIsTheWholeEncoder) {
  const auto whole = encoder_of_two_layers();
  const auto lower = whole->without_top(1);
  EXPECT_NE(lower->checksum(), whole->checksum());
  TextTop top(whole->network(), 1);
  top->eval();
  torch::Tensor keep;
  const torch::Tensor below = states_of(*lower, &keep);
  const torch::Tensor wanted = states_of(*whole);
  EXPECT_GT((below - wanted).abs().max().item<float>(), 0.01F);
  const torch::Tensor difference = (top(below, keep) - wanted).abs() * keep.unsqueeze(2);
  EXPECT_LT(difference.max().item<float>(), 1e-5F);
}

TEST(TextTop, LearnsWithoutTouchingTheEncoder) {
  const auto whole = encoder_of_two_layers();
  const torch::Tensor before = states_of(*whole);
  TextTop top(whole->network(), 1);
  for (torch::Tensor& weight : top->parameters()) {
    EXPECT_TRUE(weight.requires_grad());
    const torch::NoGradGuard no_grad;
    weight.add_(1);
  }
  EXPECT_EQ((states_of(*whole) - before).abs().max().item<float>(), 0.0F);
}

TEST(TextTop, RefusesMoreLayersThanThereAre) {
  const auto whole = encoder_of_two_layers();
  EXPECT_THROW((void)whole->without_top(3), ConfigError);
  EXPECT_THROW(TextTop(whole->network(), 3), ConfigError);
}

}  // namespace
}  // namespace kgwalk::walker
