#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "kgwalk/error.h"
#include "runtime/tensor/tensor_io.h"
#include "runtime/tensor/torch_threads.h"
#include "tests/walker/small_world.h"
#include "tests/walker/word_text.h"
#include "walker/network/neural_walker.h"
#include "walker/network/ragged.h"
#include "walker/search/search.h"

namespace kgwalk::walker {
namespace {

using testing::film_graph;

WalkerConfig small(const std::string& model = "hitkg") {
  WalkerConfig config;
  config.model = model;
  config.encoder.layers = config.decoder.layers = 2;
  config.encoder.width = config.decoder.width = 16;
  config.encoder.heads = config.decoder.heads = 2;
  config.encoder.ffn_width = config.decoder.ffn_width = 32;
  config.metapath.kg_width = 8;
  if (model == "scorer") config.text.word_width = 8;
  return config;
}

Resources resources_of(const WalkerConfig& config) {
  const auto graph = film_graph();
  graph::Dialogue dialogue;
  dialogue.events = {graph::Chat{graph::Speaker::kUser, "do you like heat and crime films"},
                     graph::WalkedPath{graph::Speaker::kAssistant,
                                       {{*graph->find_entity("Heat"), *graph->find_relation("has_genre"),
                                         *graph->find_entity("Crime")}}}};
  return make_resources(
      config, graph, random_graph_tables(graph->num_entities(), graph->num_relations(), config.metapath, 7),
      std::make_shared<testing::WordText>(), {dialogue, dialogue, dialogue});
}

NeuralWalker walker_of(const WalkerConfig& config, std::uint64_t seed = 3) {
  seed_torch(seed);
  NeuralWalker walker(config, resources_of(config));
  // Zero-initialized terms would hide what they depend on.
  const torch::NoGradGuard no_grad;
  for (auto& p : walker.net().parameters())
    if (p.abs().max().item<double>() == 0) p.normal_(0, 0.1);
  return walker;
}

Example example_on(const graph::KnowledgeGraph& graph) {
  Example example;
  example.start = *graph.find_entity("Heat");
  example.context = {{graph::Speaker::kUser, "do you like crime films"},
                     {graph::Speaker::kAssistant, "yes i do"}};
  example.walked = {
      {*graph.find_entity("Collateral"), *graph.find_relation("has_genre"), *graph.find_entity("Crime")},
      {*graph.find_entity("Crime"), *graph.find_relation("~has_genre"), *graph.find_entity("Heat")}};
  example.path_ends = {2};
  return example;
}

std::vector<float> scores_of(const NeuralWalker& walker, const Example& example, int hops = 0) {
  const auto encoded = walker.encode({&example, 1});
  PartialPath path;
  path.num_hops = hops;
  if (hops > 0) path.hops[0] = walker.graph().out_edges(example.start)[1];
  return walker.score(*encoded, {&path, 1}).log_probs;
}

double difference(const std::vector<float>& a, const std::vector<float>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    largest = std::max(largest, std::fabs(static_cast<double>(a[i]) - b[i]));
  return largest;
}

WalkerConfig with_everything() {
  WalkerConfig config = small();
  config.scoring.features = true;
  config.scoring.feature_hidden = 8;
  config.text.word_width = 8;
  config.text.word_min_messages = 1;
  config.metapath.trained_width = 4;
  return config;
}

class AnyWalker : public ::testing::TestWithParam<std::string> {
 protected:
  static WalkerConfig config() {
    const std::string name = GetParam();
    if (name == "lstm" || name == "scorer" || name == "hitkg") return small(name);
    WalkerConfig c = name == "everything" ? with_everything() : small();
    if (name == "2EMP") c.metapath.head = true;
    if (name == "DK") c.dialogue_first = true;
    if (name == "W2") c.text.user_only = true;
    if (name == "WLH") c.length_head = false;
    if (name == "pooled") {
      c = small("scorer");
      c.text.pooled = true;
    }
    if (name == "SP") c.scoring.separate = true;
    if (name == "hi") {
      c.encoder.hi.history = 1;
      c.decoder.hi.history = 1;
      c.decoder.hi_memory.history = 1;
    }
    return c;
  }
};

TEST_P(AnyWalker, GivesDistributionsOverAllOutEdgesAndEop) {
  const NeuralWalker walker = walker_of(config());
  const Example example = example_on(walker.graph());
  for (const int hops : {0, 1}) {
    const std::vector<float> scores = scores_of(walker, example, hops);
    const graph::EntityId here = hops == 0 ? example.start : walker.graph().out_edges(example.start)[1].tail;
    ASSERT_EQ(scores.size(), walker.graph().out_edges(here).size() + 1);
    double sum = 0;
    for (const float s : scores) sum += std::exp(s);
    EXPECT_NEAR(sum, 1, 1e-5);
  }
}

TEST_P(AnyWalker, BatchesAgreeWithSingleExamples) {
  const NeuralWalker walker = walker_of(config());
  std::vector<Example> examples(3, example_on(walker.graph()));
  examples[1].context.clear();
  examples[1].walked.clear();
  examples[1].path_ends.clear();
  examples[2].start = *walker.graph().find_entity("Crime");
  const auto batched = beam_paths(walker, examples, {.beam = 4, .max_hops = 2});
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const auto single = beam_paths(walker, {&examples[i], 1}, {.beam = 4, .max_hops = 2}).front();
    ASSERT_EQ(single.size(), batched[i].size());
    for (std::size_t p = 0; p < single.size(); ++p)
      EXPECT_NEAR(single[p].log_prob, batched[i][p].log_prob, 1e-4);
  }
}

// Teacher forcing and step-by-step decoding are one model.
TEST_P(AnyWalker, TeachingEqualsDecoding) {
  const NeuralWalker walker = walker_of(config());
  const Example example = example_on(walker.graph());
  const Example* pointers[] = {&example};
  PartialPath prefix{.num_hops = 1};
  prefix.hops[0] = walker.graph().out_edges(example.start)[1];
  const torch::NoGradGuard no_grad;
  const Decoded taught = walker.net().network->teach(walker.inputs().build(pointers),
                                                     InputBuilder::hops({&prefix, 1}, pointers, 1));
  for (const int hops : {0, 1}) {
    const graph::EntityId here = hops == 0 ? example.start : prefix.hops[0].tail;
    const FeatureContext context = walker.resources().features->context(example, kNoGroup);
    const FeatureContext* contexts[] = {&context};
    const std::int32_t taken[] = {hops};
    const CandidateTensors c = walker.candidates({&here, 1}, taken, contexts);
    const torch::Tensor log_probs =
        ragged_log_softmax(walker.net().scorer->forward(taught.states.select(1, hops), c), c.offsets);
    const std::vector<float> decoded = scores_of(walker, example, hops);
    for (std::int64_t k = 0; k < log_probs.size(0); ++k)
      EXPECT_NEAR(log_probs[k].item<float>(), decoded[static_cast<std::size_t>(k)], 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, AnyWalker,
                         ::testing::Values("hitkg", "lstm", "scorer", "pooled", "everything", "2EMP", "DK",
                                           "W2", "WLH", "SP", "hi"));

// Without gradients the linear term of the features is summed in one pass and no tensor of them is made.
TEST(CandidateScorer, ScoresTheSameWithAndWithoutGradients) {
  WalkerConfig config = small();
  config.scoring.features = true;
  const NeuralWalker walker = walker_of(config);
  const Example example = example_on(walker.graph());
  CandidateScorerImpl& scorer = *walker.net().scorer;
  scorer.set_feature_scale(torch::linspace(-1, 1, kNumFeatures), torch::linspace(0.5, 2, kNumFeatures));
  const FeatureContext context = walker.resources().features->context(example, kNoGroup);
  const FeatureContext* contexts[] = {&context};
  const std::int32_t taken[] = {0};
  const CandidateTensors c = walker.candidates({&example.start, 1}, taken, contexts);
  const torch::Tensor states = torch::randn({1, walker.net().network->state_width()});
  const torch::Tensor with = scorer.forward(states, c).detach();
  const torch::NoGradGuard no_grad;
  EXPECT_LT((scorer.forward(states, c) - with).abs().max().item<float>(), 1e-5);
  EXPECT_GT(with.std().item<float>(), 0.01);
}

TEST(Hitkg, TheMaskedGoalHasNoInfluenceInStageOneAndTheVisibleOneHas) {
  WalkerConfig config = small();
  for (const bool visible : {false, true}) {
    config.goal_visible = visible;
    const NeuralWalker walker = walker_of(config);
    Example a = example_on(walker.graph()), b = a;
    a.goal = *walker.graph().find_entity("Drama");
    b.goal = *walker.graph().find_entity("2004");
    const double change = difference(scores_of(walker, a), scores_of(walker, b));
    if (visible) {
      EXPECT_GT(change, 1e-4);
    } else {
      EXPECT_EQ(change, 0);
    }
  }
}

TEST(Hitkg, W2DoesNotHearSpeakerTwo) {
  WalkerConfig config = small();
  for (const bool user_only : {false, true}) {
    config.text.user_only = user_only;
    const NeuralWalker walker = walker_of(config);
    Example a = example_on(walker.graph()), b = a, c = a;
    b.context[1].text = "no never at all";
    c.context[0].text = "who directed it";
    EXPECT_EQ(difference(scores_of(walker, a), scores_of(walker, b)) == 0, user_only);
    EXPECT_GT(difference(scores_of(walker, a), scores_of(walker, c)), 1e-5);
  }
}

TEST(Hitkg, HearsTheLastThreeUtterancesAndSeesThePathHistory) {
  const NeuralWalker walker = walker_of(small());
  Example a = example_on(walker.graph());
  a.context.insert(a.context.begin(), 2, {graph::Speaker::kUser, "old words"});
  Example older = a, third = a, path = a;
  older.context[0].text = "other old words";
  third.context[1].text = "other old words";
  path.walked[0].relation = *walker.graph().find_relation("directed_by");
  EXPECT_EQ(difference(scores_of(walker, a), scores_of(walker, older)), 0);
  EXPECT_GT(difference(scores_of(walker, a), scores_of(walker, third)), 1e-5);
  EXPECT_GT(difference(scores_of(walker, a), scores_of(walker, path)), 1e-5);
}

TEST(Hitkg, AblationsChangeWhatTheySay) {
  const auto parameters = [](const WalkerConfig& config) {
    std::int64_t count = 0;
    const NeuralWalker walker = walker_of(config);
    for (const auto& p : walker.net().parameters()) count += p.numel();
    return count;
  };
  const WalkerConfig base = small();
  WalkerConfig two = base, without_length = base, swapped = base;
  two.metapath.head = true;
  without_length.length_head = false;
  swapped.dialogue_first = true;
  // 2EMP: one more entity vector in projections in and out and in eop; WLH: no length head.
  EXPECT_GT(parameters(two), parameters(base));
  EXPECT_EQ(parameters(base) - parameters(without_length), 16 * 2 + 2);
  EXPECT_EQ(parameters(swapped), parameters(base));
  const NeuralWalker plain = walker_of(base);
  const Example example = example_on(plain.graph());
  EXPECT_GT(difference(scores_of(plain, example), scores_of(walker_of(swapped), example)), 1e-5);
  Example one = example;
  const auto encoded = plain.encode({&one, 1});
  EXPECT_EQ(plain.length_log_probs(*encoded).size(), static_cast<std::size_t>(kMaxHops));
  const NeuralWalker none = walker_of(without_length);
  const auto encoded_none = none.encode({&one, 1});
  EXPECT_TRUE(none.length_log_probs(*encoded_none).empty());
}

TEST(SeparateScoring, IsTheProductOfRelationAndEntityDistributions) {
  WalkerConfig config = small();
  config.scoring.separate = true;
  const NeuralWalker walker = walker_of(config);
  const graph::EntityId here = *walker.graph().find_entity("Michael Mann");  // parallel edges to Collateral
  const std::int32_t hops[] = {0};
  const CandidateTensors c = walker.candidates({&here, 1}, hops, {});
  const torch::NoGradGuard no_grad;
  WalkerNetImpl& net = walker.net();
  const torch::Tensor states = torch::randn({1, 16}), joint = net.scorer->forward(states, c);  // [K]
  const std::int64_t d = net.metapath->relation_width(), eop = net.metapath->num_relations(),
                     nobody = net.metapath->num_entities();
  const torch::Tensor t = net.scorer->project(states)[0], left = t.slice(0, 0, d), right = t.slice(0, d);
  // Each relation and each entity that is there, once.
  std::map<std::int64_t, double> relations, entities;
  for (std::int64_t k = 0; k < joint.size(0); ++k) {
    const auto r = c.relations[k].item<std::int64_t>(), e = c.tails[k].item<std::int64_t>();
    relations[r] = torch::dot(left, net.metapath->relation_table()[r]).item<double>() +
                   net.scorer->relation_bias[0][r].item<double>();
    entities[e] = torch::dot(right, e == nobody ? net.metapath->eop : net.metapath->frozen_entities()[e])
                      .item<double>();
  }
  ASSERT_LT(entities.size(), static_cast<std::size_t>(joint.size(0))) << "some share an entity";
  ASSERT_TRUE(relations.contains(eop));
  const auto log_sum = [](const std::map<std::int64_t, double>& scores) {
    double sum = 0;
    for (const auto& [id, score] : scores) sum += std::exp(score);
    return std::log(sum);
  };
  const double all_relations = log_sum(relations), all_entities = log_sum(entities);
  for (std::int64_t k = 0; k < joint.size(0); ++k)
    EXPECT_NEAR(joint[k].item<double>(),
                relations[c.relations[k].item<std::int64_t>()] - all_relations +
                    entities[c.tails[k].item<std::int64_t>()] - all_entities,
                1e-5)
        << k;
}

TEST(WalkerNet, WeightsSavedAndLoadedGiveTheSameScores) {
  const WalkerConfig config = with_everything();
  const NeuralWalker a = walker_of(config, 1), b = walker_of(config, 2);
  const Example example = example_on(a.graph());
  ASSERT_GT(difference(scores_of(a, example), scores_of(b, example)), 1e-4);
  load_state(b.net(), state_of(a.net()), "a");
  EXPECT_EQ(difference(scores_of(a, example), scores_of(b, example)), 0);
}

TEST(WalkerConfigCheck, NamesWhatDoesNotFit) {
  WalkerConfig config = small();
  config.encoder.width = 32;
  config.scoring.feature_hidden = 8;
  try {
    validate(config);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("encoder.width"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("feature_hidden"), std::string::npos);
  }
  EXPECT_THROW((void)preset("defualt"), ConfigError);
  for (const std::string& name : preset_names()) {
    WalkerConfig from_preset;
    apply_json(from_preset, preset(name), name);
    EXPECT_NO_THROW(validate(from_preset)) << name;
  }
}

}  // namespace
}  // namespace kgwalk::walker
