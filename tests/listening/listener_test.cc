#include "listening/network/listener.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "kgwalk/error.h"
#include "listening/network/listen_task.h"
#include "listening/questions/generator.h"
#include "runtime/files.h"
#include "runtime/safetensors.h"
#include "runtime/tensor/checkpoint.h"
#include "runtime/tensor/tensor_io.h"
#include "tests/dialogue/test_world.h"
#include "tests/listening/world.h"

namespace kgwalk::listening {
namespace {

using kgwalk::test::TempFolder;

// Asks to stop after so many units of a piece of work.
class StopsIn : public Reporter {
 public:
  StopsIn(std::string what, std::int64_t after) : what_(std::move(what)), left_(after) {}
  void info(std::string_view /*line*/) override {}
  void warn(std::string_view /*line*/) override {}
  std::unique_ptr<Progress> start(std::string_view what, std::int64_t /*total*/,
                                  std::string_view /*unit*/) override {
    struct Counted : Progress {
      explicit Counted(StopsIn* of) : owner(of) {}
      void add(std::int64_t done, std::string_view /*note*/) override {
        if (owner != nullptr && (owner->left_ -= done) <= 0) owner->stop.request();
      }
      StopsIn* owner;
    };
    return std::make_unique<Counted>(what.starts_with(what_) ? this : nullptr);
  }
  StopFlag stop;

 private:
  std::string what_;
  std::int64_t left_;
};

// With a text encoder, and without.
class Listening : public ::testing::TestWithParam<bool> {
 protected:
  Listening() {
    QuestionConfig config;
    config.count = 60;
    questions_ = make_form_questions(world_.lexicon, world_.engine, config, 5);
  }
  [[nodiscard]] ListenTraining training(const char* run) const {
    ListenTraining training;
    training.run = folder_ / run;
    training.config.rank = training.config.hidden = 8;
    training.config.batch = 8;
    training.config.own.width = 16;
    training.config.own.buckets = 512;
    training.config.kept_back = 0.2;
    training.config.trainer.max_epochs = 4;
    training.config.trainer.schedule.warmup_steps = 2;
    return training;
  }
  TrainReport train(const ListenTraining& training, Reporter& reporter = silent_reporter(),
                    const StopFlag& stop = never_stop()) {
    return train_listener(training, std::vector<Lesson>{{listened_, questions_}}, encoder_, reporter, stop);
  }
  [[nodiscard]] Listener open(const char* run, const ListenedGraph& graph) const {
    return Listener::open(graph, folder_ / run, encoder_);
  }

  TempFolder folder_;
  testing::World world_;
  ListenedGraph listened_{world_.graph};
  std::shared_ptr<const dialogue::TextEncoder> encoder_ =
      GetParam() ? dialogue::test::make_encoder(3) : nullptr;
  std::vector<FormQuestion> questions_;
};

TEST_P(Listening, ARunThatWasStoppedEndsWithTheWeightsOfOneThatWasNot) {
  (void)train(training("straight"));
  StopsIn stops("epoch", 5);
  EXPECT_THROW((void)train(training("pieces"), stops, stops.stop), Interrupted);
  (void)train(training("pieces"));
  const NamedTensors a = read_checkpoint_model(folder_ / "straight" / "checkpoints" / "last"),
                     b = read_checkpoint_model(folder_ / "pieces" / "checkpoints" / "last");
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [name, tensor] : a) EXPECT_TRUE(torch::equal(tensor, b.at(name))) << name;
}

TEST_P(Listening, AnOpenedRunHearsWhatItHeardWhenItWasTrained) {
  ListenTraining longer = training("run");
  longer.config.trainer.max_epochs = 20;
  longer.config.trainer.adam.lr = 1e-2;
  const TrainReport report = train(longer);
  EXPECT_GT(report.best_score, 20);
  const Json measured =
      measure_listener(listened_, folder_ / "run", encoder_, questions_, silent_reporter(), never_stop());
  EXPECT_GT(measured["score"].get<double>(), 20);
  const Listener listener = open("run", listened_);
  int right = 0;
  for (const FormQuestion& question : questions_) {
    const HeardUtterance heard = listener.hear(question.text, question.before);
    double sum = 0;
    for (std::size_t i = 0; i < heard.forms.size(); ++i) {
      sum += heard.forms[i].probability;
      EXPECT_LE(heard.forms[i].probability, heard.forms[i == 0 ? 0 : i - 1].probability);
    }
    EXPECT_LE(sum, 1 + 1e-4);
    if (heard.forms.empty()) continue;
    const HeardForm& best = heard.forms[0];
    right += question.amount  ? best.amount && std::abs(*best.amount - *question.amount) < 1e-9
             : question.truth ? best.truth == question.truth && best.about.size() >= question.named.size()
                              : !best.truth && !best.amount && best.counted == question.counted &&
                                    (question.counted ? best.answers.size() == question.answers.size()
                                                      : best.answers == question.answers);
  }
  // Of a yes that several forms say, the likeliest may be another one than what was asked.
  const double one = 100.0 / static_cast<double>(questions_.size());
  EXPECT_NEAR(one * right, measured["score"].get<double>(), 2 * one);
}

// Weights of a run, of a file and of a file whose features stand in another order are begun with alike.
TEST_P(Listening, ATrainingBeginsWithTheWeightsOfAnother) {
  (void)train(training("first"));
  write_weights(folder_ / "first", folder_ / "weights");
  const NamedTensors first = read_checkpoint_model(folder_ / "first" / "checkpoints" / "best");
  const auto begun_with = [&](const char* run, const std::filesystem::path& from) {
    ListenTraining next = training(run);
    next.from = from;
    next.config.trainer.max_epochs = 1;
    next.config.trainer.adam.lr = 1e-9;
    (void)train(next);
    double most = 0;
    for (const auto& [name, tensor] : read_checkpoint_model(folder_ / run / "checkpoints" / "best"))
      most = std::max(most, (tensor - first.at(name)).abs().max().item<double>());
    return most;
  };
  EXPECT_LT(begun_with("of run", folder_ / "first"), 1e-6);
  EXPECT_LT(begun_with("of file", folder_ / "weights"), 5e-3) << "half precision";
  // In full precision, the first feature behind the others.
  NamedTensors turned = read_tensors(folder_ / "weights");
  for (auto& [name, tensor] : turned) tensor = tensor.to(torch::kFloat32);
  auto metadata = SafetensorsFile(folder_ / "weights").metadata();
  std::string& names = metadata.at("features");
  const auto count = std::count(names.begin(), names.end(), '\n') + 1;
  names = names.substr(names.find('\n') + 1) + "\n" + names.substr(0, names.find('\n'));
  for (const char* name : {"linear.weight", "hidden.weight", "way_of_numbers.weight"}) {
    torch::Tensor& columns = turned.at(name);
    columns = torch::cat({columns.slice(1, 1, count), columns.slice(1, 0, 1), columns.slice(1, count)}, 1);
  }
  write_tensors(folder_ / "turned", turned, metadata);
  EXPECT_LT(begun_with("of turned", folder_ / "turned"), 5e-3);
}

// Weights from before ways of asking had names knew no amounts: these begin at nothing, counting stays last.
TEST_P(Listening, WaysOfAskingAreKeptByName) {
  (void)train(training("first"));
  write_weights(folder_ / "first", folder_ / "weights");
  NamedTensors old = read_tensors(folder_ / "weights");
  auto metadata = SafetensorsFile(folder_ / "weights").metadata();
  ASSERT_EQ(metadata.erase("ways"), 1U);
  const char* const rows[] = {"way_of_state.weight", "way_of_state.bias", "way_of_cues.weight",
                              "way_of_best"};
  for (auto& [name, tensor] : old) tensor = tensor.to(torch::kFloat32);
  for (const char* name : rows) {
    torch::Tensor& tensor = old.at(name);
    ASSERT_EQ(tensor.size(0), 16);
    tensor.fill_(0.5);
    tensor[15].fill_(-0.25);  // count
    tensor = torch::cat({tensor.slice(0, 0, 12), tensor.slice(0, 15)}, 0);
  }
  write_tensors(folder_ / "old", old, metadata);
  ListenTraining next = training("next");
  next.from = folder_ / "old";
  next.config.trainer.max_epochs = 1;
  next.config.trainer.adam.lr = 1e-9;
  (void)train(next);
  const NamedTensors begun = read_checkpoint_model(folder_ / "next" / "checkpoints" / "best");
  for (const char* name : rows)
    for (std::int64_t way = 0; way < 16; ++way) {
      const double wanted = way < 12 ? 0.5 : way < 15 ? 0 : -0.25;
      EXPECT_LT((begun.at(name)[way] - wanted).abs().max().item<double>(), 1e-6) << name << ' ' << way;
    }
  old.at("way_of_best") = torch::zeros({12});
  write_tensors(folder_ / "short", old, metadata);
  next.run = folder_ / "never";
  next.from = folder_ / "short";
  EXPECT_THROW((void)train(next), ConfigError);
}

TEST_P(Listening, WeightsOfAnotherWidthAreRefused) {
  (void)train(training("first"));
  ListenTraining wider = training("wider");
  wider.from = folder_ / "first";
  wider.config.hidden = 12;
  try {
    (void)train(wider);
    FAIL() << "another width was taken";
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("hidden.weight"), std::string::npos) << error.what();
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "wider")) << "nothing was begun";
  wider.from = folder_ / "nowhere";
  EXPECT_THROW((void)train(wider), ConfigError);
}

// Weights that were learned without a text encoder are begun with as if it said nothing, and so are those
// of another one.
TEST_P(Listening, WhatTheEncoderSaysBeginsAtNothing) {
  (void)train(training("first"));
  ListenTraining next = training("next");
  next.from = folder_ / "first";
  next.config.trainer.max_epochs = 1;
  next.config.trainer.adam.lr = 1e-9;
  encoder_ = dialogue::test::make_encoder(4);
  (void)train(next);
  const NamedTensors first = read_checkpoint_model(folder_ / "first" / "checkpoints" / "best");
  const NamedTensors second = read_checkpoint_model(folder_ / "next" / "checkpoints" / "best");
  EXPECT_LT(second.at("words.encoded").abs().max().item<double>(), 1e-6);
  for (const auto& [name, tensor] : first) {
    if (name != "words.encoded") {
      EXPECT_LT((tensor - second.at(name)).abs().max().item<double>(), 1e-6) << name;
    }
  }
}

TEST_P(Listening, AListenerIsOpenedOnAnotherGraph) {
  (void)train(training("run"));
  const auto other = graph::KnowledgeGraph::from_triples(std::vector<graph::NamedTriple>{
      {"Blue Lantern", "composer", "Edda Maris"}, {"Blue Lantern", "publisher", "Kestrel Press"}});
  const ListenedGraph listened(other);
  const HeardUtterance heard = open("run", listened).hear("who is the composer of Blue Lantern?");
  ASSERT_FALSE(heard.forms.empty());
  EXPECT_TRUE(open("run", listened).hear("hello").forms.empty());
}

TEST_P(Listening, AnotherEncoderAndOtherFeaturesAreRefused) {
  (void)train(training("run"));
  if (GetParam()) {
    EXPECT_THROW((void)Listener::open(listened_, folder_ / "run", nullptr), ConfigError);
    try {
      (void)Listener::open(listened_, folder_ / "run", dialogue::test::make_encoder(4));
      FAIL() << "another encoder was taken";
    } catch (const FormatError& error) {
      EXPECT_NE(std::string(error.what()).find("text encoder"), std::string::npos) << error.what();
    }
  }
  const std::filesystem::path file = folder_ / "run" / "config.json";
  Json config = read_json_file(file);
  config["checksums"]["features"] = "0123";
  write_file_atomically(file, config.dump());
  try {
    (void)open("run", listened_);
    FAIL() << "other features were taken";
  } catch (const FormatError& error) {
    EXPECT_NE(std::string(error.what()).find("features"), std::string::npos) << error.what();
  }
}

TEST_P(Listening, ThreadsHearTheSameAsOne) {
  (void)train(training("run"));
  const Listener listener = open("run", listened_);
  const auto all = [&] {
    std::vector<double> heard;
    for (const FormQuestion& question : questions_)
      for (const HeardForm& form : listener.hear(question.text).forms) heard.push_back(form.probability);
    return heard;
  };
  const std::vector<double> alone = all();
  std::vector<std::vector<double>> found(4);
  std::vector<std::thread> threads;
  for (std::vector<double>& heard : found) threads.emplace_back([&] { heard = all(); });
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<double>& heard : found) EXPECT_EQ(heard, alone);
}

INSTANTIATE_TEST_SUITE_P(Encoders, Listening, ::testing::Bool(),
                         [](const auto& of) { return of.param ? "text" : "own"; });

}  // namespace
}  // namespace kgwalk::listening
