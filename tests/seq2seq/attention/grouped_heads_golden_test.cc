// Grouped heads against tests/golden/make_grouped_heads.py and another reading: features, Eq. 3.4; and the
// vote, whose winners are known.
#include "runtime/tensor/torch.h"
#include "seq2seq/attention/grouped_heads.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "seq2seq/attention/head_clusters.h"
#include "tests/seq2seq/golden_readings.h"

namespace kgwalk::seq2seq {
namespace {

using testing::largest_difference;
using testing::tensor_of;
using torch::Tensor;

Json golden_cases() { return read_json_file(testing::own_golden("grouped_heads.json")); }

std::vector<double> doubles_of(const Tensor& x) {
  const Tensor flat = x.to(torch::kFloat64).contiguous();
  return {flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel()};
}

std::vector<std::int64_t> integers_of(const Tensor& x) {
  const Tensor flat = x.to(torch::kInt64).contiguous();
  return {flat.data_ptr<std::int64_t>(), flat.data_ptr<std::int64_t>() + flat.numel()};
}

TEST(HeadFeaturesGolden, EqualTheReference) {
  const Json cases = golden_cases();
  for (const bool memory : {false, true}) {
    const Json& c = cases[memory ? "features, memory" : "features, self"];
    AttentionOptions options;
    options.width = c["options"]["width"];
    options.heads = c["options"]["heads"];
    MultiheadAttention module(options, AttentionSite{memory, 0});
    module->to(torch::kFloat64);
    const torch::NoGradGuard guard;
    auto parameters = module->named_parameters();
    for (const auto& w : c["weights"].items()) parameters[w.key()].copy_(tensor_of(w.value()));
    HeadObserver observer;
    observer.on = observer.attention = true;
    observer.reach = c["options"]["reach"];
    module->observer = &observer;
    const Tensor x = tensor_of(c["inputs"]["x"]);
    const Tensor keep = tensor_of(c["inputs"]["key_keep"], torch::kBool);
    AttentionCall call;
    ProjectedMemory projected;
    if (memory) {
      projected = module->project({tensor_of(c["inputs"]["states"]), keep});
      call.memory = &projected;
      call.query_keep = tensor_of(c["inputs"]["query_keep"], torch::kBool);
    } else {
      call.masks.key_keep = keep;
    }
    const Tensor y = module(x, call);
    EXPECT_LT(largest_difference(observer.features.value, tensor_of(c["expected"]["value"])), 1e-12);
    EXPECT_LT(largest_difference(observer.features.output, tensor_of(c["expected"]["output"])), 1e-12);
    EXPECT_LT(largest_difference(observer.features.attention, tensor_of(c["expected"]["attention"])), 1e-12);
    observer.on = false;
    EXPECT_LT(largest_difference(module(x, call), y), 1e-12) << "looking must not change the result";
  }
}

TEST(GroupedHeadsGolden, QualityEqualsTheReference) {
  const Json cases = golden_cases();
  for (const char* name : {"loss, 2 groups", "loss, 3 groups"}) {
    const Json& c = cases[name];
    const Tensor features = tensor_of(c["inputs"]["features"]),
                 assignment = tensor_of(c["inputs"]["assignment"], torch::kInt64);
    const std::int64_t groups = c["options"]["groups"];
    for (std::int64_t l = 0; l < features.size(0); ++l) {
      const std::vector<double> data = doubles_of(features[l]);
      const std::vector<std::int64_t> own = integers_of(assignment[l]);
      const HeadPoints points{data, features.size(2)};
      EXPECT_NEAR(silhouette(points, own, groups), tensor_of(c["expected"]["silhouette"])[l].item<double>(),
                  1e-12);
      EXPECT_NEAR(dunn_index(points, own), tensor_of(c["expected"]["dunn"])[l].item<double>(), 1e-12);
    }
  }
}

// A module over attentions that do not run: their features [n, k, F] and the grouping are given.
struct GivenGroups {
  GivenGroups(const GroupedHeadsOptions& options, const Tensor& features, const Tensor& assignment) {
    AttentionOptions attention;
    attention.width = static_cast<int>(features.size(1) * features.size(2));
    attention.heads = static_cast<int>(features.size(1));
    for (std::int64_t l = 0; l < features.size(0); ++l) layers.emplace_back(attention, AttentionSite{});
    grouped = GroupedHeads(options, layers);
    grouped->to(torch::kFloat64);
    grouped->eval();
    grouped->assignment.copy_(assignment);
    grouped->groupings.fill_(1);
    see(features, features, features);
  }
  void see(const Tensor& value, const Tensor& output, const Tensor& attention) {
    grouped->observe(true);
    for (std::size_t l = 0; l < layers.size(); ++l) {
      const auto row = static_cast<std::int64_t>(l);
      layers[l]->observer->features.value = value[row];
      layers[l]->observer->features.output = output[row];
      layers[l]->observer->features.attention = attention[row];
    }
  }
  std::vector<MultiheadAttention> layers;
  GroupedHeads grouped{nullptr};
};

// What training takes, sign and weights included: Eq. 3.4 in both forms.
TEST(GroupedHeadsGolden, LossesOfBothFormsEqualTheReference) {
  const Json cases = golden_cases();
  const torch::NoGradGuard guard;
  for (const char* name : {"loss, 2 groups", "loss, 3 groups"})
    for (const std::string form : {"metric", "classify"}) {
      const Json& c = cases[name];
      GroupedHeadsOptions options;
      options.form = form;
      options.groups = c["options"]["groups"];
      options.alpha = c["options"]["alpha"];
      options.beta = c["options"]["beta"];
      GivenGroups given(options, tensor_of(c["inputs"]["features"]),
                        tensor_of(c["inputs"]["assignment"], torch::kInt64));
      if (form == "classify") {
        given.grouped->weight.copy_(tensor_of(c["weights"]["weight"]));
        given.grouped->bias.copy_(tensor_of(c["weights"]["bias"]));
      }
      EXPECT_LT(largest_difference(given.grouped->loss(), tensor_of(c["expected"][form])), 1e-12)
          << name << " " << form;
    }
}

// maps=tokens: one layer of attention whose second row is half padding, the loss of both forms and the vote.
TEST(GroupedHeadsGolden, TokensAreComparedOneByOne) {
  const Json c = golden_cases()["tokens"];
  const torch::NoGradGuard guard;
  for (const std::string feature : {"value", "output"})
    for (const std::string form : {"metric", "classify"}) {
      AttentionOptions attention;
      attention.width = c["options"]["width"];
      attention.heads = c["options"]["heads"];
      std::vector<MultiheadAttention> layers{MultiheadAttention(attention)};
      layers[0]->to(torch::kFloat64);
      auto parameters = layers[0]->named_parameters();
      for (const auto& w : c["weights"].items()) parameters[w.key()].copy_(tensor_of(w.value()));
      GroupedHeadsOptions options;
      options.form = form;
      options.feature = feature;
      options.maps = "tokens";
      options.groups = c["options"]["groups"];
      options.alpha = c["options"]["alpha"];
      options.beta = c["options"]["beta"];
      GroupedHeads grouped(options, layers);
      grouped->to(torch::kFloat64);
      grouped->eval();
      grouped->assignment.copy_(tensor_of(c["inputs"]["assignment"], torch::kInt64));
      grouped->groupings.fill_(1);
      if (form == "classify") {
        grouped->weight.copy_(tensor_of(c["classifier"]["weight"]));
        grouped->bias.copy_(tensor_of(c["classifier"]["bias"]));
      }
      grouped->observe(true);
      AttentionCall call;
      call.masks.key_keep = tensor_of(c["inputs"]["keep"], torch::kBool);
      (void)layers[0](tensor_of(c["inputs"]["x"]), call);
      EXPECT_LT(
          largest_difference(grouped->loss(), tensor_of(c["expected"][form + std::string(" ") + feature])),
          1e-12)
          << form << " " << feature;
      if (form == "classify") continue;
      grouped->vote();
      const auto best = [&](const Tensor& near) {
        return best_of_groups(near.view({1, -1}), grouped->assignment, options.groups).to(torch::kInt64);
      };
      const Tensor offsets = layers[0]->observer->features.attention.unsqueeze(0);
      EXPECT_TRUE(torch::equal(
          grouped->votes, best(tensor_of(c["expected"]["near value"])) +
                              best(tensor_of(c["expected"]["near output"])) +
                              best(likeness_to_own_group(offsets, grouped->assignment, options.groups))));
    }
}

class GroupedHeadsReading : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Readings, GroupedHeadsReading,
                         ::testing::ValuesIn(testing::all_readings("grouped_heads.json")),
                         testing::reading_name);

TEST_P(GroupedHeadsReading, EveryTermOfTheMetricFormIsEqual) {
  int compared = 0;
  const Json cases = read_json_file(GetParam());
  for (const auto& item : cases.items()) {
    const Json& c = item.value();
    const Json& wanted = c["expected"];
    if (!wanted.contains("centroids")) continue;  // features of attention layers
    ++compared;
    const Tensor features = tensor_of(c["inputs"]["features"]),
                 assignment = tensor_of(c["inputs"]["assignment"], torch::kInt64);
    const std::int64_t groups = tensor_of(wanted["centroids"]).size(1);
    EXPECT_LT(largest_difference(group_means(features, assignment, groups), tensor_of(wanted["centroids"])),
              1e-10);
    const Tensor likeness = likeness_to_own_group(features, assignment, groups);
    EXPECT_LT(largest_difference(likeness, tensor_of(wanted["similarity_to_own_centroid"])), 1e-10);
    EXPECT_LT(largest_difference(likeness.mean(), tensor_of(wanted["homogenisation"])), 1e-10);
    EXPECT_LT(largest_difference(likeness_between_groups(features, assignment, groups),
                                 tensor_of(wanted["diversification"])),
              1e-10);
    EXPECT_TRUE(torch::equal(best_of_groups(likeness, assignment, groups).to(torch::kInt64),
                             tensor_of(wanted["one_batch_vote"], torch::kInt64)));
  }
  EXPECT_GT(compared, 0);
}

// Heads in a plane, two groups: 0, 1, 2 around one axis and 3, 4, 5 around the other. Of a group the head in
// the middle is nearest to the mean. In each map another head is in the middle; what most maps of most
// batches say stays.
TEST(PillarsVoted, AreTheHeadsWithMostVotesOfAllMapsAndBatches) {
  const double flat = 0, right = 90;
  const auto heads = [](std::vector<double> degrees) {
    std::vector<double> data;
    for (const double d : degrees) {
      data.push_back(std::cos(d * M_PI / 180));
      data.push_back(std::sin(d * M_PI / 180));
    }
    return torch::tensor(data, torch::kFloat64).view({1, 6, 2});
  };
  const Tensor first = heads({flat, flat - 20, flat + 20, right, right - 20, right + 20}),
               second = heads({flat - 20, flat, flat + 20, right - 20, right + 20, right}),
               third = heads({flat - 20, flat + 20, flat, right - 20, right, right + 20});
  GroupedHeadsOptions options;
  options.groups = 2;
  const torch::NoGradGuard guard;
  GivenGroups given(options, first, torch::tensor({{0, 0, 0, 1, 1, 1}}, torch::kInt64));
  const auto vote = [&](const Tensor& value, const Tensor& output, const Tensor& attention) {
    given.see(value, output, attention);
    given.grouped->vote();
    return integers_of(given.grouped->votes);
  };
  EXPECT_EQ(vote(first, first, second), (std::vector<std::int64_t>{2, 1, 0, 2, 0, 1}));
  EXPECT_EQ(given.grouped->pillars(), (std::vector<std::vector<std::int64_t>>{{0, 3}}));
  EXPECT_EQ(vote(second, second, third), (std::vector<std::int64_t>{2, 3, 1, 2, 1, 3}));
  EXPECT_EQ(given.grouped->pillars(), (std::vector<std::vector<std::int64_t>>{{1, 5}}));
  // Where votes are equal the lower head's count.
  EXPECT_EQ(vote(first, third, third), (std::vector<std::int64_t>{3, 3, 3, 3, 3, 3}));
  EXPECT_EQ(given.grouped->pillars(), (std::vector<std::vector<std::int64_t>>{{0, 3}}));
  given.grouped->clear_votes();
  EXPECT_EQ(vote(third, third, first), (std::vector<std::int64_t>{1, 0, 2, 1, 2, 0}));
  EXPECT_EQ(given.grouped->pillars(), (std::vector<std::vector<std::int64_t>>{{2, 4}}));
}

}  // namespace
}  // namespace kgwalk::seq2seq
