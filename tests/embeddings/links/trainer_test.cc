#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>

#include "embeddings/links/embedding_training.h"
#include "kgwalk/error.h"
#include "kgwalk/link_prediction.h"
#include "kgwalk/threads.h"
#include "runtime/files.h"
#include "tests/embeddings/fixtures.h"
#include "tests/temp_folder.h"

namespace kgwalk::embeddings {
namespace {

EmbeddingConfig small(const char* norm, const char* loss) {
  EmbeddingConfig config;
  config.dim = 20;
  config.norm = norm;
  config.loss = loss;
  config.negatives = 33;
  config.batch = 16;
  config.margin = 2;
  config.temperature =
      0;  // the adversarial weights are constants of the gradient: only then it is that of a function
  config.initial = 0.5;
  config.optimizer = "sgd";
  config.learning_rate = 1;
  config.seed = 5;
  return config;
}

// Loss of one batch by the definition, over tables in double precision.
double batch_loss(const EmbeddingConfig& config, const EmbeddingModel& model,
                  const std::vector<Question>& questions, const std::vector<EntityId>& negatives) {
  const auto distance = [&](const Question& q, EntityId e) {
    double sum = 0;
    for (int j = 0; j < config.dim; ++j) {
      const double sign = q.side == Side::kTail ? 1 : -1;
      const double x = static_cast<double>(model.entities.row(q.given)[j]) +
                       sign * model.relations.row(q.relation)[j] - model.entities.row(e)[j];
      sum += config.norm == EmbeddingNorm::kL1 ? std::abs(x) : x * x;
    }
    return config.norm == EmbeddingNorm::kL2 ? std::sqrt(sum) : sum;
  };
  double total = 0;
  for (const Question& q : questions) {
    std::vector<double> far;
    for (const EntityId e : negatives)
      if (!std::binary_search(q.known.begin(), q.known.end(), e)) far.push_back(distance(q, e));
    double z = 0;
    for (const double d : far)
      z += std::exp(-d) * static_cast<double>(model.entities.rows()) / static_cast<double>(negatives.size());
    for (const EntityId a : q.answers) {
      const double near = distance(q, a);
      if (config.loss == EmbeddingLoss::kSoftmax) total += std::log1p(z * std::exp(near));
      if (config.loss == EmbeddingLoss::kSelfAdversarial) total += std::log1p(std::exp(near - config.margin));
      for (const double d : far) {
        if (config.loss == EmbeddingLoss::kSelfAdversarial)
          total += std::log1p(std::exp(config.margin - d)) / static_cast<double>(far.size());
        if (config.loss == EmbeddingLoss::kMargin)
          total += std::max(0.0, config.margin + near - d) / static_cast<double>(negatives.size());
      }
    }
  }
  return total;
}

struct Batch {
  AnswerIndex index;
  std::vector<float> ones = std::vector<float>(4000, 1.0F);
  std::vector<Question> questions;
  std::vector<EntityId> negatives;
};

Batch make_batch(std::uint64_t seed) {
  Random random(seed);
  Batch b;
  const std::vector<Triple> triples = random_triples(150, 60, 3, random);
  b.index = AnswerIndex({triples});
  for (std::size_t g = 0; g < 14; ++g) {
    const std::size_t number = g * 7 % b.index.num_groups();
    const auto answers = b.index.answers(number);
    const auto& group = b.index.group(number);
    b.questions.push_back({group.entity, group.relation, group.side, answers,
                           std::span(b.ones).first(answers.size()), answers});
  }
  for (EntityId e = 0; e < 33; ++e) b.negatives.push_back((e * 7) % 60);
  return b;
}

Matrix copy_of(const Matrix& m) {
  Matrix out(m.rows(), m.dim());
  std::memcpy(out.data(), m.data(), m.size() * sizeof(float));
  return out;
}

class EveryNormAndLoss : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

// One step of plain descent at rate 1 moves the tables by the mean gradient.
TEST_P(EveryNormAndLoss, StepEqualsNumericalGradient) {
  const auto [norm, loss] = GetParam();
  const EmbeddingConfig config = small(norm, loss);
  const Batch batch = make_batch(2);
  EmbeddingModel model = EmbeddingModel::random(config, 60, 3);
  EmbeddingModel moved = tables_of(model.measure, copy_of(model.entities), copy_of(model.relations));
  QuestionTrainer trainer(config, moved);
  const double value = trainer.step(batch.questions, batch.negatives, 1.0F);
  EXPECT_NEAR(value, batch_loss(config, model, batch.questions, batch.negatives), 1e-3 * std::abs(value));
  const auto check = [&](Matrix& table, const Matrix& after, std::int64_t row, int j) {
    float& x = table.row(row)[j];
    const float old = x;
    const float h = 2e-3F;
    x = old + h;
    const double up = batch_loss(config, model, batch.questions, batch.negatives);
    const float high = x;
    x = old - h;
    const double down = batch_loss(config, model, batch.questions, batch.negatives);
    const double quotient =
        (up - down) / (static_cast<double>(high) - x) / static_cast<double>(batch.questions.size());
    x = old;
    // Kinks (signs, hinges) inside the interval leave an error of the order of one term's slope.
    EXPECT_NEAR(old - after.row(row)[j], quotient,
                std::string(norm) == "l1" || std::string(loss) == "margin" ? 3e-2 : 2e-3);
  };
  for (std::int64_t row = 0; row < 60; row += 3)
    check(model.entities, moved.entities, row, static_cast<int>(row) % 20);
  for (std::int64_t row = 0; row < 3; ++row) check(model.relations, moved.relations, row, 4);
  for (std::int64_t row = 0; row < 60; ++row)
    for (int j = config.dim; j < moved.entities.stride(); ++j) ASSERT_EQ(moved.entities.row(row)[j], 0.0F);
}

// A batch leaves nothing behind in the trainer: under plain descent a used one moves like a new one.
TEST_P(EveryNormAndLoss, SecondStepEqualsThatOfANewTrainer) {
  const auto [norm, loss] = GetParam();
  const EmbeddingConfig config = small(norm, loss);
  const Batch first = make_batch(2), second = make_batch(4);
  EmbeddingModel used = EmbeddingModel::random(config, 60, 3);
  QuestionTrainer trainer(config, used);
  trainer.step(first.questions, first.negatives, 0.5F);
  EmbeddingModel fresh = tables_of(used.measure, copy_of(used.entities), copy_of(used.relations));
  QuestionTrainer other(config, fresh);
  const std::span<const EntityId> fewer(second.negatives.data(), 30);
  EXPECT_EQ(trainer.step(second.questions, fewer, 0.5F), other.step(second.questions, fewer, 0.5F));
  for (std::int64_t row = 0; row < 60; ++row)
    for (int j = 0; j < config.dim; ++j) ASSERT_EQ(used.entities.row(row)[j], fresh.entities.row(row)[j]);
}

TEST_P(EveryNormAndLoss, ThreadsChangeTheResultByRoundingOnly) {
  const auto [norm, loss] = GetParam();
  const EmbeddingConfig config = small(norm, loss);
  const Batch batch = make_batch(3);
  std::vector<EmbeddingModel> models;
  for (const int threads : {1, 2}) {
    set_num_threads(threads);
    models.push_back(EmbeddingModel::random(config, 60, 3));
    QuestionTrainer trainer(config, models.back());
    trainer.step(batch.questions, batch.negatives, 0.5F);
  }
  set_num_threads(1);
  for (std::int64_t row = 0; row < 60; ++row)
    for (int j = 0; j < config.dim; ++j)
      ASSERT_NEAR(models[0].entities.row(row)[j], models[1].entities.row(row)[j], 1e-5);
}

INSTANTIATE_TEST_SUITE_P(All, EveryNormAndLoss,
                         testing::Combine(testing::Values("l1", "l2", "l2_squared"),
                                          testing::Values("softmax", "self_adversarial", "margin")));

// One-to-one facts (i, 0, n/3 + i) and (i, 1, 2n/3 + i): TransE can hold them exactly.
std::vector<Triple> matching_facts(int n) {
  std::vector<Triple> out;
  for (int i = 0; i < n / 3; ++i)
    for (int r = 0; r < 2; ++r)
      out.push_back({static_cast<EntityId>(i), static_cast<RelationId>(r),
                     static_cast<EntityId>((r + 1) * (n / 3) + i)});
  return out;
}

bool same_bits(const Matrix& a, const Matrix& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

class EverySampling : public testing::TestWithParam<const char*> {
 protected:
  EmbeddingConfig config() const {
    EmbeddingConfig c = small("l2", "margin");
    c.sampling = GetParam();
    c.initial = 0.1;
    c.margin = 1;
    if (c.sampling == EmbeddingSampling::kShared) c.optimizer = "adagrad";
    c.learning_rate = c.sampling == EmbeddingSampling::kPerTriple ? 0.05 : 0.1;
    c.epochs = c.sampling == EmbeddingSampling::kPerTriple ? 300 : 60;
    c.negatives = 40;
    c.corruption = "bernoulli";
    return c;
  }
};

TEST_P(EverySampling, OverfitsFactsThatTransEHoldsExactly) {
  const std::vector<Triple> facts = matching_facts(60);
  EmbeddingTraining training(config(), facts, 60, 2);
  while (!training.done()) training.run_epoch();
  const RankReport report = summarize(ranks(training.model(), facts, AnswerIndex({facts})));
  EXPECT_GT(report.both.mrr, 0.9);
}

TEST_P(EverySampling, SameSeedOneThreadGivesTheSameBits) {
  set_num_threads(1);
  const std::vector<Triple> facts = matching_facts(80);
  EmbeddingConfig c = config();
  c.epochs = 3;
  EmbeddingTraining a(c, facts, 80, 2), b(c, facts, 80, 2);
  c.seed = 6;
  EmbeddingTraining other(c, facts, 80, 2);
  for (EmbeddingTraining* t : {&a, &b, &other})
    while (!t->done()) t->run_epoch();
  EXPECT_TRUE(same_bits(a.model().entities, b.model().entities));
  EXPECT_TRUE(same_bits(a.model().relations, b.model().relations));
  EXPECT_FALSE(same_bits(a.model().entities, other.model().entities));
}

INSTANTIATE_TEST_SUITE_P(All, EverySampling, testing::Values("shared", "per_triple"));

// Asks to stop after a number of batches, by counting progress reports.
// Keeps what it is told.
class LinesReporter : public Reporter {
 public:
  void info(std::string_view line) override { lines.append(line).append("\n"); }
  void warn(std::string_view line) override { info(line); }
  std::unique_ptr<Progress> start(std::string_view, std::int64_t, std::string_view) override {
    return silent_reporter().start({}, 0, {});
  }
  std::string lines;
};

class StoppingReporter : public Reporter {
 public:
  StoppingReporter(StopFlag& stop, int after) : stop_(stop), left_(after) {}
  void info(std::string_view) override {}
  void warn(std::string_view) override {}
  std::unique_ptr<Progress> start(std::string_view, std::int64_t, std::string_view) override {
    class Counter : public Progress {
     public:
      explicit Counter(StoppingReporter& owner) : owner_(owner) {}
      void add(std::int64_t, std::string_view) override {
        if (--owner_.left_ == 0) owner_.stop_.request();
      }

     private:
      StoppingReporter& owner_;
    };
    return std::make_unique<Counter>(*this);
  }

 private:
  StopFlag& stop_;
  int left_;
};

TEST(Training, StoppedSavedAndResumedEndsWithTheSameBits) {
  set_num_threads(1);
  const test::TempFolder folder;
  const std::filesystem::path file = folder / "state.safetensors";
  const std::vector<Triple> facts = matching_facts(600);
  for (const auto& [optimizer, model] :
       {std::pair("adagrad", "transe"), {"adam", "transe"}, {"adagrad", "rotate"}, {"adagrad", "complex"}}) {
    EmbeddingConfig config = small("l2", "softmax");
    config.optimizer = optimizer;
    config.model = model;
    if (config.model != EmbeddingKind::kTransE) {
      config.reciprocal = true;
      config.sampling = "all";
      config.n3_penalty = 0.01;
    }
    config.learning_rate = 0.05;
    config.dropout = 0.2;
    config.epochs = 4;
    EmbeddingTraining whole(config, facts, 600, 2);
    while (!whole.done()) whole.run_epoch();
    {
      EmbeddingTraining first(config, facts, 600, 2);
      StopFlag stop;
      StoppingReporter reporter(stop, 50);  // inside the second epoch
      while (!first.done() && first.run_epoch(reporter, stop)) {
      }
      ASSERT_EQ(first.epochs_done(), 1);
      first.save(file);
    }
    EmbeddingTraining second(config, facts, 600, 2);
    second.load(file);
    while (!second.done()) second.run_epoch();
    EXPECT_TRUE(same_bits(whole.model().entities, second.model().entities));
    EXPECT_TRUE(same_bits(whole.model().relations, second.model().relations));
    EmbeddingConfig changed = config;
    changed.learning_rate = 0.06;
    EmbeddingTraining third(changed, facts, 600, 2);
    EXPECT_THROW(third.load(file), FormatError);
    EmbeddingTraining fourth(config, matching_facts(597), 600, 2);
    EXPECT_THROW(fourth.load(file), FormatError);
  }
}

TEST(Training, UngroupedQuestionsSeeEachAnswerOnceAnEpoch) {
  EmbeddingConfig config = small("l2", "softmax");
  const std::vector<Triple> facts{{0, 0, 1}, {0, 0, 2}, {3, 0, 1}, {0, 0, 1}};
  config.group_answers = false;
  EXPECT_EQ(EmbeddingTraining(config, facts, 5, 1).epoch_size(),
            6);  // three facts, both sides; the copy counts once
  config.group_answers = true;
  EXPECT_EQ(EmbeddingTraining(config, facts, 5, 1).epoch_size(), 4);
}

TEST(Training, WeightsOfTriplesDecideBetweenThem) {
  set_num_threads(1);
  const std::vector<Triple> facts{{0, 0, 1}, {0, 0, 2}, {3, 0, 1}, {4, 0, 2}};
  EmbeddingConfig config = small("l2", "softmax");
  config.optimizer = "adagrad";
  config.learning_rate = 0.1;
  config.negatives = 4;
  config.epochs = 60;
  const auto trained = [&](std::vector<float> weights) {
    auto training = std::make_unique<EmbeddingTraining>(config, facts, 12, 1, std::move(weights));
    while (!training->done()) training->run_epoch();
    return training;
  };
  const auto distance = [](const EmbeddingModel& model, EntityId tail) {
    double sum = 0;
    for (int j = 0; j < model.entities.dim(); ++j) {
      const double x = model.entities.row(0)[j] + model.relations.row(0)[j] - model.entities.row(tail)[j];
      sum += x * x;
    }
    return sum;
  };
  const auto plain = trained({}), alike = trained({3, 3, 3, 3});
  EXPECT_TRUE(same_bits(plain->model().entities, alike->model().entities));  // they are scaled to mean 1
  const auto first = trained({9, 0.1F, 1, 1}), second = trained({0.1F, 9, 1, 1});
  EXPECT_LT(distance(first->model(), 1), distance(first->model(), 2));
  EXPECT_LT(distance(second->model(), 2), distance(second->model(), 1));
  EXPECT_THROW((void)trained({0, 0, 0, 0}), ConfigError);
  config.sampling = "per_triple";
  EXPECT_THROW((void)trained({1, 1, 1, 1}), ConfigError);
}

TEST(Training, RefusesImpossibleConfigurations) {
  EmbeddingConfig config = small("l2", "softmax");
  config.sampling = "per_triple";
  EXPECT_THROW(EmbeddingTraining(config, matching_facts(10), 10, 2), ConfigError);
  EXPECT_THROW(EmbeddingTraining(small("l2", "softmax"), {}, 10, 2), ConfigError);
}

TEST(LinkPrediction, RunFolderResumesAndReports) {
  set_num_threads(1);
  const test::TempFolder around;
  const std::filesystem::path folder = around / "run";
  Random random(9);
  LinkDataset data;
  data.entities.resize(50);
  data.relations.resize(2);
  data.train = random_triples(200, 50, 2, random);
  data.valid = random_triples(20, 50, 2, random);
  data.test = random_triples(20, 50, 2, random);
  LinkPredictionConfig config;
  config.embedding = small("l2", "softmax");
  config.embedding.epochs = 4;
  config.embedding.learning_rate = 0.1;
  config.validate_every = 1;
  const LinkPredictionReport whole = run_link_prediction(config, data);
  StopFlag stop;
  StoppingReporter reporter(stop, 25);
  try {
    (void)run_link_prediction(config, data, folder, reporter, stop);
    ADD_FAILURE() << "was not stopped";
  } catch (const Interrupted& stopped) {
    EXPECT_NE(std::string(stopped.what()).find("saved in " + (folder / "checkpoints" / "last").string()),
              std::string::npos);
  }
  try {  // nothing to resume: no Interrupted
    (void)run_link_prediction(config, data, {}, silent_reporter(), stop);
    ADD_FAILURE() << "was not stopped";
  } catch (const Interrupted& stopped) {
    ADD_FAILURE() << stopped.what();
  } catch (const Stopped& stopped) {
    EXPECT_NE(std::string(stopped.what()).find("nothing was kept"), std::string::npos);
  }
  LinesReporter told;
  const LinkPredictionReport resumed = run_link_prediction(config, data, folder, told);
  // Training anew would end with the same numbers.
  EXPECT_NE(told.lines.find("resuming after epoch"), std::string::npos) << "it began again";
  EXPECT_EQ(resumed.test.to_json(), whole.test.to_json());
  ASSERT_EQ(resumed.history.size(), whole.history.size());
  for (std::size_t i = 0; i < whole.history.size(); ++i)
    EXPECT_EQ(resumed.history[i]["valid_mrr"], whole.history[i]["valid_mrr"]);
  EXPECT_TRUE(std::filesystem::exists(folder / "results.json"));
  EXPECT_TRUE(std::filesystem::exists(folder / "plots" / "learning_curve.svg"));
  const std::string table = read_file(folder / "test_ranks.tsv");
  EXPECT_TRUE(table.starts_with("head\trelation\ttail\thead_rank\ttail_rank\n"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 21);
}

}  // namespace
}  // namespace kgwalk::embeddings
