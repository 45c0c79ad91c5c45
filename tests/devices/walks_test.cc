// Walkers of both stages: trained, opened and asked on both devices.
#include <gtest/gtest.h>

#include "dialogue/questions/question.h"
#include "kgwalk/planner.h"
#include "tests/devices/on_both.h"
#include "tests/rl/town.h"
#include "tests/temp_folder.h"
#include "walker/data/dataset.h"
#include "walker/search/search.h"
#include "walker/training/training.h"

namespace kgwalk::rl {
namespace {

namespace fs = std::filesystem;

using kgwalk::testing::ComputeOn;
using kgwalk::testing::expect_alike;
using kgwalk::testing::expect_same_training;
using kgwalk::testing::second_device;

class Walks : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    set_torch_threads(1);
    folder_ = new test::TempFolder;
    (void)testing::make_town(folder_->path(), "town");
    (void)testing::make_encoder(in("encoder"));
    write_questions();
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }
  static fs::path in(const std::string& name) { return *folder_ / name; }

  // What is asked, with the relation and with answers alone, and what is no question.
  static void write_questions() {
    std::vector<dialogue::QuestionTurn> questions;
    for (int i = 0; i < 40; ++i) {
      dialogue::QuestionTurn question;
      question.start = testing::place(i);
      question.turns = {"what is next to " + testing::place(i) + "?"};
      question.answers = {testing::place(i + 1)};
      if (i % 3 == 0) question.relations = {{"next"}};
      if (i % 3 == 0) question.said_as = {"beside"};
      if (i % 3 == 2) {
        question.turns = {"I like " + testing::place(i) + "."};
        question.answers.clear();
        question.asks = dialogue::Asks::kNothing;
      }
      questions.push_back(question);
    }
    dialogue::write_questions(in("questions.jsonl"), questions);
  }

  // The kernels' dropout draws from a stream of its own, so that only without it both devices learn the same.
  static walker::TrainOptions walker_options(walker::WalkerKind kind) {
    walker::TrainOptions o = testing::stage1_options(in("town"), "");
    o.config.model = kind;
    for (seq2seq::StackOptions* stack : {&o.config.encoder, &o.config.decoder})
      stack->dropout = stack->attention_dropout = 0;
    o.config.trainer.log_every = 1;
    o.config.trainer.adam.clip_norm = 1;
    return o;
  }

  static void without_goal(walker::WalkerConfig& config) {
    config.goal_visible = config.scoring.goal = false;
    config.metapath.distance_width = 0;
  }

  static walker::TrainOptions listening_options() {
    walker::TrainOptions o = walker_options(walker::WalkerKind::kScorer);
    without_goal(o.config);
    o.text = in("encoder");
    o.config.text.pooled = o.config.text.states = true;
    o.config.listen.on = o.config.listen.text = true;
    o.config.listen.width = 16;
    o.config.listen.buckets = 256;
    o.config.listen.batch = 12;
    o.questions = {{"own", in("questions.jsonl"), 1}};
    return o;
  }

  static void expect_same_walker(const std::string& name, walker::TrainOptions o) {
    expect_same_training(folder_->path(), name, [&](const fs::path& run) {
      o.run = run;
      (void)walker::train_walker(o, silent_reporter(), never_stop());
    });
    expect_same_paths(in(name + " here"), in(name + " there"));
  }

  // A run may be opened on another device than it was trained on.
  static void expect_same_paths(const fs::path& here, const fs::path& there) {
    const graph::Store store = graph::Store::open(in("town"), graph::Store::Mode::kReadOnly);
    const auto a = walker::open_walker(store, open_walker_run(here));
    const ComputeOn second(second_device());
    const std::int64_t before = kgwalk::testing::operations_on_second_device();
    for (const fs::path& run : {here, there}) {
      const auto b = walker::open_walker(store, open_walker_run(run));
      const auto examples = walker::load_examples(store, a->graph(), std::vector<std::string>{"dev"});
      const auto x = beam_paths(*a, examples, {}), y = beam_paths(*b, examples, {});
      for (std::size_t i = 0; i < x.size(); ++i)
        expect_alike(x[i].at(0).log_prob, y[i].at(0).log_prob, run.string() + ", paths", 1e-2);
    }
    EXPECT_GT(kgwalk::testing::operations_on_second_device(), before) << "walked on the processor";
  }

  static test::TempFolder* folder_;
};
test::TempFolder* Walks::folder_ = nullptr;

TEST_F(Walks, OfHiTkgAreLearnedTheSameOnBothDevices) {
  walker::TrainOptions o = walker_options(walker::WalkerKind::kHitkg);
  o.text = in("encoder");
  o.config.text.states = true;
  o.config.scoring.feature_hidden = 8;
  o.config.scoring.feature_dropout = 0.2;
  o.config.metapath.trained_width = 4;
  o.config.loss.parallel = true;
  o.config.loss.smoothing = 0.1;
  o.config.decoder.hi_memory = {1, 1, "sum"};
  expect_same_walker("hitkg", o);
}

TEST_F(Walks, OfARecurrentWalkerAndOfTrainedTextLayersAreToo) {
  walker::TrainOptions o = walker_options(walker::WalkerKind::kLstm);
  without_goal(o.config);
  o.config.text.word_width = 0;
  o.config.scoring.separate = true;
  expect_same_walker("lstm", o);
  o = walker_options(walker::WalkerKind::kHitkg);
  without_goal(o.config);
  o.text = in("encoder");
  o.config.text.states = true;
  o.config.text.trained_layers = 1;
  o.config.metapath.head = true;
  expect_same_walker("text layers", o);
}

// In training a listener's attention drops weights by the kernel's own stream; so its gradients are compared
// without.
TEST_F(Walks, ThatAnswerQuestionsAreToo) {
  const walker::TrainOptions o = listening_options();
  const graph::Store store = graph::Store::open(o.database, graph::Store::Mode::kReadOnly);
  std::vector<double> losses;
  std::vector<torch::Tensor> gradients;
  for (const torch::Device device : {torch::Device(torch::kCPU), second_device()}) {
    const ComputeOn there(device);
    const auto text = walker::open_text(true, o.text, &store, nullptr);
    seed_torch(4);
    walker::NeuralWalker model(o.config, walker::load_resources(o.config, store, [&] { return text; }));
    std::vector<walker::QuestionSource> sources;
    sources.emplace_back("own", 1, dialogue::read_questions(o.questions[0].path), model.resources(),
                         o.config);
    walker::WalkTask task(model, walker::load_examples(store, model.graph(), o.config.train_splits), {},
                          std::move(sources));
    move_to(model.net(), device);
    FlatAdam optimizer(model.net().parameters(), {});
    optimizer.zero_grad();
    Random random(1);
    (void)task.begin_epoch(0, random);
    const torch::Tensor loss = task.step(0).loss;
    loss.backward();
    losses.push_back(loss.item<double>());
    std::vector<torch::Tensor> all;
    for (const torch::Tensor& weight : model.net().parameters())
      all.push_back(on_processor(weight.grad()).flatten());
    gradients.push_back(torch::cat(all));
  }
  expect_alike(losses[0], losses[1], "loss", 1e-4);
  expect_alike(gradients[0], gradients[1], "gradients");
}

TEST_F(Walks, AreAnsweredTheSameOnBothDevices) {
  walker::TrainOptions o = listening_options();
  {
    const ComputeOn second(second_device());
    o.run = in("listening");
    (void)walker::train_walker(o, silent_reporter(), never_stop());
  }
  expect_same_paths(o.run, o.run);
  PlanRequest request;
  request.history = {{"user", "what is next to place 3?"}};
  const auto answer = [&] { return Planner::open(in("town"), o.run).explain(request); };
  const Plan here = answer();
  const ComputeOn second(second_device());
  const Plan there = answer();
  ASSERT_EQ(here.paths.size(), there.paths.size());
  ASSERT_FALSE(here.paths.empty());
  for (std::size_t i = 0; i < here.paths.size(); ++i)
    expect_alike(here.paths[i].log_prob, there.paths[i].log_prob, "path");
  EXPECT_TRUE(here.answer && there.answer);
}

TEST_F(Walks, OfStageTwoAreToo) {
  walker::TrainOptions stage1 = walker_options(walker::WalkerKind::kHitkg);
  stage1.run = in("stage 1");
  (void)walker::train_walker(stage1, silent_reporter(), never_stop());
  Stage2Options o = testing::stage2_options(in("town"), "", stage1.run);
  o.config.environment.reward.naturalness = 0.1;
  o.config.trainer.max_epochs = 1;
  const auto train = [&](const fs::path& run) {
    o.run = run;
    (void)train_stage2(o, silent_reporter(), never_stop());
  };
  o.config.imitation = 0.5;
  o.config.imitation_batch = 6;
  expect_same_training(folder_->path(), "goal", train);
  o.config.imitation = 0;
  o.config.train = "all";
  o.config.supervised = 0.5;
  o.config.route.avoid_hubs = 1;
  expect_same_training(folder_->path(), "all", train);
  expect_same_paths(in("all here"), in("all there"));
}

}  // namespace
}  // namespace kgwalk::rl
