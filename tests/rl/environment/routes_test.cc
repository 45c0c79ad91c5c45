// Rules of routes, the search ahead, and routes beside those of people, on graphs whose ways are known.
#include "rl/environment/routes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "rl/environment/hub_free_world.h"
#include "rl/environment/route_search.h"
#include "rl/environment/success_rates.h"
#include "rl/environment/walks.h"
#include "tests/walker/remembering_walker.h"

namespace kgwalk::rl {
namespace {

using graph::EntityId;

constexpr int kFilms = 12;

// A row of films by their sequels, and a country beside each of them: two hops from any to any. From film to
// film another way leads over two friends, which people would rather take.
graph::KnowledgeGraph country_of_films() {
  std::vector<graph::NamedTriple> triples;
  for (int i = 0; i < kFilms; ++i) {
    const std::string film = "Film " + std::to_string(i), next = "Film " + std::to_string(i + 1);
    triples.push_back({film, "country", "Country"});
    if (i + 1 == kFilms) continue;
    triples.push_back({film, "sequel", next});
    triples.push_back({film, "friend", "Ann " + std::to_string(i)});
    triples.push_back({"Ann " + std::to_string(i), "friend", next});
  }
  return graph::KnowledgeGraph::from_triples(triples);
}

// Finds hops by their relation likely, and with a goal in sight takes it.
class Liking : public walker::testing::RememberingWalker {
 public:
  Liking(const graph::KnowledgeGraph& graph, std::map<std::string, float> likings)
      : graph_(graph), likings_(std::move(likings)) {}
  [[nodiscard]] const graph::KnowledgeGraph& graph() const override { return graph_; }
  [[nodiscard]] std::string describe() const override { return "liking"; }
  [[nodiscard]] walker::CandidateScores score(walker::Encoded& encoded,
                                              std::span<const walker::PartialPath> states) const override {
    walker::CandidateScores scores;
    scores.offsets.push_back(0);
    for (const walker::PartialPath& path : states) {
      const walker::Example& here = example_of(encoded, path);
      std::vector<float> row;
      float sum = 0;
      for (const graph::Edge& edge : graph_.out_edges(here.start)) {
        const auto liking = likings_.find(std::string(graph_.relation_name(edge.relation)));
        row.push_back(liking == likings_.end() ? 1 : liking->second);
        if (here.goal == edge.tail) row.back() = 100;
        sum += row.back();
      }
      for (const float x : row) scores.log_probs.push_back(std::log(0.5F * x / sum));
      scores.log_probs.push_back(std::log(0.5F));  // stopping
      scores.offsets.push_back(static_cast<std::int64_t>(scores.log_probs.size()));
    }
    return scores;
  }

 private:
  const graph::KnowledgeGraph& graph_;
  std::map<std::string, float> likings_;
};

class AmongFilms : public ::testing::Test {
 protected:
  [[nodiscard]] EntityId id(const std::string& name) const { return *graph_.find_entity(name); }
  [[nodiscard]] walker::Example from(const std::string& start, const std::string& goal) const {
    return begin_episode({id(start), id(goal), index_.distance(id(start), id(goal))}).situation;
  }
  [[nodiscard]] std::vector<std::string> route(const walker::WalkModel& model, const std::string& start,
                                               const std::string& goal,
                                               const RouteSearchOptions& options) const {
    const walker::Example situation = from(start, goal);
    const walker::Example* const situations[] = {&situation};
    std::vector<std::string> names;
    const auto routes = find_routes(model, situations, RouteRules(graph_, options.route), options);
    for (const graph::Edge& hop : routes.front()) names.emplace_back(graph_.entity_name(hop.tail));
    return names;
  }

  graph::KnowledgeGraph graph_ = country_of_films();
  graph::DistanceIndex index_ = graph::DistanceIndex::build(graph_);
};

TEST_F(AmongFilms, RulesCloseHubsAndWhatWasStoodOnButNeverTheGoal) {
  const RouteRules rules(graph_, {.avoid_hubs = 1, .revisit = false});
  walker::Example here = from("Film 3", "Film 5");
  here.walked.push_back({id("Film 2"), 0, id("Film 3")});
  EXPECT_FALSE(rules.allow(here, id("Country")));
  EXPECT_TRUE(rules.allow(here, id("Country"), Strictness::kHubsToo));
  for (const char* stood : {"Film 2", "Film 3"}) {
    EXPECT_FALSE(rules.allow(here, id(stood))) << stood;
    EXPECT_FALSE(rules.allow(here, id(stood), Strictness::kHubsToo)) << stood;
  }
  EXPECT_TRUE(rules.allow(here, id("Film 4")));
  EXPECT_TRUE(rules.allow(from("Film 3", "Country"), id("Country")));
  EXPECT_TRUE(RouteRules(graph_, {}).allow(here, id("Film 2")));
}

TEST_F(AmongFilms, AGreedyWalkKeepsTheRulesAndEndsWhereNothingIsLeft) {
  const Liking backwards(graph_, {{"~sequel", 9}, {"country", 50}});
  const Pair pair{id("Film 2"), id("Film 9"), 2};
  const auto walks = walk_pairs({&pair, 1}, greedy(backwards, {.avoid_hubs = 1, .revisit = false}),
                                SilentUser(), index_, nullptr, {.budget = 20}, 1);
  EXPECT_FALSE(stands_twice(walks[0].episode.situation.walked));
  const auto free = walk_pairs({&pair, 1}, greedy(backwards), SilentUser(), index_, nullptr, {}, 1);
  EXPECT_EQ(free[0].episode.situation.walked.front().tail, id("Country"));
  // A street of one way: from its end nothing is left.
  const auto street = graph::KnowledgeGraph::from_triples(
      std::vector<graph::NamedTriple>{{"a", "r", "b"}, {"b", "r", "c"}, {"a", "r", "d"}});
  const graph::DistanceIndex near = graph::DistanceIndex::build(street);
  const Liking forwards(street, {{"~r", 0.01F}});
  const Pair lost{*street.find_entity("b"), *street.find_entity("d"), 2};
  const auto ended =
      walk_pairs({&lost, 1}, greedy(forwards, {.revisit = false}), SilentUser(), near, nullptr, {}, 1);
  EXPECT_TRUE(ended[0].stuck);
  EXPECT_EQ(ended[0].episode.hops, 1);
}

TEST_F(AmongFilms, TheSearchGoesAroundHubsByWhatIsLiked) {
  const Liking model(graph_, {{"sequel", 4}, {"friend", 3}, {"country", 20}});
  const RouteSearchOptions around{
      .route = {.avoid_hubs = 1, .revisit = false, .beam = 6, .detour = 1, .spare = 0}};
  EXPECT_EQ(route(model, "Film 1", "Film 4", around),
            (std::vector<std::string>{"Film 2", "Film 3", "Film 4"}));
  RouteSearchOptions through = around;
  through.route.avoid_hubs = 0;
  EXPECT_EQ(route(model, "Film 1", "Film 4", through), (std::vector<std::string>{"Country", "Film 4"}));
  // A longer route whose hops are likelier is taken, as far as it may be longer.
  const Liking friendly(graph_, {{"sequel", 1}, {"friend", 30}, {"~friend", 0.1F}});
  RouteSearchOptions longer = around;
  longer.route.detour = 2;
  EXPECT_EQ(route(friendly, "Film 1", "Film 2", longer), (std::vector<std::string>{"Ann 1", "Film 2"}));
}

TEST_F(AmongFilms, HubsAreEnteredWhereNothingElseLeadsOn) {
  std::vector<graph::NamedTriple> triples;
  for (int i = 0; i < 6; ++i) triples.push_back({"Island " + std::to_string(i), "sea", "Sea"});
  const auto islands = graph::KnowledgeGraph::from_triples(triples);
  const Liking model(islands, {});
  const walker::Example here =
      begin_episode({*islands.find_entity("Island 1"), *islands.find_entity("Island 4"), 2}).situation;
  const walker::Example* const situations[] = {&here};
  const RouteSearchOptions options{.route = {.avoid_hubs = 1, .revisit = false, .beam = 8}};
  const auto found = find_routes(model, situations, RouteRules(islands, options.route), options).front();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(islands.entity_name(found[0].tail), "Sea");
  EXPECT_EQ(islands.entity_name(found[1].tail), "Island 4");
}

TEST_F(AmongFilms, WithExactDistancesTheMostNaturalRouteInTimeIsFound) {
  const Liking friendly(graph_, {{"sequel", 1}, {"friend", 30}, {"~friend", 0.1F}});
  const HubFreeWorld world(graph_, graph::Hubs(graph_, 1));
  RouteSearchOptions options{.route = {.avoid_hubs = 1, .revisit = false, .beam = 24, .branch = 24}};
  options.exact = Foresight{&index_, &world.distances};
  // Two hops over the country: six may be taken, and three pairs of friends lead there.
  EXPECT_EQ(route(friendly, "Film 1", "Film 4", options),
            (std::vector<std::string>{"Ann 1", "Film 2", "Ann 2", "Film 3", "Ann 3", "Film 4"}));
}

TEST_F(AmongFilms, AnEstimateKeepsRoutesShort) {
  const Liking model(graph_, {});
  RouteSearchOptions options{.route = {.avoid_hubs = 1,
                                       .revisit = false,
                                       .beam = 24,
                                       .branch = 24,
                                       .horizon = 20,
                                       .detour = 1,
                                       .spare = 0}};
  options.estimate = [this](EntityId a, EntityId b) { return static_cast<double>(index_.distance(a, b)); };
  // 11 hops without the country, and 2 with it: six at most.
  EXPECT_EQ(route(model, "Film 0", "Film 11", options), (std::vector<std::string>{"Country", "Film 11"}));
}

TEST_F(AmongFilms, APlanIsWalkedToItsEndWhateverIsSaidAndMadeAnewWhereItWasLeft) {
  const Liking friendly(graph_, {{"sequel", 1}, {"friend", 30}, {"~friend", 0.1F}});
  const Chooser choose =
      looking_ahead(friendly, {.route = {.avoid_hubs = 1, .revisit = false, .beam = 12, .detour = 2}});
  const auto hop_in = [&](Episode& episode) {
    const walker::Example* const situations[] = {&episode.situation};
    const auto hop = choose(situations).front();
    ASSERT_TRUE(hop.has_value());
    take_hop(episode, *hop, index_);
  };
  Episode episode = begin_episode({id("Film 1"), id("Film 3"), 2});
  for (int hops = 0; episode.distance > 0 && hops < 9; ++hops) {
    hop_in(episode);
    episode.situation.context.push_back({graph::Speaker::kUser, "Well!"});
  }
  EXPECT_EQ(episode.distance, 0);
  EXPECT_EQ(episode.hops, 4) << "over both friends";
  Episode other = begin_episode({id("Film 1"), id("Film 3"), 2});
  hop_in(other);
  take_hop(other, {*graph_.find_relation("friend"), id("Film 2")}, index_);
  take_hop(other, {*graph_.find_relation("~sequel"), id("Film 1")}, index_);  // off the route
  for (int hops = 0; other.distance > 0 && hops < 9; ++hops) hop_in(other);
  EXPECT_EQ(other.distance, 0);
}

graph::Dialogue dialogue_of(std::vector<std::vector<graph::Triple>> paths) {
  graph::Dialogue dialogue;
  for (auto& hops : paths)
    dialogue.events.emplace_back(graph::WalkedPath{graph::Speaker::kUser, std::move(hops)});
  return dialogue;
}

TEST_F(AmongFilms, RoutesOfPeopleAreDialoguesOfThreePathsThatLeadElsewhere) {
  const auto hop = [&](const char* a, const char* b) { return graph::Triple{id(a), 0, id(b)}; };
  const std::vector<graph::Dialogue> dialogues{
      dialogue_of({{hop("Film 1", "Film 2"), hop("Film 2", "Country")},
                   {hop("Country", "Film 6")},
                   {hop("Film 6", "Film 7")}}),
      dialogue_of({{hop("Film 1", "Film 2")}, {hop("Film 2", "Film 3")}}),
      dialogue_of({{hop("Film 1", "Film 2")}, {hop("Film 2", "Film 3")}, {hop("Film 3", "Film 1")}})};
  const PeopleRoutes people = people_routes(dialogues, index_);
  ASSERT_EQ(people.routes.size(), 1U);
  EXPECT_EQ(people.too_short, 1);
  EXPECT_EQ(people.led_back, 1);
  const PeopleRoute& route = people.routes.front();
  EXPECT_EQ(route.turns(), 3);
  EXPECT_EQ(route.pair, (Pair{id("Film 1"), id("Film 7"), 2}));
  EXPECT_EQ(route.between().size(), 3U);

  const graph::Hubs hubs(graph_, 1);
  const RouteCounts own = compare(route, route.hops, hubs);
  EXPECT_DOUBLE_EQ(own.recall(), 100);
  EXPECT_DOUBLE_EQ(own.hub_share(), 25);
  EXPECT_DOUBLE_EQ(own.more_turns(), 1);  // four hops, three turns
  const std::vector<graph::Triple> direct{hop("Film 1", "Country"), hop("Country", "Film 7")};
  const RouteCounts other = compare(route, direct, hubs);
  EXPECT_DOUBLE_EQ(other.found, 1);
  EXPECT_DOUBLE_EQ(other.reached, 1);
  EXPECT_DOUBLE_EQ(other.more_turns(), -1);
  const RouteRow a{"people", {own}}, b{"natural-shortest", {other}};
  EXPECT_NEAR(recall_over(a, b).score, 100 - 100.0 / 3, 1e-9);
  const RouteRow rows[] = {a, b};
  EXPECT_NE(routes_table(rows, 1, true).find("recall over natural-shortest"), std::string::npos);
  EXPECT_EQ(routes_json(rows, 1, true)[0]["name"], "people");
  EXPECT_TRUE(routes_json(rows, 1, true)[0].contains("log_prob_per_hop"));
  EXPECT_FALSE(routes_json(rows, 1, false)[0].contains("log_prob_per_hop")) << "nobody knows them";
  EXPECT_EQ(routes_table(rows, 1, false).find("log p"), std::string::npos);
}

TEST_F(AmongFilms, WalksToOneGoalAreResampledTogether) {
  std::vector<Walk> walks(4);
  for (std::size_t i = 0; i < 4; ++i) {
    walks[i].episode = begin_episode({id("Film " + std::to_string(i)), id(i < 3 ? "Film 7" : "Film 8"), 2});
    if (i < 3) walks[i].episode.distance = 0;
  }
  const SuccessRow row = success_row(2, walks);
  ASSERT_EQ(row.goals.size(), 2U);
  EXPECT_EQ(row.within[0], 3);
  const Json by_goals = row.to_json()["within_d"]["by_goals"];
  EXPECT_EQ(by_goals["goals"], 2);
  EXPECT_DOUBLE_EQ(by_goals["low"].get<double>(), 0)
      << "one in four samples has the goal alone that was missed";
  EXPECT_DOUBLE_EQ(by_goals["high"].get<double>(), 100);
}

TEST_F(AmongFilms, HopsIntoHubsAndWholeWalksAreTold) {
  std::vector<Walk> walks(1);
  walks[0].episode = begin_episode({id("Film 1"), id("Film 7"), 2});
  walks[0].log_prob = -7;
  take_hop(walks[0].episode, {0, id("Country")}, index_);
  take_hop(walks[0].episode, {0, id("Film 7")}, index_);
  const graph::Hubs hubs(graph_, 1);
  const SuccessRow row = success_row(2, walks, {.hubs = &hubs, .extra = 2, .natural = true});
  EXPECT_DOUBLE_EQ(row.sum_walked().hub_share(), 50);
  EXPECT_DOUBLE_EQ(row.sum_walked().total(), -7);
  EXPECT_DOUBLE_EQ(row.log_prob, -3.5);
  const Json json = row.to_json();
  EXPECT_DOUBLE_EQ(json["hub_share"].get<double>(), 50);
  EXPECT_TRUE(json.contains("within_2d_plus_2"));
  EXPECT_DOUBLE_EQ(json["log_prob_per_hop"].get<double>(), -3.5);
  const SuccessRow silent = success_row(2, walks, {.hubs = &hubs});
  EXPECT_FALSE(silent.to_json().contains("log_prob_per_hop")) << "without a walker of stage 1";
  EXPECT_EQ(success_table({&silent, 1}).find("-3.50"), std::string::npos);
  EXPECT_NE(success_table({&row, 1}).find("-3.50"), std::string::npos);
  EXPECT_NE(success_table({&row, 1}).find("hops into hubs"), std::string::npos);
  EXPECT_NE(hubs_text(graph_, hubs).find("Country"), std::string::npos);
}

}  // namespace
}  // namespace kgwalk::rl
