// What every encoder must fulfill, whatever its options.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/tensor/torch.h"
#include "seq2seq/layers/encoder.h"
#include "tests/seq2seq/golden.h"
#include "tests/seq2seq/gradient_check.h"

namespace kgwalk::seq2seq::testing {

// A padded batch of three sentences gives what the single ones give.
inline void expect_padding_is_not_seen(const StackOptions& options, const std::string& what) {
  torch::manual_seed(3);
  TransformerEncoder encoder(options);
  encoder->to(torch::kFloat64);
  encoder->eval();
  const torch::Tensor x = torch::randn({3, 6, options.width}, torch::kFloat64) * 2;
  const std::vector<std::int64_t> lengths{6, 1, 4};
  const torch::Tensor keep = torch::arange(6).unsqueeze(0) < torch::tensor(lengths).unsqueeze(1);
  const torch::Tensor batch = encoder(x, keep);
  for (std::int64_t b = 0; b < 3; ++b) {
    const std::int64_t length = lengths[static_cast<std::size_t>(b)];
    const torch::Tensor single = encoder(x.narrow(0, b, 1).narrow(1, 0, length));
    EXPECT_LT(largest_difference(batch.narrow(0, b, 1).narrow(1, 0, length), single), 1e-12) << what;
  }
}

// Gradients of parameters and inputs agree with differences; dropout draws the same in every call. Narrow
// options, for differences cost two calls a number.
inline void expect_encoder_gradients(StackOptions options, bool causal) {
  torch::manual_seed(1);
  options.width = 4;
  options.ffn_width = 5;
  TransformerEncoder encoder(options);
  encoder->to(torch::kFloat64);
  const torch::Tensor x = random_leaf({2, 4, 4});
  const torch::Tensor keep = torch::tensor({{1, 1, 1, 0}, {1, 1, 1, 1}}).to(torch::kBool);
  auto leaves = leaves_of(*encoder);
  leaves.emplace_back("x", x);
  const auto f = [&] {
    torch::manual_seed(2);
    return encoder->forward_masked(x, AttentionMasks{keep, {}, causal}, nullptr);
  };
  expect_gradients_match(leaves, f, 4);
}

}  // namespace kgwalk::seq2seq::testing
