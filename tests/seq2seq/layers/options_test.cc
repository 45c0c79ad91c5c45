// Options of a stack, two by two: they compose, or say why they do not; and how many parameters they cost.
#include "seq2seq/layers/options.h"
#include "runtime/tensor/torch.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "kgwalk/error.h"
#include "seq2seq/attention/grouped_heads.h"
#include "seq2seq/layers/decoder.h"
#include "seq2seq/layers/encoder.h"
#include "tests/seq2seq/attention_parts.h"
#include "tests/seq2seq/golden.h"

namespace kgwalk::seq2seq {
namespace {

using testing::kCausal;
using testing::largest_difference;
using torch::Tensor;

StackOptions small_options() {
  StackOptions options;
  options.layers = 3;
  options.width = 8;
  options.heads = 2;
  options.ffn_width = 12;
  return options;
}

struct StackChoice {
  const char* kind;  // choices of one kind exclude one another
  const char* name;
  std::function<void(StackOptions&)> apply;
};

const std::vector<StackChoice>& choices() {
  static const std::vector<StackChoice> list{
      {"norm", "post", [](StackOptions& o) { o.norm = "post"; }},
      {"norm", "end", [](StackOptions& o) { o.norm = "end"; }},
      {"hi", "eq9",
       [](StackOptions& o) {
         o.hi = {2, 1, "concat_eq9"};
       }},
      {"hi", "eq6",
       [](StackOptions& o) {
         o.hi = {2, 1, "concat_eq6"};
       }},
      {"hi", "sum",
       [](StackOptions& o) {
         o.hi = {1, 2, "sum"};
       }},
      {"hi_memory", "cross eq9",
       [](StackOptions& o) {
         o.hi_memory = {2, 1, "concat_eq9"};
       }},
      {"hi_memory", "cross sum",
       [](StackOptions& o) {
         o.hi_memory = {2, 2, "sum"};
       }},
      {"tasa", "residual", [](StackOptions& o) { o.tasa.mode = "residual", o.tasa.start = "uniform"; }},
      {"tasa", "dense", [](StackOptions& o) { o.tasa.mode = "dense", o.tasa.start = "uniform"; }},
      {"relative", "relative", [](StackOptions& o) { o.relative_positions = true; }},
      {"groups", "groups of 2", [](StackOptions& o) { o.group_layers = 2; }},
      {"head width", "head width 3", [](StackOptions& o) { o.head_width = 3; }},
  };
  return list;
}

// An encoder and a decoder with the same options, in float64, not training.
struct ModelImpl : torch::nn::Module {
  explicit ModelImpl(const StackOptions& o)
      : encoder(register_module("encoder", TransformerEncoder(o))),
        decoder(register_module(
            "decoder", TransformerDecoder(o, std::vector<int>{o.hi_memory.history > 0 ? o.layers : 0}))) {
    to(torch::kFloat64);
    eval();
  }
  [[nodiscard]] bool grouped() const { return decoder->options().groups().active(); }
  // [G or 1, B, T, D]
  Tensor forward(const Tensor& source, const Tensor& keep, const Tensor& target, const Tensor& target_keep) {
    AttentionTrace trace;
    const Tensor states = encoder(source, keep, &trace);
    const std::vector<Memory> memories{{states, keep, &trace}};
    const AttentionMasks masks{target_keep, {}, true};
    return grouped() ? decoder->forward_groups(target, memories, masks)
                     : decoder(target, memories, masks).unsqueeze(0);
  }
  Tensor in_steps(const Tensor& source, const Tensor& keep, const Tensor& target) {
    AttentionTrace trace;
    const Tensor states = encoder(source, keep, &trace);
    DecoderState state = decoder->start({{states, keep, &trace}});
    std::vector<Tensor> parts;
    for (std::int64_t t = 0; t < target.size(1); ++t) {
      const Tensor x = target.narrow(1, t, 1);
      parts.push_back(grouped() ? decoder->step_groups(x, state) : decoder->step(x, state).unsqueeze(0));
    }
    return torch::cat(parts, 2);
  }
  TransformerEncoder encoder;
  TransformerDecoder decoder;
};
TORCH_MODULE(Model);

void expect_composed(const StackOptions& options, const std::string& name) {
  torch::manual_seed(1);
  Model model(options);
  const Tensor source = torch::randn({2, 4, 8}, torch::kFloat64),
               target = torch::randn({2, 3, 8}, torch::kFloat64);
  const Tensor keep = torch::tensor({{1, 1, 0, 0}, {1, 1, 1, 1}}).to(torch::kBool),
               target_keep = torch::tensor({{1, 1, 0}, {1, 1, 1}}).to(torch::kBool);
  {
    const torch::NoGradGuard guard;
    const Tensor batch = model(source, keep, target, target_keep);
    const Tensor single = model(source.narrow(0, 0, 1).narrow(1, 0, 2), Tensor(),
                                target.narrow(0, 0, 1).narrow(1, 0, 2), Tensor());
    EXPECT_LT(largest_difference(batch.narrow(1, 0, 1).narrow(2, 0, 2), single), 1e-12)
        << name << ": padding";
    const Tensor whole = model(source, keep, target, Tensor());
    EXPECT_LT(largest_difference(model->in_steps(source, keep, target), whole), 1e-12) << name << ": steps";
    Tensor changed = target.clone();
    changed.select(1, 2).normal_(0, 3);
    const Tensor after = model(source, keep, changed, Tensor());
    EXPECT_LT(largest_difference(after.narrow(2, 0, 2), whole.narrow(2, 0, 2)), 1e-12)
        << name << ": causality";
    EXPECT_GT(largest_difference(after.select(2, 2), whole.select(2, 2)), 1e-3) << name;
  }
  // With grouped heads beside it: every parameter has a part in the loss.
  model->train();
  GroupedHeadsOptions grouping;
  grouping.groups = 2;
  grouping.feature = "output";
  GroupedHeads heads(grouping, attentions_of(*model));
  heads->to(torch::kFloat64);
  heads->observe(true);
  const Tensor y = model(source, keep, target, target_keep);
  (y.pow(2).sum() + heads->loss()).backward();
  for (const auto& item : model->named_parameters()) {
    ASSERT_TRUE(item.value().grad().defined()) << name << ": " << item.key();
    EXPECT_TRUE(item.value().grad().isfinite().all().item<bool>()) << name << ": " << item.key();
  }
}

TEST(StackOptions, ComposeTwoByTwo) {
  const std::vector<StackChoice>& list = choices();
  int pairs = 0;
  for (std::size_t i = 0; i < list.size(); ++i)
    for (std::size_t j = i; j < list.size(); ++j) {
      if (i != j && std::string(list[i].kind) == list[j].kind) continue;
      StackOptions options = small_options();
      list[i].apply(options);
      list[j].apply(options);
      expect_composed(options, std::string(list[i].name) + " with " + list[j].name);
      ++pairs;
    }
  EXPECT_EQ(pairs, 12 + 66 - 6);  // alone, and all pairs but those of one kind
}

TEST(StackOptions, ComposeAllTogether) {
  StackOptions options = small_options();
  options.norm = "post";
  options.hi = {2, 1, "concat_eq6"};
  options.hi_memory = {2, 1, "concat_eq9"};
  options.tasa.mode = "dense";
  options.relative_positions = true;
  options.group_layers = 2;
  options.head_width = 3;
  expect_composed(options, "all");
}

// What does not go together, and a word of the sentence that says so.
struct Refusal {
  const char* name;
  const char* says;
  std::function<void()> attempt;
};

void removal_of(const std::function<void(StackOptions&)>& change) {
  StackOptions options = small_options();
  change(options);
  TransformerEncoder large(options), small(options.with_pillars(1));
  copy_pillars(*large, *small, std::vector<std::vector<std::int64_t>>(3, {0}));
}

TEST(StackOptions, RefuseWithASentenceWhatDoesNotCompose) {
  const auto attention = [](const std::function<void(AttentionOptions&)>& change, AttentionSite site) {
    AttentionOptions options;
    options.width = 8;
    options.heads = 2;
    change(options);
    return MultiheadAttention(options, site);
  };
  const Tensor x = torch::randn({1, 3, 8});
  const std::vector<Refusal> refusals{
      {"TASA over a memory", "self-attention",
       [&] {
         attention([](auto& o) { o.tasa.mode = "dense"; }, {true, 0});
       }},
      {"relative positions over a memory", "self-attention",
       [&] {
         attention([](auto& o) { o.relative_positions = true; }, {true, 0});
       }},
      {"TASA with a full mask", "full mask",
       [&] {
         AttentionCall call;
         call.masks.keep = torch::ones({1, 3, 3}, torch::kBool);
         attention([](auto& o) { o.tasa.mode = "dense"; }, {false, 0})->forward(x, call);
       }},
      {"removing heads under TASA", "cannot be removed",
       [] { removal_of([](StackOptions& o) { o.tasa.mode = "residual"; }); }},
      {"removing heads under hi-attention", "cannot be removed",
       [] { removal_of([](StackOptions& o) {
              o.hi = {1, 1, "sum"};
            }); }},
      {"hi-attention without a trace", "AttentionTrace",
       [&] {
         attention([](auto& o) { o.hi.history = 1; }, {false, 1})->forward(x);
       }},
      {"groups of a decoder that is asked for one state", "forward_groups",
       [&] {
         StackOptions options = small_options();
         options.group_layers = 2;
         TransformerDecoder(options, std::vector<int>{})->forward(x, {}, kCausal);
       }},
      {"groups of no layers", "no layers",
       [] {
         StackOptions options = small_options();
         options.layers = 0;
         options.group_layers = 1;
         TransformerEncoder{options};
       }},
      {"a mixture without groups", "group_layers",
       [] {
         GroupMixture(LayerGroups{4, 0}, 8);
       }},
      {"more groups of heads than heads", "fewer groups",
       [] {
         TransformerEncoder encoder(small_options());
         GroupedHeadsOptions grouping;
         grouping.groups = 3;
         GroupedHeads(grouping, attentions_of(*encoder));
       }},
      {"heads that do not divide the width", "do not divide",
       [] {
         StackOptions options = small_options();
         options.heads = 3;
         TransformerEncoder{options};
       }},
  };
  for (const Refusal& refusal : refusals) {
    try {
      refusal.attempt();
      ADD_FAILURE() << refusal.name << " was accepted";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(refusal.says), std::string::npos)
          << refusal.name << ": " << error.what();
    }
  }
}

// Heads go from the weights of everything that can lose them.
TEST(HeadRemoval, ComposesWithRelativePositionsAndGroups) {
  torch::manual_seed(2);
  StackOptions options = small_options();
  options.heads = 4;
  options.relative_positions = true;
  options.group_layers = 2;
  Model model(options), small(options.with_pillars(2));
  const std::vector<std::vector<std::int64_t>> kept{{0, 3}, {1, 2}, {0, 1}, {2, 3}, {0, 2},
                                                    {1, 3}, {0, 3}, {1, 2}, {0, 1}};
  copy_pillars(*model, *small, kept);
  const torch::NoGradGuard guard;
  const std::vector<MultiheadAttention> attentions = attentions_of(*model);
  ASSERT_EQ(attentions.size(), kept.size());
  for (std::size_t l = 0; l < kept.size(); ++l)
    for (std::int64_t h = 0; h < 4; ++h)
      if (h != kept[l][0] && h != kept[l][1]) attentions[l]->output->weight.narrow(1, 2 * h, 2).zero_();
  const Tensor source = torch::randn({2, 4, 8}, torch::kFloat64),
               target = torch::randn({2, 3, 8}, torch::kFloat64);
  EXPECT_LT(largest_difference(small(source, Tensor(), target, Tensor()),
                               model(source, Tensor(), target, Tensor())),
            1e-12);
}

std::int64_t count(const torch::nn::Module& module) {
  std::int64_t total = 0;
  for (const Tensor& p : module.parameters()) total += p.numel();
  return total;
}

StackOptions base_options(int layers) {
  StackOptions options;
  options.layers = layers;
  options.width = 512;
  options.heads = 8;
  options.ffn_width = 2048;
  options.norm = "post";
  return options;
}

// Six layers each of encoder and decoder, embeddings aside. All layers are alike: one of each is made.
std::int64_t base_parameters(const StackOptions& one_layer) {
  return 6 *
         (count(*TransformerEncoder(one_layer)) + count(*TransformerDecoder(one_layer, std::vector<int>{0})));
}

TEST(Parameters, VotingToStayLeaves30Of44Million) {
  EXPECT_EQ(base_parameters(base_options(1)), 44'138'496);
  EXPECT_EQ(base_parameters(base_options(1).with_pillars(2)), 29'961'984);
}

// Table III of Hiformer counts n d_v^2 for every one of the 18 attentions: 66.48 M -> 66.70 M, of which each
// of the three parts has 0.0737 M. Layers with fewer than n layers below hold no weights for those that do
// not exist: 12 blocks of d_v^2 less, 6 in each self-attention stack.
TEST(Parameters, HiAttentionAddsWhatEquations6And9Say) {
  const std::int64_t n = 3, d_model = 512, d_v = 64, layers = 6;
  for (const std::string combine : {"concat_eq6", "concat_eq9", "sum"}) {
    AttentionOptions options;
    options.width = 512;
    options.heads = 8;
    const auto added = [&](AttentionSite site) {
      options.hi = {0, 1, combine};
      const std::int64_t plain = count(*MultiheadAttention(options, site));
      options.hi.history = static_cast<int>(n);
      return count(*MultiheadAttention(options, site)) - plain;
    };
    const std::int64_t block = combine == "concat_eq6"   ? d_v * d_v
                               : combine == "concat_eq9" ? d_model * d_model
                                                         : 0;
    EXPECT_EQ(added({true, 6}), n * block) << combine;  // a layer of the cross-coder
    std::int64_t stack = 0;
    for (int below = 0; below < 6; ++below) {
      const std::int64_t more = added({false, below});
      EXPECT_EQ(more, std::min<std::int64_t>(n, below) * block) << combine << ", layer " << below;
      stack += more;
    }
    EXPECT_EQ(stack + 6 * block, layers * n * block);
    if (combine != "concat_eq6") continue;
    EXPECT_EQ(3 * layers * n * block, 221'184);                 // the 0.22 M of table III
    EXPECT_EQ(2 * stack + layers * added({true, 6}), 172'032);  // of which these can be reached
  }
}

}  // namespace
}  // namespace kgwalk::seq2seq
