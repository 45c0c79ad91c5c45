#include "runtime/tensor/trainer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kgwalk/error.h"
#include "runtime/tensor/checkpoint.h"
#include "tests/runtime/tensor/regression_task.h"
#include "tests/runtime/test_support.h"

namespace kgwalk {
namespace {

namespace fs = std::filesystem;
using test::contains;
using test::message_of;
using test::RegressionTask;
using test::TempFolder;

TrainerConfig small_config() {
  TrainerConfig config;
  config.max_epochs = 6;
  config.log_every = 3;
  config.adam.lr = 0.01;
  config.adam.clip_norm = 1;
  config.schedule.kind = "cosine";
  config.schedule.warmup_steps = 4;
  return config;
}

TrainReport train_in(const fs::path& path, RegressionTask& task, const TrainerConfig& config,
                     const StopFlag& stop = never_stop(), std::uint64_t seed = 5) {
  RunFolder folder = RunFolder::create(path, test::kTestRun);
  return train(task, config, RunManifest(test::kTestRun, to_json_of(config), seed), folder, silent_reporter(),
               stop);
}

TEST(Trainer, LearnsAndLeavesAWholeRun) {
  const TempFolder folder;
  RegressionTask task(0.0);
  TrainerConfig config = small_config();
  config.max_epochs = 60;
  config.eval_every = 50;
  config.adam.lr = 0.05;
  const TrainReport report = train_in(folder / "run", task, config);
  EXPECT_EQ(report.steps, 300);
  EXPECT_EQ(report.epochs, 60);
  EXPECT_GT(report.best_score, -0.1) << "the mean square error of a constant is 0.5";
  EXPECT_EQ(report.best_metrics["score"].get<double>(), report.best_score);
  const RunFolder run = RunFolder::open(folder / "run", test::kTestRun);
  for (const char* plot : {"loss", "learning_rate", "gradient_norm", "dev_score"})
    EXPECT_TRUE(contains(read_file(run.path() / "plots" / (std::string(plot) + ".svg")), "<path")) << plot;
  for (const char* name : {"best", "last"})
    EXPECT_EQ(read_file(run.checkpoint(name) / "vocabulary.txt"), "a b c\n");
  EXPECT_EQ(checksum_of(read_checkpoint_model(run.checkpoint("best"))), task.weights()) << "best is restored";
  EXPECT_EQ(run.manifest().part_json("trainer"), to_json_of(config));
}

// The same training, straight and in pieces that end after random updates.
TEST(Trainer, ResumeIsBitExact) {
  const TempFolder folder;
  for (const int accumulate : {1, 2}) {
    for (const int eval_every : {0, 4}) {
      TrainerConfig config = small_config();
      config.accumulate = accumulate;
      config.eval_every = eval_every;
      config.restore_best = false;
      config.weight_average = eval_every > 0 ? 0.8 : 0;
      config.kept_start = eval_every > 0 ? 0.3 : 0;
      const std::string name = std::to_string(accumulate) + std::to_string(eval_every);
      RegressionTask straight;
      const TrainReport expected = train_in(folder / ("straight" + name), straight, config);
      Random random(17);
      int pieces = 0;
      TrainReport report;
      std::string weights;
      for (bool done = false; !done; ++pieces) {
        RegressionTask task;
        RegressionTask::seed(random.next());  // whatever the generator was before
        StopFlag stop;
        auto left = static_cast<std::int64_t>(random.below(5));
        task.on_update = [&](std::int64_t) {
          if (left-- == 0) stop.request();
        };
        try {
          report = train_in(folder / ("pieces" + name), task, config, stop);
          done = true;
        } catch (const Interrupted& stopped) {
          EXPECT_TRUE(contains(stopped.what(), "saved in")) << stopped.what();
        }
        weights = task.weights();
      }
      EXPECT_GT(pieces, 3);
      EXPECT_EQ(weights, straight.weights());
      EXPECT_EQ(report.best_score, expected.best_score);
      EXPECT_EQ(report.best_step, expected.best_step);
      EXPECT_EQ(test::timeless(read_metrics(folder / ("pieces" + name) / "metrics.jsonl")),
                test::timeless(read_metrics(folder / ("straight" + name) / "metrics.jsonl")));
      for (const char* checkpoint : {"best", "last"})
        EXPECT_EQ(
            checksum_of(read_checkpoint_model(folder / ("pieces" + name) / "checkpoints" / checkpoint)),
            checksum_of(read_checkpoint_model(folder / ("straight" + name) / "checkpoints" / checkpoint)));
    }
  }
}

TEST(Trainer, EvaluatesAndKeepsTheAverageOfTheWeights) {
  const TempFolder folder;
  TrainerConfig config = small_config();
  config.max_epochs = 1;
  config.weight_average = 0.9;
  RegressionTask task;
  std::vector<torch::Tensor> averages;
  for (const torch::Tensor& p : task.module().parameters()) averages.push_back(p.detach().clone());
  const auto distance = [&] {
    double most = 0;
    for (std::size_t i = 0; i < averages.size(); ++i)
      most = std::max(most, (task.module().parameters()[i] - averages[i]).abs().max().item<double>());
    return most;
  };
  int updates = 0;
  task.on_update = [&](std::int64_t step) {
    const double decay =
        std::min(0.9, (1.0 + static_cast<double>(step)) / (10.0 + static_cast<double>(step)));
    EXPECT_GT(distance(), 1e-4) << "the weights themselves are trained";
    for (std::size_t i = 0; i < averages.size(); ++i)
      averages[i] = decay * averages[i] + (1 - decay) * task.module().parameters()[i].detach();
    ++updates;
  };
  double evaluated = 1;
  task.on_evaluate = [&]() -> Json {
    evaluated = distance();
    return {{"score", 0.0}};
  };
  (void)train_in(folder / "run", task, config);
  EXPECT_EQ(updates, 5);
  EXPECT_LT(evaluated, 1e-6);
  EXPECT_LT(distance(), 1e-6) << "the best checkpoint holds them too";
}

TEST(Trainer, KeepsAShareOfTheWeightsThatItBeganWith) {
  const TempFolder folder;
  TrainerConfig config = small_config();
  config.max_epochs = 1;
  config.kept_start = 0.25;
  RegressionTask task;
  const auto weights = [&] {
    std::vector<torch::Tensor> all;
    for (const torch::Tensor& p : task.module().parameters()) all.push_back(p.detach().clone());
    return all;
  };
  const std::vector<torch::Tensor> start = weights();
  std::vector<torch::Tensor> trained, evaluated;
  task.on_update = [&](std::int64_t) { trained = weights(); };
  task.on_evaluate = [&]() -> Json {
    evaluated = weights();
    return {{"score", 0.0}};
  };
  (void)train_in(folder / "run", task, config);
  for (std::size_t i = 0; i < start.size(); ++i) {
    EXPECT_LT((evaluated[i] - (0.75 * trained[i] + 0.25 * start[i])).abs().max().item<double>(), 1e-6);
    EXPECT_TRUE(torch::equal(weights()[i], evaluated[i])) << "the best checkpoint holds them too";
  }
}

TEST(Trainer, AFinishedRunIsOnlyLoaded) {
  const TempFolder folder;
  RegressionTask first;
  const TrainReport report = train_in(folder / "run", first, small_config());
  RegressionTask second;
  const TrainReport again = train_in(folder / "run", second, small_config());
  EXPECT_EQ(second.steps, 0);
  EXPECT_EQ(second.weights(), first.weights());
  EXPECT_EQ(again.best_score, report.best_score);
  EXPECT_EQ(again.steps, report.steps);
}

TEST(Trainer, ALongerTrainingGoesOnWhereTheScheduleAllows) {
  const TempFolder folder;
  TrainerConfig config = small_config();
  config.schedule.kind = "constant";
  config.restore_best = false;
  RegressionTask straight;
  config.max_epochs = 8;
  (void)train_in(folder / "straight", straight, config);
  RegressionTask first, second;
  config.max_epochs = 5;
  (void)train_in(folder / "run", first, config);
  config.max_epochs = 8;
  EXPECT_EQ(train_in(folder / "run", second, config).epochs, 8);
  EXPECT_EQ(second.weights(), straight.weights());
}

TEST(Trainer, AnotherConfigurationIsRefusedWithWhatDiffers) {
  const TempFolder folder;
  RegressionTask task;
  (void)train_in(folder / "run", task, small_config());
  TrainerConfig config = small_config();
  config.adam.lr = 0.5;
  config.max_epochs = 7;
  config.max_minutes = 3;
  const std::string text =
      message_of<ConfigError>([&] { (void)train_in(folder / "run", task, config, never_stop(), 6); });
  EXPECT_TRUE(contains(text, "adam.lr: 0.5, was 0.01")) << text;
  EXPECT_TRUE(contains(text, "max_epochs: 7, was 6")) << text;
  EXPECT_TRUE(contains(text, "seed: 6, was 5")) << text;
  EXPECT_FALSE(contains(text, "max_minutes")) << text;
}

TEST(Trainer, WhatIsNoNumberStopsWithTheLastGoodState) {
  const TempFolder folder;
  RegressionTask task;
  std::string good;
  task.on_evaluate = [&] {
    good = task.weights();
    return Json{{"score", 1.0 * task.steps}};
  };
  task.on_loss = [&](torch::Tensor loss) { return task.steps == 13 ? loss * std::nan("") : loss; };
  const std::string text =
      message_of<NumericError>([&] { (void)train_in(folder / "run", task, small_config()); });
  EXPECT_TRUE(contains(text, "update 13 (epoch 3)")) << text;
  const Checkpoint last = read_checkpoint(folder / "run" / "checkpoints" / "last");
  EXPECT_EQ(last.state["step"], 10);
  EXPECT_EQ(checksum_of(last.model), good);
}

TEST(Trainer, AGradientThatIsNoNumberChangesNothing) {
  const TempFolder folder;
  RegressionTask task;
  std::string before;
  task.on_loss = [&](torch::Tensor loss) {
    if (task.steps != 3) return loss;
    before = task.weights();
    // The value is finite, its derivative is not.
    return loss + torch::sqrt(loss * 0);
  };
  EXPECT_THROW((void)train_in(folder / "run", task, small_config()), NumericError);
  EXPECT_EQ(task.weights(), before);
}

TEST(Trainer, StopsWhenTheScoreNoLongerRisesAndRestoresTheBest) {
  const TempFolder folder;
  RegressionTask task;
  TrainerConfig config = small_config();
  config.max_epochs = 50;
  config.patience = 3;
  const double scores[] = {1, 2, 2, 1, 3, 3, 2.9, 0};
  int evaluations = 0;
  std::string best;
  task.on_evaluate = [&] {
    const double score = scores[evaluations++];
    if (score == 3 && best.empty()) best = task.weights();
    return Json{{"score", score}};
  };
  const TrainReport report = train_in(folder / "run", task, config);
  EXPECT_EQ(evaluations, 8);
  EXPECT_EQ(report.best_score, 3);
  EXPECT_EQ(report.best_step, 25);
  EXPECT_EQ(report.steps, 40);
  EXPECT_EQ(report.epochs, 8);
  EXPECT_EQ(task.weights(), best);
}

TEST(Trainer, APlateauCutsTheRate) {
  const TempFolder folder;
  RegressionTask task;
  TrainerConfig config = small_config();
  config.schedule = {};
  config.schedule.kind = "plateau";
  config.schedule.plateau_patience = 2;
  config.log_every = 1;
  task.on_evaluate = [] { return Json{{"score", 1.0}}; };
  (void)train_in(folder / "run", task, config);
  std::vector<double> rates;
  for (const Json& row : read_metrics(folder / "run" / "metrics.jsonl"))
    if (row["kind"] == "train" && (rates.empty() || rates.back() != row["lr"])) rates.push_back(row["lr"]);
  EXPECT_EQ(rates, (std::vector<double>{0.01, 0.005, 0.0025}));
}

TEST(Trainer, AccumulatedBatchesEqualOneLargeBatch) {
  // Batches of 12, 12, 12 and 4: the mean must be weighted.
  const TempFolder folder;
  TrainerConfig config = small_config();
  config.restore_best = false;
  RegressionTask large(0.0, 40), pieces(0.0, 12);
  large.shuffles = pieces.shuffles = false;
  (void)train_in(folder / "large", large, config);
  config.accumulate = 4;
  (void)train_in(folder / "pieces", pieces, config);
  const NamedTensors a = state_of(large.module()), b = state_of(pieces.module());
  for (const auto& [name, tensor] : a)
    EXPECT_TRUE(torch::allclose(tensor, b.at(name), 1e-4, 1e-6)) << name << (tensor - b.at(name)).abs().max();
  const Json last = read_metrics(folder / "pieces" / "metrics.jsonl").back();
  EXPECT_EQ(last["step"], 6);
}

TEST(Trainer, AFullDiskLeavesTheOldCheckpoint) {
  const TempFolder folder;
  RegressionTask task;
  StopFlag stop;
  task.on_update = [&](std::int64_t step) {
    if (step == 7) stop.request();
  };
  EXPECT_THROW((void)train_in(folder / "run", task, small_config(), stop), Interrupted);
  {
    const test::FileSizeLimit limit(900);
    RegressionTask again;
    StopFlag at_once;
    at_once.request();
    EXPECT_THROW((void)train_in(folder / "run", again, small_config(), at_once), IoError);
  }
  EXPECT_EQ(read_checkpoint(folder / "run" / "checkpoints" / "last").state["step"], 7);
  RegressionTask resumed, straight;
  (void)train_in(folder / "run", resumed, small_config());
  (void)train_in(folder / "straight", straight, small_config());
  EXPECT_EQ(resumed.weights(), straight.weights());
}

TEST(Trainer, ADamagedCheckpointIsRefused) {
  const TempFolder folder;
  RegressionTask task;
  (void)train_in(folder / "run", task, small_config());
  const fs::path file = folder / "run" / "checkpoints" / "last" / "model.safetensors";
  std::string bytes = read_file(file);
  bytes[bytes.size() - 3] ^= 4;
  write_file_atomically(file, bytes);
  EXPECT_TRUE(contains(message_of<FormatError>([&] { (void)train_in(folder / "run", task, small_config()); }),
                       "damaged"));
}

TEST(Trainer, AScoreIsRequired) {
  const TempFolder folder;
  RegressionTask task;
  task.on_evaluate = [] { return Json{{"accuracy", 1.0}}; };
  EXPECT_TRUE(contains(message_of<ConfigError>([&] { (void)train_in(folder / "run", task, small_config()); }),
                       "score"));
}

}  // namespace
}  // namespace kgwalk
