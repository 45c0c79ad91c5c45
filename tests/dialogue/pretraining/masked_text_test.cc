#include <torch/optim.h>

#include "dialogue/pretraining/masked_text.h"

#include <gtest/gtest.h>

#include "runtime/tensor/torch.h"
#include "tests/dialogue/test_world.h"

namespace kgwalk::dialogue {
namespace {

using graph::Chat;
using graph::Dialogue;
using graph::Speaker;

std::vector<std::size_t> all_places(std::size_t count) {
  std::vector<std::size_t> places(count);
  for (std::size_t i = 0; i < count; ++i) places[i] = i;
  return places;
}

TEST(MaskBatch, HidesTheShareAskedForAndNeverControlPieces) {
  const ContextTokenizer tokens(test::make_tokenizer(), 64);
  std::vector<TokenSequence> sequences;
  const std::vector<Chat> talk{{Speaker::kUser, "the orchestra played for two hours in the old town hall"},
                               {Speaker::kAssistant, "she reads a novel about a sailor"}};
  for (int i = 0; i < 400; ++i) sequences.push_back(tokens.context(talk));
  const auto places = all_places(sequences.size());
  Random random(2);
  const MaskedBatch batch = mask_batch(sequences, places, tokens, 0.15, random);
  const PaddedTokens plain = pad_tokens(sequences, places, tokens.special().pad);
  const torch::Tensor chosen = batch.labels.ne(-100);
  const double hidden = chosen.sum().item<double>();
  EXPECT_EQ(static_cast<double>(batch.masked), hidden);
  double free = 0;
  for (const int id : sequences[0].ids) free += !tokens.tokenizer().is_control(id);
  EXPECT_NEAR(hidden / (free * 400), 0.15, 0.01);
  // Labels are the true pieces; what is not chosen is unchanged.
  EXPECT_TRUE(torch::equal(batch.labels.masked_select(chosen), plain.ids.masked_select(chosen)));
  EXPECT_TRUE(torch::equal(batch.input.ids.masked_select(~chosen), plain.ids.masked_select(~chosen)));
  const torch::Tensor shown = batch.input.ids.masked_select(chosen), truth = plain.ids.masked_select(chosen);
  EXPECT_NEAR(shown.eq(tokens.special().mask).sum().item<double>() / hidden, 0.8, 0.03);
  EXPECT_NEAR(shown.eq(truth).sum().item<double>() / hidden, 0.1, 0.03);
  const auto* labels = batch.labels.data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < batch.labels.numel(); ++i) {
    if (labels[i] == -100) continue;
    ASSERT_FALSE(tokens.tokenizer().is_control(static_cast<int>(labels[i])));
  }
}

TEST(MaskBatch, AlwaysHidesSomethingWhereThereIsSomething) {
  const ContextTokenizer tokens(test::make_tokenizer(), 64);
  const std::vector<TokenSequence> sequences{tokens.text("the"), tokens.context({})};
  Random random(2);
  const std::vector<std::size_t> first{0}, second{1};
  EXPECT_EQ(mask_batch(sequences, first, tokens, 0.001, random).masked, 1);
  EXPECT_EQ(mask_batch(sequences, second, tokens, 0.001, random).masked, 0);
}

Dialogue dialogue_of(int utterances) {
  Dialogue dialogue;
  for (int i = 0; i < utterances; ++i) {
    dialogue.events.push_back(Chat{i % 2 ? Speaker::kAssistant : Speaker::kUser, std::to_string(i)});
    dialogue.events.push_back(graph::WalkedPath{});
  }
  return dialogue;
}

TEST(DialogueWindows, HoldEachUtteranceOnceInOrder) {
  for (std::size_t offset = 0; offset < 3; ++offset) {
    std::vector<std::size_t> sizes;
    int next = 0;
    for (const auto& window : dialogue_windows(dialogue_of(8), 3, offset)) {
      sizes.push_back(window.size());
      for (const Chat& chat : window) EXPECT_EQ(chat.text, std::to_string(next++));
    }
    EXPECT_EQ(next, 8);
    const std::vector<std::vector<std::size_t>> want{{3, 3, 2}, {1, 3, 3, 1}, {2, 3, 3}};
    EXPECT_EQ(sizes, want[offset]);
  }
  EXPECT_TRUE(dialogue_windows(dialogue_of(0), 3, 0).empty());
}

class MaskedTextTaskTest : public ::testing::Test {
 protected:
  MaskedTextTaskTest() : tokens_(test::make_tokenizer(), 64) {
    Dialogue dialogue;
    dialogue.events = {Chat{Speaker::kUser, "the orchestra played for two hours in the old town hall"},
                       Chat{Speaker::kAssistant, "she reads a novel about a sailor and his long voyage home"},
                       Chat{Speaker::kUser, "a river runs past the mill"}};
    data_.train = {dialogue};
    data_.dev = {dialogue};
  }
  MaskedTextTask make_task() {
    torch::manual_seed(4);
    seq2seq::AlbertOptions options = test::small_albert(tokens_.tokenizer().size());
    options.initializer_range = 0.05;
    return MaskedTextTask(seq2seq::AlbertForMaskedLm(options), tokens_, data_, {1, 0.15, 0, 512});
  }
  ContextTokenizer tokens_;
  MaskedTextData data_;
};

TEST_F(MaskedTextTaskTest, OverfitsOneDialogue) {
  MaskedTextTask task = make_task();
  const double before = task.evaluate()["loss"].get<double>();
  task.module().train();
  torch::optim::Adam adam(task.module().parameters(), torch::optim::AdamOptions(2e-3));
  Random random(8);
  for (int epoch = 0; epoch < 700; ++epoch) {
    const std::int64_t batches = task.begin_epoch(epoch, random);
    for (std::int64_t batch = 0; batch < batches; ++batch) {
      adam.zero_grad();
      task.step(batch).loss.backward();
      adam.step();
    }
  }
  task.module().eval();
  const torch::NoGradGuard no_grad;
  const Json after = task.evaluate();
  EXPECT_GT(before, 4.0);
  EXPECT_LT(after["loss"].get<double>(), 0.5) << after.dump();
  EXPECT_GT(after["accuracy"].get<double>(), 0.85);
  EXPECT_DOUBLE_EQ(after["score"].get<double>(), -after["loss"].get<double>());
}

TEST_F(MaskedTextTaskTest, AStepHidesTheSameAgainWhateverCameBetween) {
  MaskedTextTask task = make_task();
  task.module().eval();
  Random random(8);
  ASSERT_GE(task.begin_epoch(0, random), 1);
  const double first = task.step(0).loss.item<double>();
  (void)task.step(0);
  EXPECT_EQ(task.step(0).loss.item<double>(), first);
  EXPECT_EQ(task.evaluate(), task.evaluate());
}

}  // namespace
}  // namespace kgwalk::dialogue
