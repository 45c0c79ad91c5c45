#include "dialogue/text/context_tokenizer.h"

#include <gtest/gtest.h>

#include "kgwalk/error.h"
#include "seq2seq/text/wordpiece.h"
#include "tests/dialogue/test_world.h"

namespace kgwalk::dialogue {
namespace {

using graph::Chat;
using graph::Speaker;

std::string pieces(const ContextTokenizer& tokens, const TokenSequence& sequence) {
  std::string text;
  for (const int id : sequence.ids) text += (text.empty() ? "" : " ") + tokens.tokenizer().piece(id);
  return text;
}

std::vector<int> ages(const TokenSequence& sequence) { return {sequence.age.begin(), sequence.age.end()}; }

TEST(ContextTokenizer, MarksSpeakersAndAges) {
  const ContextTokenizer tokens(test::make_tokenizer(), 64);
  const std::vector<Chat> context{{Speaker::kUser, "the"}, {Speaker::kAssistant, "a the"}};
  const TokenSequence sequence = tokens.context(context);
  EXPECT_EQ(pieces(tokens, sequence), "[CLS] [usr1] \u2581the [usr2] \u2581a \u2581the [SEP]");
  EXPECT_EQ(ages(sequence), (std::vector<int>{255, 1, 1, 0, 0, 0, 255}));
  EXPECT_EQ(sequence.cut, 0u);
  EXPECT_EQ(pieces(tokens, tokens.context({})), "[CLS] [SEP]");
  EXPECT_EQ(pieces(tokens, tokens.text("the")), "[CLS] \u2581the [SEP]");
}

TEST(ContextTokenizer, WithoutPiecesOfTheirOwnMarksAreText) {
  const auto vocabulary = test::make_tokenizer("unigram.model");
  const ContextTokenizer tokens(vocabulary, 64);
  const std::vector<Chat> context{{Speaker::kUser, "the"}};
  const TokenSequence sequence = tokens.context(context);
  EXPECT_EQ(sequence.ids.size(), 3 + vocabulary->encode("[usr1]").ids.size());
}

TEST(ContextTokenizer, CutsTheOldestPiecesAndCountsThem) {
  const ContextTokenizer tokens(test::make_tokenizer(), 8);
  const std::vector<Chat> context{
      {Speaker::kUser, "the the"}, {Speaker::kAssistant, "a the a"}, {Speaker::kUser, "the the"}};
  const TokenSequence sequence = tokens.context(context);  // room for 6: [usr1] the the, [usr2] the a
  EXPECT_EQ(pieces(tokens, sequence), "[CLS] [usr2] \u2581the \u2581a [usr1] \u2581the \u2581the [SEP]");
  EXPECT_EQ(sequence.cut, 3u);
  EXPECT_EQ(ages(sequence), (std::vector<int>{255, 1, 1, 1, 0, 0, 0, 255}));
  const std::vector<Chat> long_one{{Speaker::kUser, "a a a the the the the the"}};
  EXPECT_EQ(pieces(tokens, tokens.context(long_one)),
            "[CLS] [usr1] \u2581the \u2581the \u2581the \u2581the \u2581the [SEP]");
  EXPECT_EQ(tokens.context(long_one).cut, 3u);
  const std::vector<Chat> full{{Speaker::kUser, "the"}, {Speaker::kUser, "a a a a a"}};
  EXPECT_EQ(pieces(tokens, tokens.context(full)),
            "[CLS] [usr1] \u2581a \u2581a \u2581a \u2581a \u2581a [SEP]");
  EXPECT_EQ(tokens.context(full).cut, 1u);
  EXPECT_EQ(tokens.text("a a a a a a the").cut, 1u);
}

TEST(ContextTokenizer, VocabulariesWithoutTheSpecialPiecesAreRefused) {
  const auto plain =
      std::make_shared<const seq2seq::WordPiece>(std::vector<std::string>{"[PAD]", "[UNK]", "[CLS]", "a"});
  EXPECT_THROW(ContextTokenizer(plain, 64), FormatError);
  EXPECT_THROW(ContextTokenizer(test::make_tokenizer(), 7), FormatError);
}

TEST(LengthBuckets, HoldEverySequenceOnceWithinTheLimit) {
  std::vector<TokenSequence> sequences(50);
  for (std::size_t i = 0; i < sequences.size(); ++i) sequences[i].ids.resize(1 + (i * 7) % 23);
  std::vector<int> seen(sequences.size());
  for (const auto& bucket : length_buckets(sequences, 40)) {
    std::size_t longest = 0;
    for (const std::size_t i : bucket) {
      ++seen[i];
      longest = std::max(longest, sequences[i].ids.size());
    }
    EXPECT_LE(longest * bucket.size(), 40u);
  }
  EXPECT_EQ(seen, std::vector<int>(sequences.size(), 1));
  EXPECT_EQ(length_buckets(sequences, 1).size(), sequences.size());
}

// One long text among many short ones must not make all of them long.
TEST(LengthBuckets, LittleOfABatchIsPadding) {
  std::vector<TokenSequence> sequences;
  for (std::size_t i = 0; i < 200; ++i)
    sequences.push_back({std::vector<std::int32_t>(3 + (i * 37) % 60), {}});
  for (const auto& bucket : length_buckets(sequences, 8192)) {
    std::size_t longest = 0, tokens = 0;
    for (const std::size_t i : bucket) {
      longest = std::max(longest, sequences[i].ids.size());
      tokens += sequences[i].ids.size();
    }
    if (bucket.size() > 4) {
      EXPECT_LE(4 * longest * bucket.size(), 5 * tokens);
    }
  }
}

}  // namespace
}  // namespace kgwalk::dialogue
