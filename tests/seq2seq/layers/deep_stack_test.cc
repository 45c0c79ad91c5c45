// Deep stacks: GTRANS with 24 encoder layers, post-norm, learns a toy translation; the same stack without
// fusion does not. Takes tens of seconds. The two losses, side by side:
//   build/release/tests/seq2seq/seq2seq_deep_test
#include <torch/nn/functional/loss.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/utils/clip_grad.h>
#include <torch/optim.h>

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <vector>

#include "runtime/tensor/torch.h"
#include "seq2seq/layers/decoder.h"
#include "seq2seq/layers/embedding.h"
#include "seq2seq/layers/encoder.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;

constexpr std::int64_t kSymbols = 12, kLength = 6, kWidth = 32, kStart = 0;

StackOptions stack_of(int layers, int group_layers) {
  StackOptions options;
  options.layers = layers;
  options.width = kWidth;
  options.heads = 4;
  options.ffn_width = 64;
  options.norm = "post";
  options.dropout = options.attention_dropout = 0;
  options.group_layers = group_layers;
  return options;
}

// Says a sentence backwards.
struct ReverserImpl : torch::nn::Module {
  ReverserImpl(int encoder_layers, int encoder_group, int decoder_layers, int decoder_group)
      : encoder(register_module("encoder", TransformerEncoder(stack_of(encoder_layers, encoder_group)))),
        decoder(register_module(
            "decoder", TransformerDecoder(stack_of(decoder_layers, decoder_group), std::vector<int>{0}))),
        mixture(register_module("mixture", GroupMixture(decoder->options().groups(), kWidth))),
        symbols(register_module("symbols", torch::nn::Embedding(kSymbols, kWidth))) {
    torch::nn::init::normal_(symbols->weight, 0, 1 / std::sqrt(static_cast<double>(kWidth)));
  }
  Tensor embedded(const Tensor& ids, std::int64_t offset = 0) {
    const Tensor x = symbols(ids) * std::sqrt(static_cast<double>(kWidth));
    return x + sinusoidal_positions(ids.size(1), kWidth, offset);
  }
  Tensor scores(const Tensor& states) { return torch::matmul(states, symbols->weight.t()); }
  Tensor loss(const Tensor& source, const Tensor& target) {
    const Tensor input = torch::cat(
        {torch::full({source.size(0), 1}, kStart, torch::kInt64), target.narrow(1, 0, target.size(1) - 1)},
        1);
    const Tensor states = decoder->forward_groups(
        embedded(input), std::vector<Memory>{{encoder(embedded(source))}}, AttentionMasks{{}, {}, true});
    std::vector<Tensor> losses;
    for (const Tensor& group : states.unbind(0))
      losses.push_back(torch::nn::functional::cross_entropy(scores(group).flatten(0, 1), target.flatten()));
    return mixture->loss(torch::stack(losses));
  }
  Tensor greedy(const Tensor& source) {
    const torch::NoGradGuard guard;
    DecoderState state = decoder->start({{encoder(embedded(source))}});
    Tensor next = torch::full({source.size(0), 1}, kStart, torch::kInt64);
    std::vector<Tensor> said;
    for (std::int64_t t = 0; t < source.size(1); ++t) {
      next = mixture->log_probs(scores(decoder->step_groups(embedded(next, t), state))).argmax(-1);
      said.push_back(next);
    }
    return torch::cat(said, 1);
  }
  TransformerEncoder encoder;
  TransformerDecoder decoder;
  GroupMixture mixture;
  torch::nn::Embedding symbols;
};
TORCH_MODULE(Reverser);

double trained(Reverser& model, int steps) {
  torch::optim::Adam adam(model->parameters(), torch::optim::AdamOptions(1e-3).betas({0.9, 0.98}));
  double average = std::log(static_cast<double>(kSymbols));
  for (int step = 0; step < steps; ++step) {
    for (auto& group : adam.param_groups())
      static_cast<torch::optim::AdamOptions&>(group.options()).lr(1e-3 * std::min(1.0, (step + 1) / 60.0));
    const Tensor source = torch::randint(1, kSymbols, {32, kLength}, torch::kInt64);
    adam.zero_grad();
    const Tensor loss = model->loss(source, source.flip(1));
    loss.backward();
    torch::nn::utils::clip_grad_norm_(model->parameters(), 1.0);
    adam.step();
    average += 0.1 * (loss.item<double>() - average);
  }
  return average;
}

struct Learned {
  double loss, right;  // share of the symbols said right
};

Learned learned_with(int encoder_group) {
  torch::manual_seed(1);
  Reverser model(24, encoder_group, 4, 2);
  const double loss = trained(model, 400);
  model->eval();
  const Tensor source = torch::randint(1, kSymbols, {50, kLength}, torch::kInt64);
  const double right = (model->greedy(source) == source.flip(1)).to(torch::kFloat64).mean().item<double>();
  std::cout << (encoder_group > 0 ? "with" : "without") << " fusion: loss " << loss << ", " << 100 * right
            << " % right\n";
  return {loss, right};
}

TEST(DeepStack, TwentyFourFusedEncoderLayersTrain) {
  const Learned fused = learned_with(3);
  EXPECT_LT(fused.loss, 0.5);
  EXPECT_GT(fused.right, 0.9);
}

// The control: what learns above is the fusion's doing, not the task's or the optimizer's.
TEST(DeepStack, TwentyFourPlainEncoderLayersDoNot) {
  const Learned plain = learned_with(0);
  EXPECT_GT(plain.loss, 1.2);
  EXPECT_LT(plain.right, 0.5);
}

}  // namespace
}  // namespace kgwalk::seq2seq
