#include "walker/network/listener.h"

#include <gtest/gtest.h>

#include "runtime/tensor/torch_threads.h"
#include "tests/graph/detailed_graph.h"
#include "tests/walker/small_world.h"
#include "walker/network/candidate_scorer.h"
#include "walker/network/relation_aliases.h"

namespace kgwalk::walker {
namespace {

using testing::film_graph;
using testing::random_graph;
using torch::Tensor;

std::vector<std::string> relation_names(const graph::KnowledgeGraph& graph) {
  std::vector<std::string> names;
  for (graph::RelationId r = 0; r < graph.num_relations(); ++r) names.emplace_back(graph.relation_name(r));
  return names;
}

TEST(WordPieces, NamesAreTakenOut) {
  const auto graph = film_graph();
  const dialogue::NameIndex names(*graph);
  const WordPieces pieces(names, 1024);
  const auto plain = [&](const char* text, const char* start) {
    const std::vector<graph::Chat> chats{{graph::Speaker::kUser, text}};
    return pieces.plain(chats, start);
  };
  EXPECT_EQ(plain("Who directed Heat?", "Heat"), "who directed it?");
  EXPECT_EQ(plain("who directed heat", "Heat"), "who directed it");
  EXPECT_EQ(plain("Did Michael Mann direct Heat?", "Heat"), "did something direct it?");
  EXPECT_EQ(plain("What is the genre of Heat's director?", "Heat"), "what is the genre of it director?");
  EXPECT_EQ(plain("Who was in Crime?", "Heat"), "who was in something?");
  EXPECT_EQ(plain("", "Heat"), "");
  // How a question asks does not depend on whom it is about.
  const std::vector<graph::Chat> heat{{graph::Speaker::kUser, "Who directed Heat?"}},
      taxi{{graph::Speaker::kUser, "Who directed Taxi Driver?"}};
  EXPECT_EQ(pieces.heard(heat, "Heat", 2, 40).rows, pieces.heard(taxi, "Taxi Driver", 2, 40).rows);
}

// "Who directed Crime Story?" asks as "Who directed Heat?" where Heat is called that too.
TEST(WordPieces, AnAliasOfTheStartIsItsName) {
  const auto graph = graph::testing::detailed_graph(
      {{{"Heat", "directed_by", "Michael Mann"}}, {{"Taxi Driver", "directed_by", "Martin Scorsese"}}},
      {{"Heat", "Crime Story"}, {"Heat", "Takedown"}, {"Taxi Driver", "Takedown"}});
  const dialogue::NameIndex names(graph);
  const WordPieces pieces(names, 1024);
  const auto heat = graph.find_entity("Heat"), taxi = graph.find_entity("Taxi Driver");
  const auto plain = [&](const char* text, const char* start, std::optional<graph::EntityId> entity) {
    const std::vector<graph::Chat> chats{{graph::Speaker::kUser, text}};
    return pieces.plain(chats, start, entity);
  };
  EXPECT_EQ(plain("who directed crime story?", "Heat", heat), "who directed it?");
  EXPECT_EQ(plain("who directed crime story?", "Taxi Driver", taxi), "who directed something?");
  EXPECT_EQ(plain("who directed takedown?", "Heat", heat), "who directed it?");
  EXPECT_EQ(plain("who directed takedown?", "Taxi Driver", taxi), "who directed it?");
  EXPECT_EQ(plain("who directed Heat?", "Heat", heat), "who directed it?");
}

TEST(WordPieces, RelationsAreTheirWords) {
  EXPECT_EQ(WordPieces::relation_words("written_by"), (std::vector<std::string>{"written", "by"}));
  // An inverse is said as one would.
  EXPECT_EQ(WordPieces::relation_words("~written_by"), (std::vector<std::string>{"written"}));
  EXPECT_EQ(WordPieces::relation_words("~has_genre"), (std::vector<std::string>{"genre", "of"}));
  EXPECT_EQ(WordPieces::relation_words("~Children"), (std::vector<std::string>{"children", "of"}));
  EXPECT_EQ(WordPieces::relation_words("music/album/release_type"),
            (std::vector<std::string>{"music", "album", "release", "type"}));
}

class Listening : public ::testing::Test {
 protected:
  void SetUp() override {
    seed_torch(3);
    listener_ = Listener(ListenConfig{.width = 16, .buckets = 256},
                         relation_bags(pieces_, relation_names(*graph_), true), 2);
    listener_->eval();
  }
  [[nodiscard]] Said said(const char* text) const {
    const std::vector<graph::Chat> chats{{graph::Speaker::kUser, text}};
    const std::vector<HeardText> texts{pieces_.read(chats, "Heat", 2, 40)};
    return said_of(texts, nullptr);
  }
  std::shared_ptr<const graph::KnowledgeGraph> graph_ = film_graph();
  dialogue::NameIndex names_{*graph_};
  WordPieces pieces_{names_, 256};
  Listener listener_{nullptr};
};

TEST_F(Listening, RelationsAreKeptUntilWeightsChange) {
  const torch::NoGradGuard no_grad;
  const Tensor first = listener_->graph_relations().mapped.clone();
  EXPECT_TRUE(torch::equal(first, listener_->graph_relations().mapped));
  for (Tensor& p : listener_->parameters()) p.add_(0.1);
  EXPECT_FALSE(torch::allclose(first, listener_->graph_relations().mapped));
}

// A relation read by other words is what a relation of that name would be, and the others stay as they are.
TEST_F(Listening, OtherWordsTakeTheirRelationsPlace) {
  const torch::NoGradGuard no_grad;
  RelationAliases aliases;
  aliases.add("who helmed");
  const std::int64_t alias = aliases.add("genre");
  EXPECT_EQ(aliases.add("genre"), alias);
  aliases.read(pieces_, nullptr);
  std::vector<std::int64_t> chosen(graph_->num_relations(), -1);
  const graph::RelationId inverse = *graph_->find_relation("~directed_by");
  chosen[inverse] = alias;
  std::vector<std::string> renamed = relation_names(*graph_);
  renamed[inverse] = "genre";
  const RelationBags& own = listener_->graph_bags();
  const RelationBags bags = aliases.in_place(own, chosen), expected = relation_bags(pieces_, renamed, true);
  EXPECT_EQ(bags.replaced.sum().item<float>(), 1);
  EXPECT_TRUE(torch::equal(bags.directions, expected.directions));
  EXPECT_TRUE(torch::allclose(listener_->read(bags).mapped, listener_->read(expected).mapped, 1e-5, 1e-6));
  const Said heard = said("what genre is Heat?");
  const auto alike = [&](const RelationBags& of) {
    return listener_->hear(heard, listener_->read(of)).alike;
  };
  EXPECT_TRUE(torch::allclose(alike(bags), alike(expected), 1e-5, 1e-6));
  EXPECT_FALSE(torch::allclose(alike(bags), alike(own), 1e-5, 1e-6));
}

// What a relation means beyond its words is dropped in training and counts afterwards as much as on average.
TEST_F(Listening, OwnVectorsCountAsOftenAsTheyWereThere) {
  const torch::NoGradGuard no_grad;
  const Tensor before = listener_->graph_relations().mapped.clone();
  Tensor own = listener_->named_parameters()["own"];
  own.fill_(1);
  const Tensor difference = listener_->graph_relations().mapped - before;  // own_dropout is one half
  const std::int64_t relations = difference.size(0) - 1;
  EXPECT_TRUE(torch::allclose(difference.slice(0, 0, relations), torch::full({relations, 16}, 0.5)));
  EXPECT_TRUE(torch::allclose(difference[relations], torch::ones({16})));  // stopping is nothing else
}

TEST_F(Listening, RelationsThatNobodyAskedForCanBeGivenAnAdvantage) {
  const torch::NoGradGuard no_grad;
  const auto scores_with = [&](double unheard) {
    seed_torch(3);
    Listener listener(ListenConfig{.width = 16, .buckets = 256, .unheard = unheard},
                      relation_bags(pieces_, relation_names(*graph_), true), 2);
    listener->eval();
    Tensor mask = torch::zeros({static_cast<std::int64_t>(graph_->num_relations())});
    mask[1] = 1;
    listener->set_unheard(mask);
    const auto relations = listener->graph_relations();
    const auto heard = listener->hear(said("who directed Heat?"), relations);
    const Tensor first = torch::zeros({1}, torch::kInt64);
    return listener->score(heard, relations, first, first, torch::full({1}, mask.size(0), torch::kInt64));
  };
  Tensor difference = scores_with(2) - scores_with(0);
  EXPECT_NEAR(difference[0][1].item<float>(), 2, 1e-4);
  difference[0][1] = 0;
  EXPECT_LT(difference.abs().max().item<float>(), 1e-5);
}

TEST_F(Listening, AnAbsentRelationIsToldFromOnePresentAfterCalibration) {
  Tensor present = torch::zeros({1, kNumAbsence}), absent = torch::zeros({1, kNumAbsence});
  present[0][0] = -0.1;
  present[0][2] = 1;
  absent[0][0] = -4;
  absent[0][1] = -5;
  const Tensor features = torch::cat({present, absent}).repeat({50, 1});
  listener_->calibrate(features, torch::tensor({0.0F, 1.0F}).repeat({50}));
  const Tensor judged = torch::sigmoid(listener_->missing(features.slice(0, 0, 2)));
  EXPECT_LT(judged[0].item<float>(), 0.2);
  EXPECT_GT(judged[1].item<float>(), 0.8);
}

TEST(WidenAbsence, KeepsAJudgementThatWasMadeByTheStandingOfTheStartsRelationsAlone) {
  NamedTensors weights{{"listener.absent", torch::arange(1, kNumStanding + 2, torch::kFloat32)}};
  widen_absence(weights);
  const Tensor wide = weights.at("listener.absent");
  ASSERT_EQ(wide.numel(), kNumAbsence + 1);
  EXPECT_EQ(wide[kNumStanding - 1].item<float>(), kNumStanding);
  EXPECT_EQ(wide[kNumAbsence].item<float>(), kNumStanding + 1) << "the offset stays last";
  EXPECT_EQ(wide.slice(0, kNumStanding, kNumAbsence).abs().sum().item<float>(), 0);
  widen_absence(weights);
  EXPECT_TRUE(torch::equal(weights.at("listener.absent"), wide));
}

// The formula of heard_log_probs with loops, against the ragged one.
TEST(HeardLogProbs, AreHabitWhereNothingIsAskedAndTheRelationWhereSomethingIs) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto graph = random_graph(seed);
    const std::vector<graph::EntityId> at{0, 1};
    const Candidates found = candidates_of(*graph, at);
    const std::vector<std::int32_t> hops{0, 0};
    const CandidateTensors c = to_tensors(found, hops, ScoringConfig{});
    torch::manual_seed(seed);
    const Tensor habit = torch::randn({found.size()}), heard = torch::randn({2, graph->num_relations() + 1});
    const Tensor asks = torch::log_softmax(torch::randn({2, 2}), 1);
    const Tensor result = heard_log_probs(habit, heard, asks, c);
    for (std::size_t i = 0; i < at.size(); ++i) {
      const std::int64_t begin = found.offsets[i], end = found.offsets[i + 1];
      const auto state = static_cast<std::int64_t>(i);
      double all_habit = 0, all_heard = 0, sum = 0;
      std::int64_t last = -1;
      for (std::int64_t k = begin; k < end; ++k) {
        all_habit += std::exp(habit[k].item<double>());
        const std::int64_t r = found.relations[static_cast<std::size_t>(k)];
        if (r != last) all_heard += std::exp(heard[state][r].item<double>());
        last = r;
      }
      for (std::int64_t k = begin; k < end; ++k) {
        const std::int64_t r = found.relations[static_cast<std::size_t>(k)];
        double within = 0;
        for (std::int64_t j = begin; j < end; ++j)
          if (found.relations[static_cast<std::size_t>(j)] == r) within += std::exp(habit[j].item<double>());
        const double by_habit = std::exp(habit[k].item<double>()) / all_habit;
        const double asked =
            std::exp(heard[state][r].item<double>()) / all_heard * std::exp(habit[k].item<double>()) / within;
        const double expected = std::exp(asks[state][0].item<double>()) * asked +
                                std::exp(asks[state][1].item<double>()) * by_habit;
        EXPECT_NEAR(std::exp(result[k].item<double>()), expected, 1e-5);
        sum += std::exp(result[k].item<double>());
      }
      EXPECT_NEAR(sum, 1, 1e-4);
    }
  }
}

}  // namespace
}  // namespace kgwalk::walker
