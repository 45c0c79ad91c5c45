// Manifests, splits, hidden frames, codes, and the pieces of heads.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "kgwalk/error.h"
#include "seq2seq/tasks/understanding/distillation.h"
#include "seq2seq/tasks/understanding/head.h"
#include "seq2seq/tasks/understanding/manifest.h"
#include "seq2seq/tasks/understanding/speech_pretraining.h"
#include "tests/seq2seq/gradient_check.h"
#include "tests/seq2seq/tasks/understanding/model_folder.h"

namespace kgwalk::seq2seq {
namespace {

using testing::Folder;
using testing::message_of;
using torch::Tensor;

class ManifestFile : public ::testing::Test {
 protected:
  ManifestFile() : folder("kgwalk_manifest") {
    for (int i = 0; i < 8; ++i) folder.write("wav/" + std::to_string(i) + ".wav", "not read here");
  }
  Manifest read(const std::string& text) {
    folder.write("manifest.tsv", text);
    return read_manifest(folder.path() / "manifest.tsv");
  }
  template <class Error>
  std::string refusal(const std::string& text) {
    return message_of<Error>([&] { (void)read(text); });
  }
  Folder folder;
};

TEST_F(ManifestFile, ColumnsMayComeInAnyOrderAndOthersArePassedOver) {
  const Manifest manifest = read(
      "seconds\tslots_json\tpath\tspeaker\n1.5\t{\"size\": \"large\", \"roast\": \"dark\"}\twav/0.wav\ta\n"
      "2\t\twav/1.wav\tb\n");
  ASSERT_EQ(manifest.items.size(), 2u);
  EXPECT_EQ(manifest.items[0].file, folder.path() / "wav/0.wav");
  EXPECT_EQ(manifest.items[0].slots[0], (std::pair<std::string, std::string>{"size", "large"}));
  EXPECT_EQ(manifest.items[0].slots.size(), 2u);
  EXPECT_TRUE(manifest.items[1].slots.empty());
  const Manifest list = read("path\tslots\nwav/0.wav\t[[\"a\",\"x\"],[\"a\",\"y\"]]\n");
  EXPECT_EQ(list.items[0].slots.size(), 2u);
}

TEST_F(ManifestFile, WhatIsWrongIsToldWithItsLine) {
  EXPECT_NE(refusal<ConfigError>("file\nx\n").find("no column 'path'"), std::string::npos);
  EXPECT_NE(refusal<ConfigError>("path\n").find("lists no utterance"), std::string::npos);
  EXPECT_NE(refusal<DataError>("path\ttext\nwav/0.wav\n").find(":2: 1 fields instead of 2"),
            std::string::npos);
  EXPECT_NE(refusal<DataError>("path\nwav/0.wav\nwav/none.wav\n").find(":3: there is no file"),
            std::string::npos);
  EXPECT_NE(refusal<DataError>("path\tslots\nwav/0.wav\t[\"a\"]\n").find(":2: a slot must be [type, value]"),
            std::string::npos);
  EXPECT_NE(refusal<DataError>("path\tslots\nwav/0.wav\tsize=large\n").find(":2: slots must be json"),
            std::string::npos);
  const Manifest manifest = read("path\tsplit\nwav/0.wav\ttrain\n");
  EXPECT_NE(message_of<ConfigError>([&] { (void)items_of_split(manifest, "test"); }).find("there are train"),
            std::string::npos);
  EXPECT_NE(message_of<ConfigError>([&] { manifest.require("intent", "the task"); }).find("path, split"),
            std::string::npos);
}

TEST_F(ManifestFile, FoldsBySpeakerShareNobodyAndCoverEverybody) {
  std::string text = "path\tspeaker\n";
  for (int i = 0; i < 8; ++i) text += "wav/" + std::to_string(i) + ".wav\ts" + std::to_string(i % 5) + "\n";
  const Manifest manifest = read(text);
  for (const char* by : {"speaker", "random"}) {
    std::set<std::size_t> tested;
    for (int fold = 0; fold < 3; ++fold) {
      SplitOptions options;
      options.by = by;
      options.folds = 3;
      options.fold = fold;
      const Splits splits = split_manifest(manifest, options);
      EXPECT_EQ(splits.train.size() + splits.dev.size() + splits.test.size(), 8u);
      tested.insert(splits.test.begin(), splits.test.end());
      std::set<std::string> speakers[3];
      int part = 0;
      for (const auto* places : {&splits.train, &splits.dev, &splits.test}) {
        for (const std::size_t place : *places) speakers[part].insert(manifest.items[place].speaker);
        ++part;
      }
      if (std::string(by) == "speaker") {
        std::vector<std::string> both;
        std::set_intersection(speakers[0].begin(), speakers[0].end(), speakers[2].begin(), speakers[2].end(),
                              std::back_inserter(both));
        EXPECT_TRUE(both.empty());
      }
    }
    EXPECT_EQ(tested.size(), 8u);
  }
  SplitOptions many;
  many.by = "speaker";
  many.folds = 7;
  many.fold = 6;
  EXPECT_THROW((void)split_manifest(manifest, many), ConfigError);  // five speakers
}

TEST(HiddenFrames, ComeInStretchesAndAboutAsOftenAsAsked) {
  Random random(3);
  double hidden = 0;
  for (int round = 0; round < 200; ++round) {
    const std::vector<bool> hide = hidden_frames(100, 0.4, 5, random);
    hidden += static_cast<double>(std::count(hide.begin(), hide.end(), true)) / 20000;
  }
  EXPECT_NEAR(hidden, 0.4, 0.03);
  const std::vector<bool> one = hidden_frames(3, 0.01, 2, random);
  EXPECT_GT(std::count(one.begin(), one.end(), true), 0);
}

TEST(RandomCodebook, CodesTellSoundsApartAndDoNotDependOnLoudness) {
  const RandomCodebook codebook({}, 640, 5);
  std::vector<float> low(16000), high(16000);
  for (std::size_t i = 0; i < low.size(); ++i) {
    const double swell = 1 + std::sin(static_cast<double>(i) / 1500);
    low[i] = static_cast<float>(swell * std::sin(0.05 * static_cast<double>(i)));
    high[i] = static_cast<float>(swell * std::sin(0.7 * static_cast<double>(i) + 3 * swell));
  }
  const Tensor codes = codebook.codes(low, 24);
  EXPECT_EQ(codes.size(0), 24);
  EXPECT_FALSE(torch::equal(codes, codebook.codes(high, 24)));
  for (float& s : low) s *= 4;
  EXPECT_GT(codes.eq(codebook.codes(low, 24)).sum().item<std::int64_t>(), 22);
  EXPECT_THROW(RandomCodebook({}, 500, 5), ConfigError);
}

TEST(Head, PaddingBehindAnUtteranceChangesNothing) {
  HeadOptions options;
  options.task = "slots";
  options.width = 6;
  options.recurrent = 4;
  torch::manual_seed(9);
  UnderstandingHead head(options, 3, 5, 7);
  head->eval();
  const Tensor states = torch::randn({2, 8, 3, 5});
  Tensor longer = torch::randn({2, 11, 3, 5});
  longer.narrow(1, 0, 8).copy_(states);
  const Tensor lengths = torch::tensor({5, 8}, torch::kInt64);
  const Tensor alone = head->tag(states, lengths), padded = head->tag(longer, lengths);
  EXPECT_EQ(padded.size(1), 11);
  EXPECT_LT(testing::largest_difference(alone[0].narrow(0, 0, 5), padded[0].narrow(0, 0, 5)), 1e-6);
  EXPECT_LT(testing::largest_difference(alone[1], padded[1].narrow(0, 0, 8)), 1e-6);
  EXPECT_LT(
      testing::largest_difference(alone[0].narrow(0, 0, 5), head->tag(states.narrow(0, 0, 1).narrow(1, 0, 5),
                                                                      torch::tensor({5}, torch::kInt64))[0]),
      1e-6);
}

TEST(Head, BestPathJoinsRepeatsAndSlotsAreCountedAsBags) {
  const Tensor ids = torch::tensor({0, 2, 2, 0, 2, 1, 1, 3}, torch::kInt64);
  const Tensor log_probs = torch::one_hot(ids, 4).to(torch::kFloat32);
  EXPECT_EQ(best_path(log_probs, 7), (std::vector<std::int64_t>{1, 1, 0}));
  SlotScore score;
  score.add({"a", "a", "b"}, {"a", "b", "c"});
  EXPECT_NEAR(score.f1(), 200.0 * 2 / 6, 1e-9);
  EXPECT_EQ(SlotScore{}.f1(), 100);
}

TaughtText taught(std::vector<int> ids) {
  TaughtText text;
  text.ids = std::move(ids);
  const auto n = static_cast<std::int64_t>(text.ids.size());
  text.states = torch::randn({n, 4});
  text.prior = torch::softmax(torch::randn({n}), 0);
  text.cls = torch::randn({4});
  return text;
}

TEST(Objective, IsTheWeightedSumOfItsAlignments) {
  torch::manual_seed(4);
  const TaughtText first = taught({1, 2, 3}), second = taught({1, 4});
  const std::vector<const TaughtText*> texts{&first, &second};
  const std::vector<TaughtText> all{first, second};
  const std::vector<double> idf = inverse_document_frequencies(all);
  EXPECT_NEAR(idf[1], 0, 1e-12);
  EXPECT_NEAR(idf[4], std::log(2.0), 1e-12);
  Units speech{torch::randn({2, 9, 4}), {}, torch::softmax(torch::randn({2, 9}), 1)};
  AlignmentObjective objective;
  EXPECT_THROW(validate(objective), ConfigError);  // aligns nothing
  objective.global = "mean";
  objective.tokens = "idf";
  objective.local_spans = "prior";
  objective.tokens_weight = 3;
  const AlignmentLoss loss = alignment_loss(speech, texts, objective, idf);
  EXPECT_NEAR(loss.loss.item<double>(),
              objective.global_weight * loss.parts["global"].get<double>() +
                  3 * loss.parts["tokens"].get<double>() + loss.parts["spans"].get<double>(),
              1e-5);
  // A piece in every text counts nothing under idf.
  const Units units = text_units(texts, PieceWeights::kIdf, idf);
  EXPECT_EQ(units.weights[1][0].item<float>(), 0);
  EXPECT_NEAR(units.weights[1][1].item<float>(), 1, 1e-6);
  EXPECT_NEAR(units.weights[0][1].item<float>(), 0.5, 1e-6);
}

TEST(Objective, ClsMeetsTheMeanOfTheFramesOrTheFirst) {
  torch::manual_seed(4);
  const TaughtText text = taught({1, 2});
  Units speech{torch::randn({1, 5, 4}), {}, {}};
  AlignmentObjective objective;
  objective.global = "cls";
  EXPECT_FALSE(objective.needs_speech_prior());
  EXPECT_NEAR(alignment_loss(speech, {&text}, objective, {}).parts["global"].get<double>(),
              (speech.states[0].mean(0) - text.cls).abs().sum().item<double>(), 1e-5);
  objective.global = "first";
  EXPECT_FALSE(objective.needs_speech_prior());
  EXPECT_NEAR(alignment_loss(speech, {&text}, objective, {}).parts["global"].get<double>(),
              (speech.states[0][0] - text.cls).abs().sum().item<double>(), 1e-5);
}

TEST(Picture, HoldsASpanForEveryPiece) {
  SignificancePicture picture;
  picture.samples.assign(1000, 0.1F);
  picture.samples_per_frame = 100;
  picture.speech_prior.assign(10, 0.1F);
  picture.pieces = {"turn", "<on>"};
  picture.text_prior = {0.4F, 0.6F};
  picture.spans = {{2, 1, 4}, {7, 6, 9}};
  const std::string svg = significance_svg("a & b", picture);
  EXPECT_NE(svg.find("a &amp; b"), std::string::npos);
  EXPECT_NE(svg.find("turn frames 1 to 3"), std::string::npos);
  EXPECT_NE(svg.find("&lt;on&gt; frames 6 to 8"), std::string::npos);
}

}  // namespace
}  // namespace kgwalk::seq2seq
