// Whole trainings of stage 2 on disk: resume to the last bit, what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "kgwalk/error.h"
#include "rl/simulator/user_simulator.h"
#include "rl/training/measure.h"
#include "runtime/tensor/checkpoint.h"
#include "runtime/tensor/tensor_io.h"
#include "tests/rl/in_town.h"

namespace kgwalk::rl {
namespace {

namespace fs = std::filesystem;
using test::contains;
using test::message_of;
using testing::expect_same_runs;
using testing::InTown;
using testing::train_in_pieces;

struct Case {
  const char* name;
  const char* train;
  double supervised, naturalness;
  bool simulator;
  double imitation = 0;
  RouteConfig route = {};
};

TEST_F(InTown, AResumedTrainingEndsWithTheSameBytes) {
  for (const Case& c :
       {Case{"goal", "goal", 0, 0, false}, Case{"all", "all", 0.5, 0, false},
        Case{"natural", "goal", 0, 0.3, true},
        Case{"human", "goal", 0, 0.3, false, 0.5, {.avoid_hubs = 2, .revisit = false, .beam = 4}}}) {
    const auto train = [&](const std::string& run) {
      return [&, run](Reporter& reporter, const StopFlag& stop) {
        Stage2Options o = options(run);
        o.config.train = c.train;
        o.config.supervised = c.supervised;
        o.config.environment.reward.naturalness = c.naturalness;
        o.config.imitation = c.imitation;
        o.config.route = c.route;
        if (c.simulator) o.simulator = simulator();
        (void)train_stage2(o, reporter, stop);
      };
    };
    const std::string straight = std::string("straight ") + c.name, pieces = std::string("pieces ") + c.name;
    train(straight)(silent_reporter(), never_stop());
    EXPECT_EQ(train_in_pieces(train(pieces), {1, 3, 4}), 3);
    expect_same_runs(in(straight), in(pieces), {"last/environment.json"});
    const Json last = read_metrics(in(straight) / "metrics.jsonl").back();
    EXPECT_EQ(last["step"], 12) << c.name;
  }
}

// Text states are encoded when they are first heard; what is remembered of them must not matter.
TEST_F(InTown, AResumedTrainingThatHearsEndsWithTheSameBytes) {
  walker::TrainOptions walker = testing::stage1_options(town(), in("hearing stage1"));
  walker.text = testing::make_encoder(in("encoder"));
  walker.config.text.states = true;
  (void)walker::train_walker(walker, silent_reporter(), never_stop());
  const auto train = [&](const std::string& run) {
    return [&, run](Reporter& reporter, const StopFlag& stop) {
      Stage2Options o = testing::stage2_options(town(), in(run), walker.run);
      o.simulator = simulator();
      (void)train_stage2(o, reporter, stop);
    };
  };
  train("straight hearing")(silent_reporter(), never_stop());
  EXPECT_EQ(train_in_pieces(train("hearing in pieces"), {2, 5}), 2);
  expect_same_runs(in("straight hearing"), in("hearing in pieces"), {"last/environment.json"});
}

TEST_F(InTown, AnotherTextEncoderIsRefused) {
  const fs::path text = testing::make_encoder(in("other encoder"));
  const graph::Store store = open(town());
  EXPECT_TRUE(contains(message_of<FormatError>([&] {
                         (void)walker::open_walker_hearing(store, open_walker_run(stage1()),
                                                           walker::open_text(true, text, &store, nullptr));
                       }),
                       "the text encoder"));
}

// Which weights of the walker a stage-2 training has changed.
std::set<std::string> changed(const fs::path& stage1, const fs::path& agent) {
  const NamedTensors before = read_checkpoint_model(stage1 / "checkpoints" / "best"),
                     after = read_checkpoint_model(agent / "checkpoints" / "last");
  std::set<std::string> names;
  for (const auto& [name, tensor] : before)
    if (!torch::equal(tensor, after.at("walker." + name))) names.insert(name);
  return names;
}

TEST_F(InTown, TrainsWhatTheGoalTouchesOrEverythingBesideTheFirstStagesLoss) {
  Stage2Options o = options("touched");
  (void)train_stage2(o, silent_reporter(), never_stop());
  const auto goal = changed(stage1(), in("touched"));
  EXPECT_FALSE(goal.empty());
  for (const std::string& name : goal) EXPECT_TRUE(contains(name, "goal")) << name;

  o = options("everything");
  o.config.train = "all";
  o.config.supervised = 0.5;
  (void)train_stage2(o, silent_reporter(), never_stop());
  const auto all = changed(stage1(), in("everything"));
  EXPECT_TRUE(all.contains("network.cls") && all.contains("scorer.project.weight"));
  EXPECT_GT(all.size(), 3 * goal.size());
  std::set<double> further;
  for (const Json& row : read_metrics(in("everything") / "metrics.jsonl"))
    if (row["kind"] == "train") further.insert(row["further_loss"].get<double>());
  EXPECT_GT(further.size(), 6U) << "the first stage's batches go on";
  for (const double x : further) EXPECT_TRUE(std::isfinite(x) && x > 0) << x;

  o = options("both");
  o.config.supervised = 0.5;  // with train=goal
  EXPECT_TRUE(contains(refusal(o), "train=all"));
}

// Success pays unless floors say how much of it is wanted; then the most natural walker that keeps
// them is best.
TEST_F(InTown, WhereFloorsAreKeptOnlyNaturalnessCounts) {
  const auto score_less_expected = [&](const char* run, std::vector<double> floors) {
    Stage2Options o = options(run);
    o.config.environment.reward.naturalness = 0.5;
    o.config.evaluate.floors = floors;
    (void)train_stage2(o, silent_reporter(), never_stop());
    const Json row = read_metrics(in(run) / "metrics.jsonl").back();
    const double success = (row["success_d+2@2"].get<double>() + row["success_2d@2"].get<double>()) / 2;
    const double cost = -50 * row["log_prob@2"].get<double>() / o.config.environment.reward.natural_scale;
    EXPECT_GT(cost, 0);
    const double expected = floors.empty() ? success - cost : floors[0] > 100 ? success - 1000 : -cost;
    return row["score"].get<double>() - expected;
  };
  EXPECT_NEAR(score_less_expected("no floors", {}), 0, 1e-9);
  EXPECT_NEAR(score_less_expected("kept floors", {0}), 0, 1e-9);
  EXPECT_NEAR(score_less_expected("missed floors", {101}), 0, 1e-9);
}

TEST_F(InTown, CurvesAreDrawn) {
  for (const char* name : {"train_return", "train_success", "train_entropy", "train_value_loss",
                           "train_explained_variance", "dev_success_2d"})
    EXPECT_TRUE(contains(read_file(agent() / "plots" / (std::string(name) + ".svg")), "<path")) << name;
}

TEST_F(InTown, RunsOfAnotherKindAreRefusedWithTheCommandThatMadeThem) {
  Stage2Options o = options("refused");
  o.from = agent();
  EXPECT_TRUE(contains(refusal(o), "stage 2 already"));
  o.from = simulator();
  EXPECT_TRUE(contains(refusal(o), "made by 'simulator train'"));
  o.from = in("nowhere");
  EXPECT_TRUE(contains(refusal(o), "nowhere"));
  o = options("refused");
  o.simulator = stage1();
  EXPECT_TRUE(contains(refusal(o), "made by 'train'"));
  o = options("refused");
  for (const fs::path& run : {stage1(), simulator()}) {
    o.run = run;
    EXPECT_TRUE(contains(refusal(o), "{train rl}")) << run;
  }
  EXPECT_FALSE(fs::exists(in("refused") / "checkpoints"));

  for (const fs::path& run : {agent(), simulator()})
    EXPECT_TRUE(contains(message_of<FormatError>([&] {
                           (void)walker::train_walker(testing::stage1_options(town(), run), silent_reporter(),
                                                      never_stop());
                         }),
                         "expected one of kind 'walker'"));
  for (const fs::path& run : {agent(), stage1()})
    EXPECT_TRUE(contains(message_of<FormatError>([&] {
                           (void)train_simulator(testing::simulator_options(town(), run), silent_reporter(),
                                                 never_stop());
                         }),
                         "expected one of kind 'simulator'"));
  const graph::Store store = open(town());
  EXPECT_TRUE(contains(message_of<FormatError>([&] { (void)open_walker_run(simulator()); }),
                       "made by 'simulator train'"));
  EXPECT_TRUE(
      contains(message_of<FormatError>([&] { (void)SimulatedUser::open(store, agent()); }), "made by 'rl'"));
}

TEST_F(InTown, AWalkerWithoutGoalsLearnsToCompareThem) {
  walker::TrainOptions blind = testing::stage1_options(town(), in("blind"));
  blind.config.scoring.goal = blind.config.goal_visible = false;
  blind.config.metapath.distance_width = 0;
  (void)walker::train_walker(blind, silent_reporter(), never_stop());
  Stage2Options o = options("taught");
  o.from = in("blind");
  o.config.goal_width = 99;
  EXPECT_TRUE(contains(refusal(o), "{embed "));
  o.config.goal_width = o.config.goal_rank = 16;
  (void)train_stage2(o, silent_reporter(), never_stop());
  const graph::Store store = open(town());
  const auto before = walker::open_walker(store, walker::open_walker_run(in("blind"))),
             after = walker::open_walker(store, open_walker_run(in("taught")));
  walker::Example here;
  here.start = *before->graph().find_entity(testing::place(3));
  const auto scores = [&](const walker::WalkModel& model) {
    const walker::PartialPath path;
    return model.score(*model.encode({&here, 1}), {&path, 1}).log_probs;
  };
  EXPECT_EQ(scores(*after), scores(*before));  // without a goal it is the walker it was
  here.goal = *before->graph().find_entity(testing::place(5));
  EXPECT_NE(scores(*after), scores(*before));
}

TEST_F(InTown, AWalkerThatListensGoesOnToStage2) {
  walker::TrainOptions listens = testing::stage1_options(town(), in("listens"));
  listens.config.model = walker::WalkerKind::kScorer;
  listens.config.scoring.goal = listens.config.goal_visible = false;
  listens.config.metapath.distance_width = 0;
  listens.config.listen.on = listens.config.listen.text = true;
  listens.config.listen.width = 16;
  listens.config.listen.buckets = 64;
  listens.text = testing::make_encoder(in("ears"));
  (void)walker::train_walker(listens, silent_reporter(), never_stop());
  Stage2Options o = options("answers");
  o.from = in("listens");
  o.config.goal_width = o.config.goal_rank = 16;
  (void)train_stage2(o, silent_reporter(), never_stop());
  const walker::WalkerRun agent = open_walker_run(in("answers"));
  const graph::Store store = open(town());
  SuccessOptions success;
  success.way.run = &agent;
  success.distances = {2};
  success.episodes = 6;
  success.goals = "train";
  success.ask = 0.5;
  const std::vector<SuccessRow> rows = measure_success(store, success);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_GT(rows[0].asked, 0);
  const walker::WalkerRun deaf = open_walker_run(this->agent());
  success.way.run = &deaf;
  EXPECT_TRUE(contains(message_of<ConfigError>([&] { (void)measure_success(store, success); }), "listens"));
}

TEST_F(InTown, RoutesOfARunGoAsItWasTrained) {
  Stage2Options o = options("around");
  o.config.route = {.avoid_hubs = 2, .revisit = false, .beam = 4};
  o.config.imitation = 0.2;
  o.config.evaluate.extra = 2;
  (void)train_stage2(o, silent_reporter(), never_stop());
  const walker::WalkerRun run = open_walker_run(in("around")), first = open_walker_run(stage1());
  EXPECT_EQ(route_of(run).beam, 4);
  EXPECT_TRUE(route_of(first).free());
  const graph::Store store = open(town());
  SuccessOptions success;
  success.way.run = &run;
  success.stage1 = &first;
  success.distances = {3};
  success.episodes = 5;
  success.goals = "train";
  success.extra = 2;
  const SuccessRow row = measure_success(store, success).front();
  EXPECT_EQ(row.twice, 0);
  EXPECT_GE(row.within[3], 3) << "the tables are random, but few places lie within eight hops";
  ASSERT_EQ(row.shortest.size(), row.walked.size());

  RoutesOptions routes;  // the town's dialogues have two paths
  EXPECT_TRUE(
      contains(message_of<Error>([&] { (void)measure_routes(store, routes); }), "no dialogue has 3 paths"));
  success.way = {.search = SearchWay::kNaturalSearch};
  EXPECT_EQ(measure_success(store, success).front().twice, 0);
  success.stage1 = nullptr;
  EXPECT_TRUE(contains(message_of<ConfigError>([&] { (void)measure_success(store, success); }), "stage 1"));
}

TEST_F(InTown, AWalkerThatCannotCompareGoalsIsRefused) {
  walker::TrainOptions blind = testing::stage1_options(town(), in("recurrent"));
  blind.config.model = walker::WalkerKind::kLstm;
  blind.config.scoring.goal = blind.config.goal_visible = false;
  blind.config.metapath.distance_width = 0;
  (void)walker::train_walker(blind, silent_reporter(), never_stop());
  Stage2Options o = options("refused");
  o.from = in("recurrent");
  EXPECT_TRUE(contains(refusal(o), "{train train preset=stage2}"));
}

TEST_F(InTown, WhatIsMissingIsNamedWithItsCommand) {
  const fs::path flat = make_town("flat", [](auto& t) { t.factors = false; });
  const Stage2Options o = testing::stage2_options(flat, in("refused"), stage1());
  EXPECT_TRUE(contains(refusal(o), "{factorize " + flat.string() + " rank=16}"));
  EXPECT_TRUE(contains(message_of<StoreError>([&] {
                         (void)walker::train_walker(testing::stage1_options(flat, in("flat run")),
                                                    silent_reporter(), never_stop());
                       }),
                       "distance/16/left"));
}

// Rows that are searched for give the same distances as the index.
TEST_F(InTown, WithoutAnIndexSuccessIsTheSame) {
  const fs::path bare = make_town("bare", [](auto& t) { t.index = false; });
  SuccessOptions success;
  const walker::WalkerRun run = open_walker_run(agent());
  success.way.run = &run;
  const std::vector<SuccessRow> with = measure_success(open(town()), success),
                                without = measure_success(open(bare), success);
  ASSERT_EQ(with.size(), without.size());
  for (std::size_t i = 0; i < with.size(); ++i) {
    EXPECT_EQ(with[i].pairs, without[i].pairs);
    EXPECT_TRUE(std::equal(std::begin(with[i].within), std::end(with[i].within), without[i].within));
  }
}

TEST_F(InTown, WhatBelongsToAnotherGraphIsRefused) {
  const fs::path other = make_town("other", [](auto& t) { t.bridges = false; });
  EXPECT_TRUE(contains(refusal(testing::stage2_options(other, in("refused"), stage1())), "knowledge graph"));
  EXPECT_TRUE(contains(message_of<FormatError>([&] { (void)SimulatedUser::open(open(other), simulator()); }),
                       "knowledge graph"));
  EXPECT_TRUE(contains(
      message_of<FormatError>([&] { (void)walker::open_walker(open(other), open_walker_run(agent())); }),
      "knowledge graph"));

  const fs::path tables = make_town("tables", [](auto& t) { t.tables = 50; });
  EXPECT_TRUE(
      contains(refusal(testing::stage2_options(tables, in("refused"), stage1())), "tables of embeddings"));
  EXPECT_NO_THROW((void)SimulatedUser::open(open(tables), simulator())) << "a user reads no tables";

  const fs::path mixed = make_town("mixed", [](auto& t) { t.factors_of = "0123456789abcdef"; });
  EXPECT_TRUE(contains(refusal(testing::stage2_options(mixed, in("refused"), stage1())), "another graph"));

  {  // The index of the other graph under this one's name.
    graph::Store into = graph::Store::open(other, graph::Store::Mode::kReadWrite);
    const graph::Store from = open(town());
    const std::string name = kIndexName;
    into.put_blob(name, from.get_blob(name).value(), from.blob_meta(name).value());
  }
  EXPECT_TRUE(
      contains(message_of<StoreError>([&] { (void)graph::DistanceIndex::load(open(other)); }), "another"));
}

}  // namespace
}  // namespace kgwalk::rl
