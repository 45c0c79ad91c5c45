#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "kgwalk/error.h"
#include "runtime/files.h"
#include "seq2seq/tasks/batching.h"
#include "seq2seq/tasks/text_lines.h"
#include "seq2seq/tasks/translation/parallel_text.h"
#include "seq2seq/tasks/translation/task.h"

namespace kgwalk::seq2seq {
namespace {

class TaskFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("kgwalk_tasks_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path write(const std::string& name, const std::string& text) {
    write_file_atomically(folder_ / name, text);
    return folder_ / name;
  }
  std::filesystem::path folder_;
};

TEST_F(TaskFiles, LinesKeepEmptyOnesAndLoseTheirEnds) {
  EXPECT_EQ(read_text_lines(write("a", "one\r\n\ntwo")), (std::vector<std::string>{"one", "", "two"}));
  EXPECT_TRUE(read_text_lines(write("b", "")).empty());
}

TEST_F(TaskFiles, InvalidUtf8NamesFileAndLine) {
  try {
    (void)read_text_lines(write("bad", "fine\n\xFF\xFE\n"));
    FAIL() << "no error";
  } catch (const DataError& error) {
    EXPECT_EQ(error.line(), 2u);
    EXPECT_NE(std::string(error.what()).find("UTF-8"), std::string::npos);
  }
}

TEST_F(TaskFiles, MismatchedLineCountsAreRefused) {
  const auto source = write("s", "a\nb\n"), target = write("t", "a\n");
  EXPECT_THROW((void)read_parallel_text(source, target), DataError);
  EXPECT_EQ(read_parallel_text(source, source).target.size(), 2u);
}

TEST(RepairUtf8, ReplacesBrokenBytesOnly) {
  std::string good = "gr\xC3\xBC\xC3\x9F", bad = "a\xC3(b";
  EXPECT_FALSE(repair_utf8(good));
  EXPECT_TRUE(repair_utf8(bad));
  EXPECT_EQ(bad, "a\xEF\xBF\xBD(b");
}

TEST(TokenBatches, HoldEveryItemOnceWithinTheLimit) {
  Random random(1);
  std::vector<LengthPair> lengths;
  for (int i = 0; i < 500; ++i)
    lengths.push_back(
        {1 + static_cast<std::int64_t>(random.below(40)), 1 + static_cast<std::int64_t>(random.below(40))});
  lengths.push_back({1000, 3});  // alone in its batch
  const auto batches = token_batches(lengths, 400, random);
  std::set<std::size_t> seen;
  std::int64_t padded = 0, real = 0;
  for (const auto& batch : batches) {
    std::int64_t longest = 0, targets = 0;
    for (const std::size_t i : batch) {
      EXPECT_TRUE(seen.insert(i).second);
      longest = std::max({longest, lengths[i].source, lengths[i].target});
      targets = std::max(targets, lengths[i].target);
      real += lengths[i].target;
    }
    padded += targets * static_cast<std::int64_t>(batch.size());
    EXPECT_TRUE(batch.size() == 1 || longest * static_cast<std::int64_t>(batch.size()) <= 400);
  }
  EXPECT_EQ(seen.size(), lengths.size());
  EXPECT_LT(static_cast<double>(padded), 1.1 * static_cast<double>(real)) << "targets are not bucketed";
  Random again(7), same(7);
  EXPECT_EQ(token_batches(lengths, 400, again), token_batches(lengths, 400, same));
}

TEST(PadRows, MarksWhatIsKept) {
  const std::vector<int> a{5, 6, 7}, b{8};
  const std::vector<const std::vector<int>*> rows{&a, &b};
  const Padded padded = pad_rows(rows);
  EXPECT_TRUE(torch::equal(padded.ids, torch::tensor({{5, 6, 7}, {8, 0, 0}}, torch::kInt64)));
  EXPECT_TRUE(torch::equal(padded.keep, torch::tensor({{true, true, true}, {true, false, false}})));
  EXPECT_FALSE(pad_rows(std::vector<const std::vector<int>*>{&a, &a}).keep.defined());
}

TEST(MakeBatch, ShiftsTargetsAndCountsKeptPositions) {
  const PiecePair first{{9, 3}, {4, 5, 3}}, second{{9, 9, 3}, {6, 3}};
  const std::vector<const PiecePair*> pairs{&first, &second};
  const TranslationBatch batch = make_batch(pairs, 2);
  EXPECT_TRUE(torch::equal(batch.target.previous, torch::tensor({{2, 4, 5}, {2, 6, 3}}, torch::kInt64)));
  EXPECT_TRUE(torch::equal(batch.target.rows, torch::tensor({0, 1, 2, 3, 4}, torch::kInt64)));
  EXPECT_TRUE(torch::equal(batch.target.gold, torch::tensor({4, 5, 3, 6, 3}, torch::kInt64)));
  EXPECT_TRUE(torch::equal(batch.target.keep, torch::tensor({{true, true, true}, {true, true, false}})));
}

}  // namespace
}  // namespace kgwalk::seq2seq
