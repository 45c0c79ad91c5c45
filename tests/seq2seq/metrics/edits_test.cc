// Error rates: counts by hand, the least number of edits against a recursion, the alignment as text.
#include "seq2seq/metrics/edits.h"

#include <gtest/gtest.h>

#include <functional>

#include "runtime/random.h"
#include "seq2seq/metrics/words.h"

namespace kgwalk::seq2seq {
namespace {

TEST(Edits, CountedByKind) {
  EditCounts counts = count_edits(split_words("a b c"), split_words("a c"));
  EXPECT_EQ(counts.deletions, 1);
  counts += count_edits(split_words("a c"), split_words("a b c"));
  EXPECT_EQ(counts.insertions, 1);
  counts += count_edits(split_words("a b c"), split_words("a x c"));
  EXPECT_EQ(counts.substitutions, 1);
  EXPECT_EQ(counts.correct, 6);
  EXPECT_EQ(counts.reference(), 8);
  EXPECT_DOUBLE_EQ(counts.rate(), 37.5);
}

TEST(Edits, AlignmentStandsUnderOneAnother) {
  const auto alignment = align_tokens(split_words("grün one two three"), split_words("one two three five"));
  EXPECT_EQ(alignment_text(alignment),
            "REF: grün one two three ****\n"
            "HYP: **** one two three five\n"
            "     D                  I\n");
}

TEST(Edits, EmptySides) {
  EXPECT_EQ(count_edits(split_words(""), split_words("a b")).rate(), 200);
  EXPECT_EQ(count_edits(split_words(""), split_words("")).rate(), 0);
  EXPECT_EQ(count_edits(split_words("a b"), split_words("")).rate(), 100);
}

TEST(Edits, AreAsFewAsARecursionFinds) {
  Random random(5);
  for (int round = 0; round < 30; ++round) {
    std::vector<std::string> a, b;
    for (std::uint64_t i = random.below(6); i-- > 0;)
      a.push_back(std::string(1, static_cast<char>('a' + random.below(3))));
    for (std::uint64_t i = random.below(6); i-- > 0;)
      b.push_back(std::string(1, static_cast<char>('a' + random.below(3))));
    const std::function<std::int64_t(std::size_t, std::size_t)> least = [&](std::size_t i, std::size_t j) {
      if (i == a.size()) return static_cast<std::int64_t>(b.size() - j);
      if (j == b.size()) return static_cast<std::int64_t>(a.size() - i);
      return std::min(
          {least(i + 1, j + 1) + (a[i] == b[j] ? 0 : 1), least(i + 1, j) + 1, least(i, j + 1) + 1});
    };
    const EditCounts counts = count_edits(a, b);
    EXPECT_EQ(counts.errors(), least(0, 0));
    EXPECT_EQ(counts.reference(), static_cast<std::int64_t>(a.size()));
  }
}

TEST(Edits, CharactersWithAndWithoutSpaces) {
  EXPECT_EQ(error_characters("  ab  ü ", true), (std::vector<std::string>{"a", "b", " ", "ü"}));
  EXPECT_EQ(error_characters("ab ü", false), (std::vector<std::string>{"a", "b", "ü"}));
}

}  // namespace
}  // namespace kgwalk::seq2seq
