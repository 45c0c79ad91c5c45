// Encoder and decoder stacks: golden values, padding, causality, gradients, and that they learn.
#include <torch/nn/functional/loss.h>
#include <torch/nn/modules/embedding.h>
#include <torch/optim.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kgwalk/error.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/layers/decoder.h"
#include "seq2seq/layers/embedding.h"
#include "seq2seq/layers/encoder.h"
#include "tests/seq2seq/encoder_checks.h"
#include "tests/seq2seq/golden.h"
#include "tests/seq2seq/gradient_check.h"

namespace kgwalk::seq2seq {
namespace {

using testing::expect_gradients_match;
using testing::largest_difference;
using testing::leaves_of;
using testing::load_weights;
using testing::tensor_of;
using torch::Tensor;

StackOptions norm_options(const std::string& norm, const std::string& combine, int history) {
  StackOptions options;
  options.layers = 3;
  options.width = 8;
  options.heads = 2;
  options.ffn_width = 12;
  options.norm = norm;
  options.hi = {history, 1, combine};
  options.hi_memory = {history, 1, combine};
  return options;
}

TEST(StackGolden, EncoderAndDecoderEqualTheReference) {
  const Json cases = read_json_file((testing::source_dir() / "tests/golden/stack.json").string());
  for (const auto& item : cases.items()) {
    const Json& c = item.value();
    StackOptions options;
    apply_json(options, c["options"], "stack.json");
    TransformerEncoder encoder(options);
    TransformerDecoder decoder(options, std::vector<int>{options.layers, 0});
    load_weights(*encoder, c["weights"]["encoder"]);
    load_weights(*decoder, c["weights"]["decoder"]);
    const auto in = [&](const char* name) { return tensor_of(c["inputs"][name]); };
    const auto keep = [&](const char* name) { return tensor_of(c["inputs"][name], torch::kBool); };
    AttentionTrace trace;
    const Tensor states = encoder(in("source"), keep("source_keep"), &trace);
    EXPECT_LT(largest_difference(states, tensor_of(c["expected"]["encoder"])), 1e-10) << item.key();
    const Tensor y =
        decoder(in("target"),
                std::vector<Memory>{{states, keep("source_keep"), &trace}, {in("plain"), keep("plain_keep")}},
                AttentionMasks{keep("target_keep"), {}, true});
    EXPECT_LT(largest_difference(y, tensor_of(c["expected"]["decoder"])), 1e-10) << item.key();
  }
}

TEST(Encoder, PaddedBatchesEqualSingleSentences) {
  for (const char* combine : {"concat_eq9", "concat_eq6", "sum"})
    testing::expect_padding_is_not_seen(norm_options("pre", combine, 2), combine);
}

TEST(Decoder, NoPositionSeesALaterOneWithHiAttention) {
  torch::manual_seed(2);
  for (const char* norm : {"pre", "post", "end"}) {
    TransformerDecoder decoder(norm_options(norm, "concat_eq9", 3), std::vector<int>{0});
    decoder->eval();
    const std::vector<Memory> memories{{torch::randn({2, 4, 8})}};
    const AttentionMasks causal{{}, {}, true};
    const Tensor x = torch::randn({2, 6, 8});
    const Tensor before = decoder(x, memories, causal);
    for (std::int64_t t = 1; t < 6; ++t) {
      Tensor changed = x.clone();
      changed.narrow(1, t, 6 - t).normal_(0, 3);
      const Tensor after = decoder(changed, memories, causal);
      EXPECT_TRUE(torch::equal(after.narrow(1, 0, t), before.narrow(1, 0, t))) << norm << " position " << t;
      EXPECT_GT(largest_difference(after.select(1, t), before.select(1, t)), 1e-3);
    }
  }
}

TEST(Decoder, OrderOfMemoriesMatters) {
  torch::manual_seed(3);
  TransformerDecoder decoder(norm_options("pre", "sum", 0), std::vector<int>{0, 0});
  decoder->eval();
  const Memory kg{torch::randn({1, 3, 8})}, dialogue{torch::randn({1, 5, 8})};
  const Tensor x = torch::randn({1, 2, 8});
  const AttentionMasks causal{{}, {}, true};
  EXPECT_GT(largest_difference(decoder(x, std::vector<Memory>{kg, dialogue}, causal),
                               decoder(x, std::vector<Memory>{dialogue, kg}, causal)),
            1e-3);
  EXPECT_THROW(decoder(x, std::vector<Memory>{kg}, causal), ShapeError);
}

TEST(Stacks, GradientsReachEverythingThroughHiAttention) {
  for (const char* norm : {"pre", "post", "end"}) {
    torch::manual_seed(4);
    StackOptions options = norm_options(norm, "concat_eq9", 2);
    options.layers = 2;
    options.width = 4;
    options.ffn_width = 5;
    TransformerEncoder encoder(options);
    TransformerDecoder decoder(options, std::vector<int>{2, 0});
    encoder->to(torch::kFloat64);
    decoder->to(torch::kFloat64);
    encoder->train();  // dropout included: the seed fixes its masks
    decoder->train();
    const Tensor source = torch::randn({2, 3, 4}, torch::kFloat64).requires_grad_(true),
                 plain = torch::randn({2, 2, 4}, torch::kFloat64).requires_grad_(true),
                 target = torch::randn({2, 3, 4}, torch::kFloat64).requires_grad_(true);
    const Tensor keep = torch::tensor({{1, 1, 0}, {1, 1, 1}}).to(torch::kBool);
    const auto f = [&] {
      torch::manual_seed(5);
      AttentionTrace trace;
      const Tensor states = encoder(source, keep, &trace);
      return decoder(target, std::vector<Memory>{{states, keep, &trace}, {plain}},
                     AttentionMasks{{}, {}, true});
    };
    auto leaves = leaves_of(*encoder);
    for (const auto& leaf : leaves_of(*decoder)) leaves.push_back(leaf);
    leaves.insert(leaves.end(), {{"source", source}, {"plain", plain}, {"target", target}});
    expect_gradients_match(leaves, f, 3);
  }
}

TEST(Positions, SinusoidalTableHasThePrintedValues) {
  const Tensor table = sinusoidal_positions(3, 4);
  // Rows p = 0, 1, 2 for D = 4: sin p, cos p, sin p/100, cos p/100.
  const Tensor wanted = torch::tensor({{0.0, 1.0, 0.0, 1.0},
                                       {0.8414709848, 0.5403023059, 0.0099998333, 0.9999500004},
                                       {0.9092974268, -0.4161468365, 0.0199986667, 0.9998000067}});
  EXPECT_LT(largest_difference(table, wanted), 1e-7);
  EXPECT_LT(largest_difference(sinusoidal_positions(2, 4, 1), table.narrow(0, 1, 2)), 1e-7);
}

TEST(Positions, OffsetsContinueTheSequenceAndTheTableEnds) {
  PositionEmbedding positions(PositionOptions{"learnt", 4, 5});
  const Tensor x = torch::randn({2, 5, 4});
  const Tensor whole = positions(x);
  EXPECT_TRUE(torch::equal(positions(x.narrow(1, 3, 2), 3), whole.narrow(1, 3, 2)));
  EXPECT_THROW(positions(x, 1), ShapeError);
}

TEST(StackOptions, ProblemsAreReportedTogether) {
  StackOptions options;
  try {
    apply_json(options, Json{{"norm", "before"}, {"heads", "three"}}, "test");
    FAIL();
  } catch (const ConfigError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("norm"), std::string::npos) << text;
    EXPECT_NE(text.find("heads"), std::string::npos) << text;
  }
}

// A two-layer encoder must learn to say each sequence backwards.
TEST(Stacks, ATinyModelOverfits) {
  torch::manual_seed(6);
  StackOptions options;
  options.layers = 2;
  options.width = 32;
  options.heads = 4;
  options.ffn_width = 64;
  options.dropout = options.attention_dropout = 0;
  TransformerEncoder encoder(options);
  PositionEmbedding positions(PositionOptions{"learnt", 32, 5});
  torch::nn::Embedding symbols(10, 32);
  Linear out(32, 10);
  std::vector<Tensor> parameters;
  for (const auto& list :
       {encoder->parameters(), positions->parameters(), symbols->parameters(), out->parameters()})
    parameters.insert(parameters.end(), list.begin(), list.end());
  torch::optim::Adam adam(parameters, torch::optim::AdamOptions(5e-3));
  const Tensor ids = torch::randint(10, {16, 5}, torch::kInt64), wanted = ids.flip(1).reshape({-1});
  double loss = 0;
  for (int step = 0; step < 120; ++step) {
    adam.zero_grad();
    const Tensor logits = out(encoder(positions(symbols(ids)))).reshape({-1, 10});
    const Tensor l = torch::nn::functional::cross_entropy(logits, wanted);
    l.backward();
    adam.step();
    loss = l.item<double>();
  }
  EXPECT_LT(loss, 0.02);
}

}  // namespace
}  // namespace kgwalk::seq2seq
