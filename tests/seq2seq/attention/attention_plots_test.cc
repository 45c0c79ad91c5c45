// Attention maps and head groups as pictures.
#include "seq2seq/attention/attention_plots.h"
#include "runtime/tensor/torch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kgwalk/error.h"
#include "seq2seq/layers/encoder.h"
#include "tests/seq2seq/golden.h"

namespace kgwalk::seq2seq {
namespace {

using testing::largest_difference;
using torch::Tensor;

TransformerEncoder small_encoder(int heads) {
  StackOptions options;
  options.layers = 2;
  options.width = 8;
  options.heads = heads;
  options.ffn_width = 12;
  return TransformerEncoder(options);
}

std::int64_t occurrences(const std::string& text, const std::string& part) {
  std::int64_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(AttentionMaps, HoldTheWeightsOfThePassAndGiveTheObserverBack) {
  torch::manual_seed(1);
  TransformerEncoder encoder = small_encoder(2);
  encoder->to(torch::kFloat64);
  encoder->eval();
  const torch::NoGradGuard guard;
  const Tensor x = torch::randn({2, 3, 8}, torch::kFloat64),
               keep = torch::tensor({{1, 1, 0}, {1, 1, 1}}).to(torch::kBool);
  const Tensor before = encoder(x, keep);
  MultiheadAttention first = attentions_of(*encoder)[0];
  HeadObserver own;
  first->observer = &own;
  {
    const AttentionMaps maps(*encoder);
    EXPECT_EQ(maps.names(), (std::vector<std::string>{"layers.0.attention", "layers.1.attention"}));
    EXPECT_FALSE(maps.weights(0).defined());
    EXPECT_TRUE(maps.plots(0, [](const std::string&) { return MapLabels{}; }).empty());
    EXPECT_LT(largest_difference(encoder(x, keep), before), 1e-12) << "looking must not change the result";
    const Tensor w = maps.weights(1);
    ASSERT_EQ(w.sizes(), (at::IntArrayRef{2, 2, 3, 3}));
    EXPECT_LT(largest_difference(w.sum(-1), torch::ones({2, 2, 3})), 1e-12);
    EXPECT_EQ(w[0].select(2, 2).abs().max().item<double>(), 0) << "padding is not looked at";
    const auto plots = maps.plots(0, [](const std::string&) { return MapLabels{{"a<", "b"}, {"a<", "b"}}; });
    ASSERT_EQ(plots.size(), 2u);
    EXPECT_EQ(plots[0].name, "attention_layers.0.attention");
    // Two rows of two heads with two labeled keys each and one gap: the padded third is left out.
    EXPECT_EQ(occurrences(plots[0].svg, "<title>"), 2 * 5);
    EXPECT_EQ(occurrences(plots[0].svg, "a&lt;"), 3);
  }
  EXPECT_EQ(first->observer, &own);
}

TEST(HeadGroupPlots, ShowEveryLayerOrderedByGroup) {
  torch::manual_seed(2);
  TransformerEncoder encoder = small_encoder(4);
  GroupedHeadsOptions options;
  options.groups = 2;
  GroupedHeads heads(options, attentions_of(*encoder));
  EXPECT_THROW((void)head_group_plots(*heads), ShapeError);
  heads->observe(true);
  (void)encoder(torch::randn({2, 3, 8}));
  (void)heads->loss();
  const std::vector<NamedPlot> plots = head_group_plots(*heads);
  ASSERT_EQ(plots.size(), 3u);
  EXPECT_EQ(plots[0].name, "head_groups");
  EXPECT_EQ(occurrences(plots[0].svg, "<title>"), 2 * 4);
  EXPECT_EQ(occurrences(plots[2].svg, "<title>"), 4 * 4);
  EXPECT_LT(plots[2].svg.find("group 0"), plots[2].svg.find("group 1"));
}

}  // namespace
}  // namespace kgwalk::seq2seq
