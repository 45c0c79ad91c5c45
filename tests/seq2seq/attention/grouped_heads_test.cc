// Grouped heads: padding, k-means, gradients, training and the removal of heads. Golden values:
// grouped_heads_golden_test.cc.
#include <torch/optim.h>

#include "runtime/tensor/torch.h"
#include "seq2seq/attention/grouped_heads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "kgwalk/error.h"
#include "seq2seq/attention/head_clusters.h"
#include "seq2seq/layers/decoder.h"
#include "seq2seq/layers/encoder.h"
#include "tests/seq2seq/golden.h"
#include "tests/seq2seq/gradient_check.h"

namespace kgwalk::seq2seq {
namespace {

using testing::expect_gradients_match;
using testing::largest_difference;
using testing::leaves_of;
using torch::Tensor;

StackOptions stack_options(int heads = 4, int layers = 2) {
  StackOptions options;
  options.layers = layers;
  options.width = 8;
  options.heads = heads;
  options.ffn_width = 12;
  return options;
}

// An encoder and a decoder as one model.
struct PairImpl : torch::nn::Module {
  explicit PairImpl(const StackOptions& options)
      : encoder(register_module("encoder", TransformerEncoder(options))),
        decoder(register_module("decoder", TransformerDecoder(options, std::vector<int>{0}))) {}
  Tensor forward(const Tensor& source, const Tensor& keep, const Tensor& target,
                 const Tensor& target_keep = {}) {
    return decoder(target, std::vector<Memory>{{encoder(source, keep), keep}},
                   AttentionMasks{target_keep, {}, true});
  }
  TransformerEncoder encoder;
  TransformerDecoder decoder;
};
TORCH_MODULE(Pair);

// Every way to put the heads into groups, none empty.
double least_within(const HeadPoints& points, std::int64_t groups) {
  const auto count = static_cast<std::size_t>(points.count());
  double least = std::numeric_limits<double>::infinity();
  std::vector<std::int64_t> assignment(count, 0);
  for (;;) {
    bool full = true;
    for (std::int64_t g = 0; g < groups; ++g)
      full = full && std::count(assignment.begin(), assignment.end(), g) > 0;
    if (full) least = std::min(least, within_groups(points, assignment, groups));
    std::size_t digit = 0;
    while (digit < count && ++assignment[digit] == groups) assignment[digit++] = 0;
    if (digit == count) return least;
  }
}

TEST(HeadClusters, FindTheBestGroupingOfFewHeads) {
  Random random(1);
  for (int trial = 0; trial < 30; ++trial) {
    const std::int64_t groups = 2 + trial % 3;
    std::vector<double> data(8 * 3);
    for (double& x : data) x = random.normal();
    const HeadPoints points{data, 3};
    const std::vector<std::int64_t> found = cluster_heads(points, groups, {}, random);
    const double best = least_within(points, groups), ours = within_groups(points, found, groups);
    EXPECT_LT(ours, best * 1.1) << trial;
  }
}

TEST(HeadClusters, KeepNumbersAndFillEveryGroup) {
  Random random(2);
  // Two far pairs and a middle one: the grouping is plain; its numbers follow the earlier ones.
  const std::vector<double> data{10, 10, 10.1, 10, -10, 0, -10.1, 0, 0, -10, 0, -10.1};
  const HeadPoints points{data, 2};
  EXPECT_EQ(cluster_heads(points, 3, {2, 2, 0, 0, 1, 1}, random),
            (std::vector<std::int64_t>{2, 2, 0, 0, 1, 1}));
  EXPECT_EQ(cluster_heads(points, 3, {1, 1, 1, 0, 2, 2}, random),
            (std::vector<std::int64_t>{1, 1, 0, 0, 2, 2}));
  // Equal heads still fill all groups.
  const std::vector<double> equal(8, 1.0);
  std::vector<std::int64_t> groups = cluster_heads({equal, 2}, 3, {}, random);
  std::sort(groups.begin(), groups.end());
  EXPECT_EQ(std::unique(groups.begin(), groups.end()) - groups.begin(), 3);
  EXPECT_THROW((void)cluster_heads({equal, 2}, 5, {}, random), ConfigError);
}

GroupedHeadsOptions grouping(const std::string& form, const std::string& feature, int groups = 2) {
  GroupedHeadsOptions options;
  options.form = form;
  options.feature = feature;
  options.groups = groups;
  options.alpha = 0.7;
  options.beta = 0.4;
  options.reach = 2;
  return options;
}

TEST(GroupedHeads, GradientsOfEveryFormAndFeatureAreRight) {
  const std::vector<std::pair<std::string, std::string>> looks{{"value", "mean"},
                                                               {"attention", "mean"},
                                                               {"output", "mean"},
                                                               {"value", "tokens"},
                                                               {"output", "tokens"}};
  for (const char* form : {"metric", "classify"})
    for (const auto& [feature, maps] : looks) {
      torch::manual_seed(1);
      StackOptions options = stack_options(4, 1);
      options.dropout = options.attention_dropout = 0;
      Pair model(options);
      GroupedHeadsOptions wanted = grouping(form, feature);
      wanted.maps = maps;
      GroupedHeads grouped(wanted, attentions_of(*model));
      model->to(torch::kFloat64);
      grouped->to(torch::kFloat64);
      const Tensor source = torch::randn({2, 4, 8}, torch::kFloat64),
                   target = testing::random_leaf({2, 3, 8});
      const Tensor keep = torch::tensor({{1, 1, 1, 1}, {1, 1, 0, 0}}).to(torch::kBool);
      const Tensor target_keep = torch::tensor({{1, 1, 1}, {1, 1, 0}}).to(torch::kBool);
      grouped->observe(true);
      const auto f = [&] {
        (void)model(source, keep, target, target_keep);
        return grouped->loss();
      };
      (void)f();
      grouped->eval();  // the grouping found stays
      std::vector<std::pair<std::string, Tensor>> leaves{{"target", target}};
      for (const auto& leaf : leaves_of(*grouped)) leaves.push_back(leaf);
      for (const auto& [name, leaf] : leaves_of(*model))
        if (name.find("qkv.weight") != std::string::npos ||
            name.find("key_value.weight") != std::string::npos)
          leaves.emplace_back(name, leaf);
      // What comes after the last feature has no part in it.
      std::erase_if(leaves, [&](const auto& leaf) { return leaf.first == "target" && !f().requires_grad(); });
      expect_gradients_match(leaves, f, 5);
    }
}

TEST(GroupedHeads, PaddingDoesNotEnterTheFeatures) {
  torch::manual_seed(2);
  Pair model(stack_options());
  model->eval();
  GroupedHeads grouped(grouping("metric", "value"), attentions_of(*model));
  grouped->eval();
  const torch::NoGradGuard guard;
  const Tensor source = torch::randn({1, 3, 8}), target = torch::randn({1, 2, 8});
  const auto features = [&](std::int64_t more) {
    const Tensor s = torch::cat({source, torch::randn({1, more, 8})}, 1);
    const Tensor t = torch::cat({target, torch::randn({1, more, 8})}, 1);
    grouped->observe(true);
    (void)model(s, torch::arange(3 + more).unsqueeze(0) < 3, t, torch::arange(2 + more).unsqueeze(0) < 2);
    std::vector<Tensor> all;
    for (const MultiheadAttention& attention : attentions_of(*model)) {
      const HeadFeatures& f = attention->observer->features;
      all.insert(all.end(), {f.value.flatten(), f.output.flatten(), f.attention.flatten()});
    }
    return torch::cat(all);
  };
  EXPECT_LT(largest_difference(features(0), features(3)), 1e-5);
}

// Trained on L_z alone, heads of a group become alike and groups different; the reports say so.
TEST(GroupedHeads, TrainingMakesGroupsCompact) {
  for (const char* form : {"metric", "classify"}) {
    torch::manual_seed(3);
    StackOptions stack = stack_options(8, 1);
    stack.head_width = 4;  // the likeness of heads of one number is their sign, which learns nothing
    Pair model(stack);
    GroupedHeadsOptions options = grouping(form, "value", 3);
    options.refresh = 10;
    GroupedHeads grouped(options, attentions_of(*model));
    std::vector<Tensor> parameters = model->parameters();
    for (const Tensor& p : grouped->parameters()) parameters.push_back(p);
    torch::optim::Adam adam(parameters, torch::optim::AdamOptions(5e-3));
    const Tensor source = torch::randn({4, 5, 8}), target = torch::randn({4, 4, 8});
    grouped->observe(true);
    const auto step = [&] {
      adam.zero_grad();
      (void)model(source, Tensor(), target);
      const Tensor loss = grouped->loss();
      loss.backward();
      adam.step();
      return loss.item<double>();
    };
    const double first = step();
    const GroupQuality before = grouped->quality();
    EXPECT_FALSE(grouped->converged());
    double last = first;
    for (int i = 0; i < 80; ++i) last = step();
    const GroupQuality after = grouped->quality();
    EXPECT_LT(last, first - 0.1) << form;
    EXPECT_GT(after.silhouette, before.silhouette + 0.2) << form;
    EXPECT_EQ(after.layer_silhouette.size(), 3u);
    ASSERT_TRUE(after.dunn.has_value());
    EXPECT_GT(after.shift, 0);
  }
}

TEST(GroupedHeads, RegroupOnlyWhenDueAndGoOnFromTheirState) {
  torch::manual_seed(4);
  TransformerEncoder encoder(stack_options());
  GroupedHeadsOptions options = grouping("metric", "value");
  options.refresh = 3;
  GroupedHeads grouped(options, attentions_of(*encoder));
  grouped->observe(true);
  std::vector<std::int64_t> made;
  for (int i = 0; i < 7; ++i) {
    (void)encoder(torch::randn({2, 4, 8}));
    (void)grouped->loss();
    made.push_back(grouped->groupings.item<std::int64_t>());
    EXPECT_EQ(grouped->fresh_shift().has_value(), i == 3 || i == 6) << i;
  }
  EXPECT_EQ(made, (std::vector<std::int64_t>{1, 1, 1, 2, 2, 2, 3}));
  EXPECT_EQ(grouped->named_buffers().size(), 6u);  // all that a checkpoint needs
}

TEST(GroupedHeads, FixedGroupsAreNeighborsWhateverTheHeadsGive) {
  torch::manual_seed(6);
  TransformerEncoder encoder(stack_options(8));
  GroupedHeadsOptions options = grouping("metric", "value", 3);
  options.grouping = "fixed";
  options.refresh = 1;
  GroupedHeads grouped(options, attentions_of(*encoder));
  grouped->observe(true);
  const Tensor neighbors = torch::tensor({0, 0, 0, 1, 1, 1, 2, 2}, torch::kInt64).expand({2, 8});
  for (int i = 0; i < 3; ++i) {
    (void)encoder(torch::randn({2, 4, 8}));
    (void)grouped->loss();
    EXPECT_TRUE(torch::equal(grouped->assignment, neighbors));
    EXPECT_GT(grouped->shift.item<double>(), 0);
  }
}

TEST(GroupedHeads, DrawnPillarsAreOneOfEachGroupOrAnyHeads) {
  torch::manual_seed(7);
  TransformerEncoder encoder(stack_options(8, 1));
  GroupedHeads grouped(grouping("metric", "value", 3), attentions_of(*encoder));
  grouped->assignment.copy_(torch::tensor({{0, 1, 1, 1, 1, 1, 1, 2}}, torch::kInt64));
  std::vector<int> members(8), drawn(8);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const std::vector<std::int64_t> one = grouped->drawn_pillars(StayingHeads::kMember, random)[0];
    ASSERT_EQ(one.size(), 3u);
    for (const std::int64_t head : one) ++members[static_cast<std::size_t>(head)];
    const std::vector<std::int64_t> any = grouped->drawn_pillars(StayingHeads::kRandom, random)[0];
    ASSERT_EQ(any.size(), 3u);
    EXPECT_TRUE(any[0] < any[1] && any[1] < any[2]);
    for (const std::int64_t head : any) ++drawn[static_cast<std::size_t>(head)];
  }
  // Heads alone in their groups always stay as members; drawn ones stay 3 times in 8.
  EXPECT_EQ(members[0], 200);
  EXPECT_EQ(members[7], 200);
  EXPECT_NEAR(members[3], 200 / 6.0, 25);
  for (const int times : drawn) EXPECT_NEAR(times, 75, 25);
}

TEST(GroupedHeads, AttentionHasNoTokens) {
  GroupedHeadsOptions options = grouping("metric", "attention");
  options.maps = "tokens";
  EXPECT_THROW(validate(options), ConfigError);
  options.feature = "output";
  EXPECT_NO_THROW(validate(options));
}

// Zeroing the outputs of the heads that go equals removing them from the weights.
void expect_smaller_model_equals_masked(bool bias) {
  torch::manual_seed(5);
  StackOptions options = stack_options(4, 2);
  options.attention_bias = bias;
  Pair model(options);
  model->eval();
  GroupedHeads grouped(grouping("metric", "value"), attentions_of(*model));
  const Tensor source = torch::randn({3, 5, 8}), target = torch::randn({3, 4, 8});
  const Tensor keep = torch::tensor({{1, 1, 1, 1, 1}, {1, 1, 0, 0, 0}, {1, 1, 1, 1, 0}}).to(torch::kBool);
  const torch::NoGradGuard guard;
  grouped->eval();
  EXPECT_THROW(grouped->vote(), ShapeError);  // not grouped yet
  grouped->observe(true);
  (void)model(source, keep, target);
  (void)grouped->loss();
  for (int batch = 0; batch < 3; ++batch) {
    (void)model(torch::randn({3, 5, 8}), keep, target);
    grouped->vote();
  }
  EXPECT_EQ(grouped->votes.sum().item<std::int64_t>(), 3 * 3 * 6 * 2);  // batches, maps, layers, groups
  const auto kept = grouped->pillars();
  ASSERT_EQ(kept.size(), 6u);
  Pair small(options.with_pillars(2));
  small->eval();
  copy_pillars(*model, *small, kept);
  std::vector<MultiheadAttention> attentions = attentions_of(*model);
  for (std::size_t l = 0; l < kept.size(); ++l) {
    ASSERT_EQ(kept[l].size(), 2u);
    const Tensor own = grouped->assignment[static_cast<std::int64_t>(l)];
    EXPECT_NE(own[kept[l][0]].item<std::int64_t>(), own[kept[l][1]].item<std::int64_t>());
    for (std::int64_t h = 0; h < 4; ++h)
      if (std::find(kept[l].begin(), kept[l].end(), h) == kept[l].end())
        attentions[l]->output->weight.narrow(1, 2 * h, 2).zero_();
  }
  EXPECT_LT(largest_difference(small(source, keep, target), model(source, keep, target)), 1e-5);
  const auto count = [](const torch::nn::Module& m) {
    std::int64_t total = 0;
    for (const MultiheadAttention& a : attentions_of(m))
      for (const Tensor& p : a->parameters()) total += p.dim() == 2 ? p.numel() : 0;
    return total;
  };
  EXPECT_EQ(2 * count(*small), count(*model));
}

TEST(HeadRemoval, SmallerModelEqualsTheMaskedOne) { expect_smaller_model_equals_masked(true); }

TEST(HeadRemoval, GoesWithoutBiases) {
  expect_smaller_model_equals_masked(false);
  StackOptions options = stack_options();
  options.attention_bias = false;
  Pair model(options);
  for (const MultiheadAttention& attention : attentions_of(*model))
    for (const auto& p : attention->named_parameters()) EXPECT_TRUE(p.key().ends_with("weight")) << p.key();
}

TEST(HeadRemoval, RefusesWhatCannotBeTakenApart) {
  StackOptions options = stack_options();
  options.hi = {1, 1, "sum"};
  TransformerEncoder hi(options), small(options.with_pillars(2));
  const std::vector<std::vector<std::int64_t>> kept(2, {0, 1});
  EXPECT_THROW(copy_pillars(*hi, *small, kept), ConfigError);
  options = stack_options();
  options.tasa.mode = "dense";
  TransformerEncoder tasa(options), small_tasa(options.with_pillars(2));
  EXPECT_THROW(copy_pillars(*tasa, *small_tasa, kept), ConfigError);
  TransformerEncoder plain(stack_options()), other(stack_options().with_pillars(3));
  EXPECT_THROW(copy_pillars(*plain, *other, kept), ConfigError);
  EXPECT_THROW(GroupedHeads(grouping("metric", "value", 5), attentions_of(*plain)), ConfigError);
  GroupedHeads grouped(grouping("metric", "value", 2), attentions_of(*plain));
  EXPECT_THROW((void)grouped->loss(), ShapeError);  // nothing was observed
}

}  // namespace
}  // namespace kgwalk::seq2seq
