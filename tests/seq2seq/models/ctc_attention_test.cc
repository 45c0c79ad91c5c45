// The recognizer: padding, streaming, the loss against enumeration, the joint search against all sequences.
#include "seq2seq/models/ctc_attention.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "kgwalk/error.h"
#include "seq2seq/search/joint_ctc.h"
#include "seq2seq/search/token_search.h"
#include "tests/seq2seq/golden.h"

namespace kgwalk::seq2seq {
namespace {

using testing::largest_difference;
using torch::Tensor;

CtcAttentionOptions small_options() {
  CtcAttentionOptions options;
  options.subsampling.channels = 4;
  options.encoder.layers = 2;
  options.encoder.width = 8;
  options.encoder.heads = 2;
  options.encoder.ffn_width = 12;
  options.encoder.relative_positions = true;
  options.encoder.conformer = {true, 3, false};
  options.decoder.layers = 1;
  options.decoder.width = 8;
  options.decoder.heads = 2;
  options.decoder.ffn_width = 12;
  options.positions = "none";
  return options;
}

CtcAttention made(const CtcAttentionOptions& options, std::int64_t units = 6) {
  torch::manual_seed(5);
  CtcAttention model(options, 10, 2, units);
  model->to(torch::kFloat64);
  model->eval();
  model->set_normalization(torch::randn({10}, torch::kFloat64), torch::rand({10}, torch::kFloat64) + 0.5);
  return model;
}

Tensor lengths_of(const std::vector<std::int64_t>& lengths) { return torch::tensor(lengths, torch::kInt64); }

TEST(CtcAttention, PaddingDoesNotReachTheStates) {
  const torch::NoGradGuard no_grad;
  for (const int factor : {2, 4})
    for (const std::int64_t frames : {1, 6, 7, 8, 13}) {
      CtcAttentionOptions options = small_options();
      options.subsampling.factor = factor;
      options.subsampling.over = frames % 2 == 0 ? "bands" : "time";
      options.encoder.tasa.mode = "dense";
      CtcAttention model = made(options);
      const Tensor x = torch::randn({2, 20, 10}, torch::kFloat64);
      const EncodedSpeech both = model->encode(x, lengths_of({20, frames}));
      const EncodedSpeech alone = model->encode(x.narrow(0, 1, 1).narrow(1, 0, frames), lengths_of({frames}));
      const std::int64_t left = alone.states.size(1);
      EXPECT_EQ(left, options.subsampling.frames_after(frames));
      EXPECT_EQ(both.lengths[1].item<std::int64_t>(), left);
      EXPECT_LT(largest_difference(both.states.narrow(0, 1, 1).narrow(1, 0, left), alone.states), 1e-12)
          << factor << " " << frames;
    }
}

TEST(CtcAttention, ChunksHideWhatComesAfterTheirLatency) {
  const torch::NoGradGuard no_grad;
  CtcAttentionOptions options = small_options();
  options.encoder.conformer.causal = true;
  options.chunk = 2;
  options.left_chunks = 1;
  CtcAttention model = made(options);
  EXPECT_EQ(options.latency_frames(), 11) << "two frames of four, and three ahead of the convolutions";
  Tensor x = torch::randn({1, 40, 10}, torch::kFloat64);
  const Tensor before = model->encode(x, lengths_of({40})).states;
  // The last frame before the third chunk (frames 16 ..) begins at 12; by 12 + 11 it is settled.
  x[0].narrow(0, 12 + 11, 40 - 23).add_(3);
  const Tensor after = model->encode(x, lengths_of({40})).states;
  EXPECT_EQ(largest_difference(before.narrow(1, 0, 4), after.narrow(1, 0, 4)), 0);
  EXPECT_GT(largest_difference(before.narrow(1, 6, 1), after.narrow(1, 6, 1)), 1e-6);
}

TEST(CtcAttention, OptionsThatDoNotFitAreRefused) {
  const auto refused = [](const std::function<void(CtcAttentionOptions&)>& change) {
    CtcAttentionOptions options = small_options();
    change(options);
    EXPECT_THROW(made(options), ConfigError);
  };
  refused([](CtcAttentionOptions& o) { o.chunk = 4; });  // the convolution is not causal
  refused([](CtcAttentionOptions& o) { o.decoder.layers = 0; });
  refused([](CtcAttentionOptions& o) { o.ctc_weight = 1; });
  refused([](CtcAttentionOptions& o) { o.subsampling.factor = 3; });
  refused([](CtcAttentionOptions& o) { o.decoder.width = 16; });
  refused([](CtcAttentionOptions& o) {
    o.encoder.tasa.mode = "residual";
    o.encoder.conformer.causal = true;
    o.chunk = 4;
  });
}

TEST(CtcAttention, CtcLossIsTheSumOverAllPaths) {
  const torch::NoGradGuard no_grad;
  CtcAttentionOptions options = small_options();
  options.decoder.layers = 0;
  options.ctc_weight = 1;
  CtcAttention model = made(options, 4);
  const EncodedSpeech speech = model->encode(torch::randn({1, 17, 10}, torch::kFloat64), lengths_of({17}));
  const Tensor scores = model->frame_scores(speech).to(torch::kFloat32).contiguous();
  const std::vector<std::vector<int>> labelings{{1, 1}, {2, 3}, {3}, {}};
  for (const std::vector<int>& units : labelings) {
    const Tensor ids = units.empty() ? torch::empty({0}, torch::kInt64)
                                     : torch::tensor(std::vector<std::int64_t>(units.begin(), units.end()));
    SpeechTargets targets{ids, lengths_of({static_cast<std::int64_t>(units.size())}), {}};
    // All 4^5 paths of five frames.
    double sum = 0;
    for (int code = 0; code < 1024; ++code) {
      std::vector<int> found;
      double log_prob = 0;
      for (int t = 0, rest = code, last = 0; t < 5; ++t, rest /= 4) {
        const int v = rest % 4;
        log_prob += scores[0][t][v].item<double>();
        if (v != 0 && v != last) found.push_back(v);
        last = v;
      }
      if (found == units) sum += std::exp(log_prob);
    }
    EXPECT_NEAR(model->loss(speech, targets, 0).ctc, -std::log(sum), 1e-4);
  }
}

// A decoder that knows only the number of units so far; the joint search must find what trying
// all sequences finds.
TEST(JointSearch, FindsTheBestOfAllSequences) {
  constexpr int kUnits = 5, kEnd = 3, kFrames = 4;
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    torch::manual_seed(seed);
    const Tensor frames = torch::log_softmax(torch::randn({1, kFrames, kUnits}) * 2, 2);
    const Tensor attention = torch::log_softmax(torch::randn({kFrames + 1, kUnits}), 1);
    JointCtc ctc(frames, lengths_of({kFrames}), {0.4, 0, kEnd, kUnits});
    std::int64_t steps = 0;
    const TokenSearchTask task{2, kEnd, {0, 1, 2}, {kFrames}, true};
    TokenSearchOptions options;
    options.beam = 200;
    options.length_penalty = 0;
    const auto found = search_tokens(task, options, [&](const Tensor& pieces, const Tensor& parents) {
      Tensor scores = attention[steps++].unsqueeze(0).repeat({pieces.size(0), 1});
      ctc.join(pieces, parents, scores);
      return scores;
    });
    // Units are 4 alone: 0 is the blank, 1 and 2 never come, 3 ends.
    const FrameScores matrix{{frames.data_ptr<float>(), kFrames * kUnits}, kFrames, kUnits, 0};
    double best = -1e300;
    std::size_t length = 0;
    for (std::size_t n = 0; n <= 2; ++n) {  // equal units need a blank between: two fit into four frames
      double score = 0.6 * attention[static_cast<std::int64_t>(n)][kEnd].item<double>();
      for (std::size_t i = 0; i < n; ++i)
        score += 0.6 * attention[static_cast<std::int64_t>(i)][4].item<double>();
      score += 0.4 * ctc_log_prob(matrix, std::vector<int>(n, 4));
      if (score > best) best = score, length = n;
    }
    EXPECT_EQ(found[0].front().pieces.size(), length);
    EXPECT_NEAR(found[0].front().score, best, 1e-4);
  }
}

}  // namespace
}  // namespace kgwalk::seq2seq
