#include "walker/features/features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kgwalk/error.h"
#include "tests/graph/detailed_graph.h"
#include "tests/walker/small_world.h"
#include "walker/network/resources.h"
#include "walker/search/prior.h"

namespace kgwalk::walker {
namespace {

graph::Triple triple(const graph::KnowledgeGraph& g, const char* h, const char* r, const char* t) {
  return {*g.find_entity(h), *g.find_relation(r), *g.find_entity(t)};
}

std::vector<graph::Dialogue> dialogues_on(const graph::KnowledgeGraph& g) {
  using graph::Chat;
  using graph::Speaker;
  graph::Dialogue a, b;
  a.events = {Chat{Speaker::kUser, "Have you seen Heat?"},
              graph::WalkedPath{Speaker::kAssistant, {triple(g, "Heat", "directed_by", "Michael Mann")}},
              Chat{Speaker::kAssistant, "Yes, Michael Mann directed it."}};
  b.events = {Chat{Speaker::kUser, "Who made Collateral?"},
              graph::WalkedPath{Speaker::kAssistant,
                                {triple(g, "Collateral", "directed_by", "Michael Mann"),
                                 triple(g, "Michael Mann", "~directed_by", "Heat")}},
              Chat{Speaker::kAssistant, "Michael Mann, who also made Heat."}};
  return {a, b};
}

struct FilmWorld {
  std::shared_ptr<const graph::KnowledgeGraph> graph = testing::film_graph();
  Resources resources =
      make_resources(WalkerConfig{}, graph, {}, std::make_shared<NoText>(), dialogues_on(*graph));
};

std::size_t feature(std::string_view name) {
  const auto it = std::find_if(kCandidateFeatures.begin(), kCandidateFeatures.end(),
                               [&](const FeatureInfo& feature) { return feature.name == name; });
  EXPECT_NE(it, kCandidateFeatures.end()) << name;
  return static_cast<std::size_t>(it - kCandidateFeatures.begin());
}

// The features of the candidate with `tail` (or of stopping when tail is empty) at the example's start.
std::vector<float> row_of(const FilmWorld& w, const Example& example, GroupId group, std::string_view tail) {
  const FeatureContext context = w.resources.features->context(example, group);
  const FeatureContext* contexts[] = {&context};
  const std::int32_t hops[] = {0};
  const graph::EntityId here[] = {example.start};
  const Candidates c = candidates_of(*w.graph, here);
  std::vector<float> rows(static_cast<std::size_t>(c.size()) * kNumFeatures), state(kNumStateFeatures);
  w.resources.features->extract(contexts, hops, c, rows, state);
  for (std::int64_t k = 0; k < c.size(); ++k) {
    const bool stop = k + 1 == c.size();
    if (stop ? tail.empty()
             : !tail.empty() && c.tails[static_cast<std::size_t>(k)] == *w.graph->find_entity(tail))
      return {rows.begin() + k * kNumFeatures, rows.begin() + (k + 1) * kNumFeatures};
  }
  return {};
}

TEST(Names, WordsAreFoldedAndBracketsDropped) {
  EXPECT_EQ(dialogue::words_of("It's Am\u00e9lie (2001)"),
            (std::vector<std::string>{"its", "amelie", "2001"}));
  EXPECT_EQ(dialogue::plain_name("Star Trek (Science Fiction Film)"), "Star Trek");
  EXPECT_EQ(dialogue::plain_name("Emma #2"), "Emma");
  EXPECT_EQ(dialogue::plain_name("(500)"), "(500)");
}

TEST(Names, MentionsAreWholeNamesOfWholeWords) {
  const FilmWorld w;
  const auto found =
      w.resources.names->mentions(w.resources.names->encode("I saw SCARFACE with al pacino, not heated"));
  EXPECT_EQ(found.size(), 2U);
  EXPECT_TRUE(std::count(found.begin(), found.end(), *w.graph->find_entity("Al Pacino")));
  EXPECT_TRUE(std::count(found.begin(), found.end(), *w.graph->find_entity("Scarface (1983 Film)")));
}

TEST(Statistics, LeaveOutTheCountsOfOnesOwnGroup) {
  const FilmWorld w;
  const Statistics& s = *w.resources.statistics;
  const graph::EntityId mann = *w.graph->find_entity("Michael Mann"), heat = *w.graph->find_entity("Heat");
  EXPECT_EQ(s.targets(mann, kNoGroup), 1);
  EXPECT_EQ(s.targets(mann, s.group_of(0)), 0);
  EXPECT_EQ(s.targets(mann, s.group_of(1)), 1);
  EXPECT_EQ(s.middles(mann, kNoGroup), 1);
  EXPECT_EQ(s.targets(heat, s.group_of(1)), 0);
  EXPECT_EQ(s.messages(mann, kNoGroup), 2);
  EXPECT_EQ(s.relations(*w.graph->find_relation("directed_by"), kNoGroup), 2);
}

TEST(Statistics, DialoguesThatShareALongMessageAreOneGroup) {
  const auto graph = testing::film_graph();
  std::vector<graph::Dialogue> dialogues(3);
  const std::string shared = "this is a rather long message that two rows of one dialogue share";
  dialogues[0].events = {graph::Chat{graph::Speaker::kUser, shared}};
  dialogues[1].events = {graph::Chat{graph::Speaker::kUser, "short"}};
  dialogues[2].events = {graph::Chat{graph::Speaker::kUser,
                                     "This is a RATHER long message, that two rows of one dialogue share!"}};
  const dialogue::NameIndex names(*graph);
  const Statistics s(names, dialogues);
  EXPECT_EQ(s.group_of(0), s.group_of(2));
  EXPECT_NE(s.group_of(0), s.group_of(1));
}

TEST(Features, SayWhatWasNamedAndWalked) {
  const FilmWorld w;
  Example example;
  example.start = *w.graph->find_entity("Heat");
  example.context = {{graph::Speaker::kUser, "I like Michael Mann."},
                     {graph::Speaker::kAssistant, "And Robert who?"}};
  example.walked = {triple(*w.graph, "Collateral", "has_genre", "Crime")};
  example.path_ends = {1};
  const auto mann = row_of(w, example, kNoGroup, "Michael Mann");
  EXPECT_EQ(mann[feature("named_2")], 1);
  EXPECT_EQ(mann[feature("named_1")], 0);
  EXPECT_FLOAT_EQ(mann[feature("overlap_2")], 1);
  EXPECT_FLOAT_EQ(mann[feature("targets")], std::log(2.0F));
  const auto de_niro = row_of(w, example, kNoGroup, "Robert De Niro");
  EXPECT_GT(de_niro[feature("overlap_1")], 0);
  EXPECT_LT(de_niro[feature("overlap_1")], 1);
  EXPECT_EQ(de_niro[feature("named_1")], 0);
  const auto crime = row_of(w, example, kNoGroup, "Crime");
  EXPECT_EQ(crime[feature("on_path")], 1);
  EXPECT_EQ(crime[feature("is_previous_end")], 1);
  EXPECT_EQ(crime[feature("never_target")], 1);
  const auto year = row_of(w, example, kNoGroup, "1995");
  EXPECT_EQ(year[feature("number")], 1);
  EXPECT_FLOAT_EQ(year[feature("year")], 0.9F);
  const auto stop = row_of(w, example, kNoGroup, "");
  EXPECT_EQ(stop[feature("stop")], 1);
  EXPECT_EQ(stop[feature("is_start")], 1);
}

TEST(Features, OfTrainingExamplesDoNotSeeTheirOwnGoldPath) {
  const FilmWorld w;
  Example example;
  example.start = *w.graph->find_entity("Heat");
  const GroupId own = w.resources.statistics->group_of(0);
  EXPECT_GT(row_of(w, example, kNoGroup, "Michael Mann")[feature("hop_walked")], 0);
  EXPECT_EQ(row_of(w, example, own, "Michael Mann")[feature("hop_walked")], 0);
  EXPECT_EQ(row_of(w, example, own, "Michael Mann")[feature("targets")], 0);
}

TEST(Prior, PrefersWalkedRelationsAndPopularTails) {
  const FilmWorld w;
  const PriorWalker prior(w.resources);
  Example example;
  example.start = *w.graph->find_entity("Heat");
  const auto encoded = prior.encode({&example, 1});
  const PartialPath start{};
  const CandidateScores scores = prior.score(*encoded, {&start, 1});
  const auto edges = w.graph->out_edges(example.start);
  double sum = 0;
  std::size_t best = 0;
  for (std::size_t j = 0; j <= edges.size(); ++j) {
    sum += std::exp(scores.log_probs[j]);
    if (scores.log_probs[j] > scores.log_probs[best]) best = j;
  }
  EXPECT_NEAR(sum, 1, 1e-5);
  EXPECT_EQ(w.graph->relation_name(edges[best].relation), "directed_by");
}

TEST(Prior, CountsWeightsOfFactsWhereItIsAskedTo) {
  const auto graph = std::make_shared<const graph::KnowledgeGraph>(
      graph::testing::detailed_graph({{{"Heat", "starred_actors", "Al Pacino"}, 1.0F},
                                      {{"Heat", "starred_actors", "Robert De Niro"}, 3.0F}}));
  const Resources resources = make_resources(WalkerConfig{}, graph, {}, std::make_shared<NoText>(), {});
  Example example;
  example.start = *graph->find_entity("Heat");
  const auto ratio = [&](bool weights) {
    const PriorWalker prior(resources, weights);
    const auto encoded = prior.encode({&example, 1});
    const PartialPath start{};
    const CandidateScores scores = prior.score(*encoded, {&start, 1});
    return std::exp(scores.log_probs[1] - scores.log_probs[0]);
  };
  EXPECT_NEAR(ratio(false), 1, 1e-4);
  EXPECT_NEAR(ratio(true), 3, 1e-4);
  EXPECT_THROW(PriorWalker(FilmWorld().resources, true), ConfigError);
}

}  // namespace
}  // namespace kgwalk::walker
