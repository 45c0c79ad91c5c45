#include "dialogue/pretraining/pretrain_text.h"

#include <gtest/gtest.h>

#include "dialogue/text/text_encoder.h"
#include "kgwalk/error.h"
#include "seq2seq/text/spm_train.h"
#include "tests/dialogue/test_world.h"

namespace kgwalk::dialogue {
namespace {

PretrainTextConfig small_config() {
  PretrainTextConfig config = pretrain_preset("tiny");
  config.vocabulary = 90;
  config.facts_per_epoch = 20;
  config.batch_tokens = 128;
  config.trainer.max_epochs = 12;
  config.trainer.schedule.warmup_steps = 5;
  return config;
}

TEST(PretrainText, WritesAFolderThatLoadsAndLearns) {
  if (!seq2seq::spm_train_available()) GTEST_SKIP() << "spm_train is not installed (package sentencepiece)";
  const test::TempFolder folder;
  const auto store = graph::Store::open(test::make_database(folder.path()), graph::Store::Mode::kReadOnly);
  const auto graph = store.load_graph();
  PretrainTextConfig config = small_config();
  const auto run = folder.path() / "run";
  const PretrainTextReport report =
      pretrain_text(store, graph, config, run, 1, silent_reporter(), never_stop());
  EXPECT_EQ(report.training.epochs, 12);
  EXPECT_EQ(report.train_sequences, 3);
  const auto encoder = TextEncoder::load(run);
  EXPECT_EQ(encoder->checksum(), report.checksum);
  EXPECT_EQ(encoder->checksum(), TextEncoder::load(encoder_folder(run))->checksum());
  EXPECT_EQ(encoder->width(), config.model.hidden_size);
  EXPECT_TRUE(encoder->tokens().tokenizer().find("[usr2]").has_value());
  // Against a run of one epoch: more training lowers the loss on what it trains on (dev is train here).
  config.trainer.max_epochs = 1;
  const PretrainTextReport shorter =
      pretrain_text(store, graph, config, folder.path() / "short", 1, silent_reporter(), never_stop());
  EXPECT_LT(report.training.best_metrics["loss"].get<double>(),
            shorter.training.best_metrics["loss"].get<double>());
  EXPECT_NE(report.checksum, shorter.checksum);
}

TEST(PretrainText, SaysWhichSplitsAndPresetsThereAre) {
  const test::TempFolder folder;
  const auto store = graph::Store::open(test::make_database(folder.path()), graph::Store::Mode::kReadOnly);
  const auto graph = store.load_graph();
  PretrainTextConfig config = small_config();
  config.train_splits = {"nothing"};
  EXPECT_THROW(
      (void)pretrain_text(store, graph, config, folder.path() / "run", 1, silent_reporter(), never_stop()),
      StoreError);
  EXPECT_THROW((void)pretrain_preset("huge"), ConfigError);
}

}  // namespace
}  // namespace kgwalk::dialogue
