// Properties of the one attention module: masks, hi-attention, shared memories, gradients.
#include "seq2seq/attention/attention.h"
#include "runtime/tensor/torch.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kgwalk/error.h"
#include "kgwalk/threads.h"
#include "seq2seq/attention/attend.h"
#include "tests/seq2seq/attention_parts.h"
#include "tests/seq2seq/golden.h"
#include "tests/seq2seq/gradient_check.h"

namespace kgwalk::seq2seq {
namespace {

using testing::entry_of;
using testing::expect_gradients_match;
using testing::largest_difference;
using testing::leaves_of;
using testing::random_leaf;
using torch::Tensor;

AttentionOptions attention_options(int history, const std::string& combine, int width = 12, int heads = 3) {
  AttentionOptions options;
  options.width = width;
  options.heads = heads;
  options.hi.history = history;
  options.hi.combine = combine;
  return options;
}

Tensor bools(std::vector<std::vector<int>> rows) {
  std::vector<Tensor> list;
  for (const std::vector<int>& row : rows) list.push_back(torch::tensor(row).to(torch::kBool));
  return torch::stack(list);
}

// The kernel and LibTorch's operations are two ways to one result; asking for logits takes the second.
TEST(Attend, KernelEqualsLibTorchsOperations) {
  torch::manual_seed(1);
  for (const std::int64_t d : {3, 16, 24})
    for (const auto& [queries, keys] : std::vector<std::pair<int, int>>{{1, 1}, {3, 7}, {9, 33}, {70, 70}}) {
      AttendOptions options;
      options.heads = 2;
      options.d = d;
      options.key_keep = torch::rand({2, keys}) > 0.3;
      options.keep = torch::rand({1, queries, keys}) > 0.2;
      options.causal = queries <= keys;
      const Tensor q = torch::randn({2, queries, 2 * d}), kv = torch::randn({2, keys, 4 * d}),
                   old = torch::randn({2, keys, 4 * d});
      Tensor logits;
      for (const bool sum : {false, true}) {
        options.sum = sum;
        const Tensor kernel = attend(q, {entry_of(kv), entry_of(old)}, options);
        const Tensor generic = attend(q, {entry_of(kv), entry_of(old)}, options, &logits);
        EXPECT_LT(largest_difference(kernel, generic), 2e-6) << "d " << d << ", " << queries << " x " << keys;
      }
      EXPECT_EQ(logits.sizes(), (torch::IntArrayRef{2, 2, queries, keys}));
    }
}

TEST(Attend, RowsWithoutKeysAreZeroAndHaveNoGradient) {
  const Tensor q = torch::randn({2, 3, 8}, torch::requires_grad()),
               kv = torch::randn({2, 4, 16}, torch::requires_grad());
  AttendOptions options;
  options.heads = 2;
  options.d = 4;
  options.key_keep = bools({{0, 0, 0, 0}, {1, 0, 1, 0}});
  Tensor logits;
  for (Tensor* wanted : {static_cast<Tensor*>(nullptr), &logits}) {  // kernel, LibTorch
    const Tensor y = attend(q, {entry_of(kv)}, options, wanted);
    EXPECT_EQ(y[0].abs().max().item<float>(), 0);
    EXPECT_GT(y[1].abs().max().item<float>(), 0);
    q.mutable_grad() = kv.mutable_grad() = Tensor();
    y.pow(2).sum().backward();
    EXPECT_EQ(q.grad()[0].abs().max().item<float>(), 0);
    EXPECT_EQ(kv.grad()[0].abs().max().item<float>(), 0);
    EXPECT_TRUE(torch::isfinite(q.grad()).all().item<bool>());
    EXPECT_EQ(kv.grad()[1][1].abs().max().item<float>(), 0) << "a masked key must not learn";
  }
}

TEST(Attend, DropoutScalesWhatItKeeps) {
  torch::manual_seed(3);
  // Equal logits and values of one: every output is the sum of kept weights, 1 on average.
  const Tensor q = torch::zeros({64, 8, 4}), kv = torch::ones({64, 50, 8});
  AttendOptions options;
  options.d = 4;
  options.dropout = 0.25;
  const Tensor y = attend(q, {entry_of(kv)}, options);
  EXPECT_NEAR(y.mean().item<double>(), 1, 0.01);
  EXPECT_GT(y.std().item<double>(), 0.05);
}

TEST(Attend, GradientsOfKernelAreRightInEveryCombination) {
  torch::manual_seed(4);
  const Tensor q = random_leaf({4, 3, 6}), kv = random_leaf({2, 5, 12}), old = random_leaf({2, 5, 12}),
               all = random_leaf({2, 5, 18});
  AttendOptions options;
  options.heads = 2;
  options.d = 3;
  options.key_keep = bools({{1, 1, 0, 1, 0}, {0, 1, 1, 1, 1}});
  for (const bool sum : {false, true})
    for (const double p : {0.0, 0.35}) {
      options.sum = sum;
      options.dropout = p;
      const auto memory = [&] {  // two rows of queries share an example
        torch::manual_seed(7);
        return attend(q, {entry_of(kv), entry_of(old)}, options);
      };
      expect_gradients_match({{"q", q}, {"kv", kv}, {"old", old}}, memory);
      AttendOptions causal = options;
      causal.causal = true;
      const auto self = [&] {
        torch::manual_seed(8);
        return attend(all, {{all, 6, 12, 6, 5, {}}, entry_of(old)}, causal);
      };
      expect_gradients_match({{"qkv", all}, {"old", old}}, self);
    }
}

TEST(Attend, GradientsHoldAcrossQueryBlocks) {
  torch::manual_seed(5);
  const Tensor all = random_leaf({1, 70, 12});
  AttendOptions options;
  options.heads = 1;
  options.d = 4;
  options.causal = true;
  expect_gradients_match(
      {{"qkv", all}},
      [&] {
        return attend(all, {{all, 4, 8, 4, 70, {}}}, options);
      },
      30);
}

TEST(Attend, ResultsDoNotDependOnTheNumberOfThreads) {
  const Tensor all = torch::randn({8, 40, 96});
  std::vector<Tensor> results;
  for (const int threads : {1, 2}) {
    set_num_threads(threads);
    torch::manual_seed(9);
    Tensor leaf = all.clone().requires_grad_(true);
    AttendOptions options;
    options.heads = 4;
    options.d = 8;
    options.dropout = 0.1;
    const Tensor y = attend(leaf, {{leaf, 32, 64, 32, 40, {}}}, options);
    y.pow(2).sum().backward();
    results.push_back(torch::cat({y.detach().flatten(), leaf.grad().flatten()}));
  }
  set_num_threads(1);
  EXPECT_TRUE(torch::equal(results[0], results[1]));
}

TEST(Attention, WithoutHistoryIsPlainBitForBit) {
  torch::manual_seed(10);
  MultiheadAttention plain(attention_options(0, "concat_eq9"), AttentionSite{false, 5});
  const Tensor x = torch::randn({2, 7, 12});
  AttentionTrace trace;
  trace.layers.resize(5, entry_of(torch::randn({2, 7, 24})));
  const Tensor wanted = plain(x, AttentionCall{});
  // n = 0 under every combination, and a first layer of any n, have the same weights and the same result.
  for (const char* combine : {"concat_eq9", "concat_eq6", "sum"}) {
    for (const bool first_layer : {false, true}) {
      MultiheadAttention other(attention_options(first_layer ? 3 : 0, combine),
                               AttentionSite{false, first_layer ? 0 : 5});
      const torch::NoGradGuard guard;
      ASSERT_EQ(other->parameters().size(), plain->parameters().size());
      for (const auto& item : plain->named_parameters())
        other->named_parameters()[item.key()].copy_(item.value());
      AttentionTrace own = first_layer ? AttentionTrace{} : trace;
      AttentionCall call;
      call.trace = &own;
      EXPECT_TRUE(torch::equal(other(x, call), wanted)) << combine;
    }
  }
  // Also equal to the formula.
  const auto parts =
      plain->qkv(x).view({2, 7, 3, 3, 4}).permute({2, 0, 3, 1, 4}).unbind(0);  // [B, H, T, d] each
  const Tensor weights = torch::softmax(torch::matmul(parts[0], parts[1].transpose(2, 3)) / 2.0, -1);
  const Tensor formula = plain->output(torch::matmul(weights, parts[2]).transpose(1, 2).reshape({2, 7, 12}));
  EXPECT_LT(largest_difference(wanted, formula), 1e-6);
}

TEST(Attention, HistoryCountsParametersAsThePaperDoes) {
  const auto count = [](int n, const std::string& combine) {
    MultiheadAttention module(attention_options(n, combine, 12, 3), AttentionSite{false, 6});
    std::int64_t total = 0;
    for (const Tensor& p : module->parameters()) total += p.numel();
    return total;
  };
  const std::int64_t plain = count(0, "sum");
  EXPECT_EQ(plain, 4 * 12 * 12 + 4 * 12);
  EXPECT_EQ(count(3, "concat_eq9") - plain, 3 * 12 * 12);  // n D^2
  EXPECT_EQ(count(3, "concat_eq6") - plain, 3 * 4 * 4);    // n d^2
  EXPECT_EQ(count(3, "sum"), plain);
  HiAttentionOptions hi{3, 2, "sum"};
  EXPECT_EQ(hi.layers(6), (std::vector<int>{5, 3, 1}));
  EXPECT_EQ(hi.layers(2), (std::vector<int>{1}));
}

TEST(HiAttention, OfAMemoryBeginsAtTheTopLayerOrBelowIt) {
  AttentionOptions options;
  options.width = 8;
  options.hi.history = 2;
  const AttentionSite memory{.memory = true, .layers_below = 4};
  EXPECT_EQ(MultiheadAttention(options, memory)->earlier_layers(), (std::vector<int>{3, 2}));
  options.hi.skip_top = true;
  EXPECT_EQ(MultiheadAttention(options, memory)->earlier_layers(), (std::vector<int>{2, 1}));
}

TEST(Attention, GradientsOfEveryOptionAreRight) {
  for (const char* combine : {"concat_eq9", "concat_eq6", "sum"})
    for (const bool memory : {false, true}) {
      torch::manual_seed(12);
      MultiheadAttention module(attention_options(2, combine, 6, 2), AttentionSite{memory, 2});
      module->to(torch::kFloat64);
      const Tensor x = random_leaf({2, 3, 6}), states = random_leaf({2, 4, 6});
      const std::int64_t keys = memory ? 4 : 3;
      const Tensor low = random_leaf({2, keys, 12}), high = random_leaf({2, keys, 12});
      const Tensor keep = memory ? bools({{1, 0, 1, 1}, {1, 1, 1, 0}}) : bools({{1, 0, 1}, {1, 1, 1}});
      const auto f = [&] {
        AttentionTrace trace;
        trace.layers = {entry_of(low), entry_of(high)};
        AttentionCall call;
        ProjectedMemory projected;
        if (memory) {
          projected = module->project({states, keep, &trace});
          call.memory = &projected;
        } else {
          call.masks = {keep, {}, true};
          call.trace = &trace;
        }
        return module(x, call);
      };
      auto leaves = leaves_of(*module);
      leaves.insert(leaves.end(), {{"x", x}, {"low", low}, {"high", high}});
      if (memory) leaves.emplace_back("states", states);
      expect_gradients_match(leaves, f, 12);
    }
}

TEST(Attention, PositionBiasIsAddedToTheCurrentLayerOnly) {
  torch::manual_seed(13);
  MultiheadAttention module(attention_options(0, "sum", 6, 2), AttentionSite{});
  module->to(torch::kFloat64);
  const Tensor x = random_leaf({2, 3, 6}), bias = random_leaf({1, 2, 3, 3});
  const auto f = [&] {
    AttentionCall call;
    call.position_bias = bias;
    return module(x, call);
  };
  expect_gradients_match({{"x", x}, {"bias", bias}}, f);
  // A bias that forbids everything but the diagonal gives each position its own value.
  AttentionCall call;
  call.position_bias = ((torch::eye(3, torch::kFloat64) - 1) * 1e9).view({1, 1, 3, 3});
  const Tensor own = module->output(module->qkv(x).narrow(2, 12, 6));
  EXPECT_LT(largest_difference(module(x, call), own), 1e-9);
}

TEST(Attention, TraceKeepsLogitsWhenAsked) {
  torch::manual_seed(14);
  MultiheadAttention module(attention_options(0, "sum"), AttentionSite{});
  const Tensor x = torch::randn({2, 5, 12});
  AttentionTrace with, without;
  with.keep_logits = true;
  AttentionCall call;
  call.trace = &with;
  const Tensor y = module(x, call);
  call.trace = &without;
  EXPECT_LT(largest_difference(module(x, call), y), 1e-6);
  EXPECT_FALSE(without.layers[0].logits.defined());
  const TraceEntry& entry = with.layers[0];
  const Tensor q = module->qkv(x).narrow(2, 0, 12).view({2, 5, 3, 4}).transpose(1, 2);
  EXPECT_LT(largest_difference(entry.logits, torch::matmul(q, entry.keys(3).transpose(2, 3))), 1e-6);
}

TEST(Attention, BeamsShareTheirExamplesMemory) {
  torch::manual_seed(15);
  MultiheadAttention module(attention_options(1, "concat_eq9"), AttentionSite{true, 1});
  module->eval();
  const Tensor states = torch::randn({3, 5, 12}),
               keep = bools({{1, 1, 1, 1, 1}, {1, 1, 0, 0, 0}, {0, 1, 1, 1, 0}});
  AttentionTrace trace;
  trace.layers = {entry_of(torch::randn({3, 5, 24}))};
  const torch::NoGradGuard guard;
  const ProjectedMemory memory = module->project({states, keep, &trace});
  const Tensor x = torch::randn({12, 1, 12});
  AttentionCall call;
  const auto copied = [&](const Tensor& owner) {
    const ProjectedMemory own = memory.select(owner);
    AttentionCall one;
    one.memory = &own;
    return module(x.narrow(0, 0, owner.size(0)), one);
  };
  call.memory = &memory;
  EXPECT_LT(largest_difference(module(x, call), copied(torch::arange(3).repeat_interleave(4))), 1e-6);
  const std::vector<std::int64_t> offsets{0, 1, 1, 6};  // one row, none, five
  call.row_offsets = &offsets;
  EXPECT_LT(largest_difference(module(x.narrow(0, 0, 6), call), copied(torch::tensor({0, 2, 2, 2, 2, 2}))),
            1e-6);
}

TEST(Attention, SaysWhatDoesNotFit) {
  MultiheadAttention hi(attention_options(1, "sum"), AttentionSite{false, 2}),
      memory(attention_options(0, "sum"), AttentionSite{true});
  const Tensor x = torch::randn({2, 3, 12});
  EXPECT_THROW(hi(x, AttentionCall{}), ShapeError);                         // no trace
  EXPECT_THROW(memory(x, AttentionCall{}), ShapeError);                     // no memory
  EXPECT_THROW(hi(torch::randn({2, 3, 11}), AttentionCall{}), ShapeError);  // width
  const ProjectedMemory projected = memory->project({torch::randn({4, 3, 12}), {}, nullptr});
  AttentionCall call;
  call.memory = &projected;
  EXPECT_THROW(memory(torch::randn({6, 1, 12}), call), ShapeError);  // 6 rows, 4 examples
  AttentionOptions bad = attention_options(0, "sum", 10, 3);
  EXPECT_THROW(MultiheadAttention(bad, AttentionSite{}), ConfigError);
}

}  // namespace
}  // namespace kgwalk::seq2seq
