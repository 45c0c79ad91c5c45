#include <gtest/gtest.h>

#include "kgwalk/error.h"
#include "runtime/json_text.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/projection_loss.h"
#include "seq2seq/models/pointer_generator.h"
#include "seq2seq/tasks/batching.h"
#include "seq2seq/tasks/teaching.h"
#include "tests/seq2seq/golden.h"
#include "tests/seq2seq/gradient_check.h"

namespace kgwalk::seq2seq {
namespace {

using testing::expect_gradients_match;
using testing::largest_difference;
using testing::random_leaf;
using testing::tensor_of;
using torch::Tensor;

TEST(MixedProjectionLoss, GradientsMatchAndValuesAreTheFormula) {
  torch::manual_seed(1);
  const Tensor states = random_leaf({6, 3}), weight = random_leaf({5, 3}), share = random_leaf({6}),
               other = random_leaf({6});
  const Tensor gold = torch::tensor({0, 4, -1, 2, 2, -1}, torch::kInt64);
  for (const double smoothing : {0.0, 0.1}) {
    const auto loss = [&] {
      return projection_loss(states, weight, {}, gold, smoothing, {share, other}).loss.unsqueeze(0);
    };
    expect_gradients_match({{"states", states}, {"weight", weight}, {"share", share}, {"other", other}},
                           loss);
    const Tensor p = torch::softmax(torch::linear(states, weight), 1);  // [R, V]
    const Tensor told =
        p.gather(1, gold.clamp_min(0).unsqueeze(1)).squeeze(1).masked_fill(gold < 0, 0) * share.exp() +
        other.exp();
    const Tensor expected = -(1 - smoothing) * told.log().sum() - smoothing / 5 * p.log().sum();
    EXPECT_NEAR(loss().item<double>(), expected.item<double>(), 1e-9);
    const torch::NoGradGuard no_grad;
    const ProjectionLoss bare = projection_loss(states, weight, {}, gold, smoothing, {share, other});
    EXPECT_NEAR(bare.loss.item<double>(), expected.item<double>(), 1e-9);
    EXPECT_NEAR(bare.nll, -told.log().sum().item<double>(), 1e-9);
  }
  EXPECT_THROW((void)projection_loss(states, weight, {}, gold, 0), ShapeError) << "-1 needs a mixture";
  EXPECT_THROW((void)projection_loss(states, weight, {}, gold, 0, {share, other.narrow(0, 0, 2)}),
               ShapeError);
}

// Probabilities far below what float32 holds: the loss is their logarithm all the same, gradients are finite.
TEST(MixedProjectionLoss, IsSafeWhereProbabilitiesVanish) {
  const auto leaf = [](const Tensor& x) { return x.clone().requires_grad_(); };
  const Tensor states = leaf(torch::ones({3, 1})), weight = leaf(torch::tensor({0.0f, 500.0f}).unsqueeze(1));
  // Piece 0 has probability e^-500; mixed with e^-600, with e^-69 and, where it cannot be told, with e^-80.
  const Tensor share = leaf(torch::tensor({-200.0f, -1.0f, -1.0f})),
               other = leaf(torch::tensor({-600.0f, -69.0f, -80.0f}));
  const Tensor gold = torch::tensor({0, 0, -1}, torch::kInt64);
  const ProjectionLoss found = projection_loss(states, weight, {}, gold, 0, {share, other});
  EXPECT_NEAR(found.nll, 600 + 69 + 80, 1e-3);
  found.loss.backward();
  for (const Tensor* x : {&states, &weight, &share, &other})
    EXPECT_TRUE(torch::isfinite(x->grad()).all().item<bool>());
  EXPECT_NEAR(other.grad()[1].item<double>(), -1, 1e-6) << "all of it comes from the copy";
}

PointerGeneratorOptions small_pointer(bool copy = true) {
  PointerGeneratorOptions options;
  for (StackOptions* stack : {&options.transformer.encoder, &options.transformer.decoder}) {
    stack->layers = 1;
    stack->width = 4;
    stack->heads = 2;
    stack->ffn_width = 8;
    stack->dropout = stack->attention_dropout = 0;
  }
  options.speakers = 2;
  options.copy = copy;
  return options;
}

TEST(PointerGenerator, LossAndGradientsEqualTheReference) {
  const Json cases = read_json_file((testing::source_dir() / "tests/golden/pointer.json").string());
  ASSERT_EQ(cases.size(), 3u);
  for (const auto& item : cases.items()) {
    const Json& c = item.value();
    PointerGenerator model(small_pointer(), 7, 1);
    model->to(torch::kFloat64);
    auto parameters = model->named_parameters();
    {
      const torch::NoGradGuard no_grad;
      for (const auto& weight : c["weights"].items())
        parameters[weight.key()].copy_(tensor_of(weight.value()));
    }
    const Tensor states = tensor_of(c["inputs"]["states"]).requires_grad_(),
                 source = tensor_of(c["inputs"]["source"]).requires_grad_(),
                 keep = tensor_of(c["inputs"]["keep"], torch::kBool);
    const auto copies = c["inputs"]["copies"].get<std::vector<std::vector<int>>>();
    const auto gold = c["inputs"]["gold"].get<std::vector<std::vector<int>>>();
    std::vector<const std::vector<int>*> copy_rows, gold_rows;
    for (std::size_t b = 0; b < 2; ++b) {
      copy_rows.push_back(&copies[b]);
      gold_rows.push_back(&gold[b]);
    }
    PointedSource read;
    read.keep = keep;
    read.copies = pad_rows(copy_rows).ids;
    read.extra = 1;
    EncodedSource encoded;
    encoded.states = source;
    encoded.keep = keep;
    const PointedLoss found =
        model->loss_of(states, model->pointed(std::move(encoded), read), teaching_of(gold_rows, 2),
                       c["options"]["smoothing"].get<double>(), c["options"]["coverage"].get<double>());
    const Json& expected = c["expected"];
    EXPECT_NEAR(found.loss.item<double>(), expected["loss"].get<double>(), 1e-10) << item.key();
    EXPECT_NEAR(found.nll, expected["nll"].get<double>(), 1e-10) << item.key();
    const double covered = c["options"]["coverage"] > 0 ? expected["coverage"].get<double>() : 0;
    EXPECT_NEAR(found.coverage, covered, 1e-10) << item.key();
    found.loss.backward();
    EXPECT_LT(largest_difference(states.grad(), tensor_of(expected["grad_states"])), 1e-10) << item.key();
    EXPECT_LT(largest_difference(source.grad(), tensor_of(expected["grad_source"])), 1e-10) << item.key();
    for (const auto& grad : expected["grads"].items())
      EXPECT_LT(largest_difference(parameters[grad.key()].grad(), tensor_of(grad.value())), 1e-10)
          << item.key() << " " << grad.key();
  }
}

// Two dialogues of six and four pieces; piece 30 is in no vocabulary and stands in the first one.
PointedSource two_dialogues() {
  PointedSource source;
  source.ids = torch::tensor({{5, 6, 1, 7, 6, 3}, {8, 9, 5, 3, 0, 0}}, torch::kInt64);
  source.keep = torch::tensor({{1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 0, 0}}, torch::kInt64).to(torch::kBool);
  source.copies = torch::tensor({{5, 6, 30, 7, 6, -1}, {8, 9, 5, -1, 0, 0}}, torch::kInt64);
  source.speakers = torch::tensor({{1, 1, 1, 2, 2, 0}, {1, 2, 2, 0, 0, 0}}, torch::kInt64);
  source.extra = 1;
  return source;
}

PointedSource first_of(const PointedSource& both, std::int64_t row, std::int64_t length) {
  PointedSource one;
  const auto cut = [&](const Tensor& x) { return x.narrow(0, row, 1).narrow(1, 0, length); };
  one.ids = cut(both.ids);
  one.copies = cut(both.copies);
  one.speakers = cut(both.speakers);
  one.extra = both.extra;
  return one;
}

TEST(PointerGenerator, StepsEqualTeachingWithUnevenBeamsAndPaddingDoesNotLeak) {
  torch::manual_seed(3);
  const torch::NoGradGuard no_grad;
  for (const bool copy : {true, false}) {
    PointerGenerator model(small_pointer(copy), 30, 1);
    model->eval();
    const PointedSource both = two_dialogues();
    const EncodedPointedSource encoded = model->encode(both);
    const std::vector<int> first{6, 30, 5, 3}, second{9, 4, 3};
    const std::vector<const std::vector<int>*> rows{&first, &second};
    const Teaching teaching = teaching_of(rows, 2);
    const double taught = model->loss(encoded, teaching, 0, 0).nll;

    // Three rows for the first dialogue, one for the second: ragged.
    PointedState state = model->start(encoded);
    double told = 0;
    for (std::size_t t = 0; t < first.size(); ++t) {
      const std::int64_t a = t == 0 ? 2 : first[t - 1], b = t == 0 ? 2 : t <= 2 ? second[t - 1] : 3;
      if (t == 1) state.decoder.reorder(torch::tensor({0, 0, 0, 1}, torch::kInt64));
      const Tensor ids =
          t == 0 ? torch::tensor({a, b}, torch::kInt64) : torch::tensor({a, a, a, b}, torch::kInt64);
      const Tensor log_probs = torch::log_softmax(model->step(ids, state), 1);
      EXPECT_EQ(log_probs.size(1), copy ? 31 : 30);
      told -= log_probs[t == 0 ? 0 : 1][copy ? first[t] : first[t] == 30 ? 1 : first[t]].item<double>();
      if (t < second.size()) told -= log_probs[t == 0 ? 1 : 3][second[t]].item<double>();
    }
    EXPECT_NEAR(told, taught, 1e-4) << copy;

    const EncodedPointedSource alone = model->encode(first_of(both, 1, 4));
    const std::vector<const std::vector<int>*> one{&second};
    const std::vector<const std::vector<int>*> other{&first};
    EXPECT_NEAR(model->loss(alone, teaching_of(one, 2), 0, 0).nll +
                    model->loss(model->encode(first_of(both, 0, 6)), teaching_of(other, 2), 0, 0).nll,
                taught, 1e-4)
        << "padding leaks";
  }
}

TEST(PointerGenerator, AttentionIsADistributionOverWhatCanBeCopied) {
  torch::manual_seed(4);
  const torch::NoGradGuard no_grad;
  PointerGenerator model(small_pointer(), 30, 1);
  model->eval();
  const EncodedPointedSource encoded = model->encode(two_dialogues());
  const std::vector<int> target{6, 5, 3};
  const std::vector<const std::vector<int>*> rows{&target, &target};
  const Teaching teaching = teaching_of(rows, 2);
  const Tensor a = model->attention(encoded, teaching);  // [2, 3, 6]
  EXPECT_LT(largest_difference(a.sum(2), torch::ones({2, 3})), 1e-5);
  EXPECT_EQ(a.select(2, 5).abs().max().item<double>(), 0) << "the end cannot be copied";
  EXPECT_EQ(a[1].select(1, 4).abs().max().item<double>(), 0) << "padding";
  // Coverage loss by its definition.
  double repeated = 0;
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i < 6; ++i) {
      double before = 0;
      for (int t = 0; t < 3; ++t) {
        const double now = a[b][t][i].item<double>();
        repeated += std::min(now, before);
        before += now;
      }
    }
  EXPECT_NEAR(model->loss(encoded, teaching, 0, 1).coverage, repeated, 1e-5);
  EXPECT_THROW((void)PointerGenerator(small_pointer(false), 30, 1)->attention(encoded, teaching),
               ConfigError);
}

TEST(PointerGenerator, KnowsWhoSpeaks) {
  torch::manual_seed(5);
  const torch::NoGradGuard no_grad;
  PointerGenerator model(small_pointer(), 30, 1);
  model->eval();
  PointedSource source = two_dialogues();
  const Tensor before = model->encode(source).source.states;
  source.speakers[0][1] = 2;
  const Tensor after = model->encode(source).source.states;
  EXPECT_GT((before[0] - after[0]).abs().max().item<double>(), 1e-3);
  EXPECT_EQ((before[1] - after[1]).abs().max().item<double>(), 0);
  PointerGeneratorOptions grouped = small_pointer();
  grouped.transformer.decoder.group_layers = 1;
  EXPECT_THROW(PointerGenerator(grouped, 30, 1), ConfigError);
}

}  // namespace
}  // namespace kgwalk::seq2seq
