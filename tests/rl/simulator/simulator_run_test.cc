// Whole trainings of the user simulator on disk: resume to the last bit, what is refused, what an opened one
// says.
#include <gtest/gtest.h>

#include "kgwalk/error.h"
#include "rl/simulator/user_simulator.h"
#include "seq2seq/text/spm_train.h"
#include "tests/rl/in_town.h"

namespace kgwalk::rl {
namespace {

namespace fs = std::filesystem;
using test::contains;
using test::message_of;
using testing::expect_same_runs;
using testing::InTown;
using testing::train_in_pieces;

TEST_F(InTown, AResumedSimulatorEndsWithTheSameBytes) {
  const auto train = [&](const std::string& run) {
    return [&, run](Reporter& reporter, const StopFlag& stop) {
      (void)train_simulator(testing::simulator_options(town(), in(run)), reporter, stop);
    };
  };
  train("straight simulator")(silent_reporter(), never_stop());
  EXPECT_EQ(train_in_pieces(train("simulator in pieces"), {2, 3, 6}), 3);
  expect_same_runs(in("straight simulator"), in("simulator in pieces"), {"last/sentencepiece.model"});
}

TEST_F(InTown, ASimulatorWithAnotherVocabularyIsRefused) {
  const fs::path run = in("swapped");
  fs::copy(simulator(), run, fs::copy_options::recursive);
  seq2seq::VocabularyOptions vocabulary;
  vocabulary.size = 60;
  vocabulary.control = {"</s>"};
  fs::create_directories(in("scratch"));
  const std::vector<std::string> lines{"quite another text", "with other words in it", "and pieces"};
  seq2seq::train_sentencepiece(lines, vocabulary, in("scratch")).save(run / "model");
  EXPECT_TRUE(contains(message_of<FormatError>([&] { (void)SimulatedUser::open(open(town()), run); }),
                       "is not the vocabulary of this model"));
  fs::remove_all(run / "model");
  EXPECT_TRUE(contains(test::advice_of<FormatError>([&] { (void)SimulatedUser::open(open(town()), run); }),
                       "has not come to its end {train simulator train"));
}

TEST_F(InTown, ASimulatorOfTheFormBeforeIsRefusedWithHowToMakeItAnew) {
  const fs::path old = fs::path(KGWALK_SOURCE_DIR) / "tests/runtime/fixtures/runs_1/simulator";
  const std::string said =
      test::advice_of<FormatError>([&] { (void)SimulatedUser::open(open(town()), old); });
  EXPECT_TRUE(contains(said, "trained anew")) << said;
  EXPECT_TRUE(contains(said, "{train simulator train db=/data/demo/kg.db run=")) << said;
}

TEST_F(InTown, ASampleTooSmallToLearnFromSpeaksByWordingsAndSaysSo) {
  SimulatorTrainOptions few = testing::simulator_options(town(), in("few"));
  few.config.enough = 100;
  struct Hearer : Reporter {
    std::string warned;
    void info(std::string_view /*line*/) override {}
    void warn(std::string_view line) override { warned = line; }
    std::unique_ptr<Progress> start(std::string_view a, std::int64_t b, std::string_view c) override {
      return silent_reporter().start(a, b, c);
    }
  } hearer;
  (void)train_simulator(few, hearer, never_stop());
  EXPECT_TRUE(contains(hearer.warned, "speaks by wordings")) << hearer.warned;
  const auto user = SimulatedUser::open(open(town()), few.run);
  walker::Example situation;
  situation.start = *user->graph().find_entity("place 3");
  const std::vector<const walker::Example*> many(30, &situation);
  Random random(1);
  for (const Utterance& utterance : user->say(many, random)) {
    EXPECT_NE(utterance.by, Utterance::By::kModel);
    EXPECT_TRUE(contains(utterance.text, "place 3")) << utterance.text;
  }
}

TEST_F(InTown, WhatAnOpenedSimulatorSaysIsFixedBySeedAndRun) {
  const graph::Store store = open(town());
  const auto a = SimulatedUser::open(store, simulator()), b = SimulatedUser::open(store, simulator());
  EXPECT_EQ(a->checksum(), b->checksum());
  walker::Example situation;
  situation.start = *a->graph().find_entity("place 3");
  const std::vector<const walker::Example*> five(5, &situation);
  Random x(4), y(4);
  EXPECT_EQ(a->speak(five, x), b->speak(five, y));
  SpeechConfig greedy;
  greedy.temperature = 0;
  b->set_speech(greedy);
  EXPECT_NE(b->checksum(), a->checksum());
}

}  // namespace
}  // namespace kgwalk::rl
