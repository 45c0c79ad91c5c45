#include "runtime/sharded_work.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kgwalk/error.h"
#include "runtime/files.h"
#include "tests/error_text.h"
#include "tests/runtime/test_support.h"

namespace kgwalk {
namespace {

using test::TempFolder;

// Work of `units` units whose results are numbers that text would round.
std::vector<double> results_of(ShardedWork& work, int units) {
  std::vector<double> results;
  for (int i = 0; i < units; ++i)
    if (const auto result = work.unit<double>([&] { return std::exp(0.1 * i) / 3; }))
      results.push_back(*result);
  return results;
}

std::vector<std::filesystem::path> parts_of(const TempFolder& folder, int of, int units) {
  std::vector<std::filesystem::path> parts;
  for (int shard = 1; shard <= of; ++shard) {
    parts.push_back(folder / ("part" + std::to_string(shard)));
    ShardedWork work({.shard = shard, .of = of, .part = parts.back(), .command = {"eval", "paths"}});
    work.rests_on("graph", "abc");
    (void)results_of(work, units);
    EXPECT_TRUE(work.end().has_value());
  }
  return parts;
}

TEST(ShardedWork, MergedPartsAreTheWholeBitForBit) {
  ShardedWork alone;
  const std::vector<double> whole = results_of(alone, 11);
  EXPECT_FALSE(alone.end().has_value());
  for (const int of : {1, 2, 3, 20}) {  // of 20 shards nine have nothing to do
    const TempFolder folder;
    auto parts = parts_of(folder, of, 11);
    std::reverse(parts.begin(), parts.end());
    ShardedWork merged({.parts = parts});
    merged.rests_on("graph", "abc");
    std::vector<double> results;
    for (int i = 0; i < 11; ++i)
      results.push_back(merged.unit<double>([]() -> double { throw Error("computed again"); }).value());
    EXPECT_FALSE(merged.end().has_value());
    EXPECT_EQ(results, whole) << of;
    EXPECT_EQ(command_of_part(parts.front()), (std::vector<std::string>{"eval", "paths"}));
  }
}

TEST(ShardedWork, AUnitIsDoneByOneShardOnly) {
  const TempFolder folder;
  std::vector<int> done(10, 0);
  for (int shard = 1; shard <= 3; ++shard) {
    ShardedWork work({.shard = shard, .of = 3, .part = folder / "part"});
    const std::int64_t first = work.take(10);
    for (int i = 9; i >= 0; --i)
      (void)work.unit<int>(first + i, [&] { return ++done[static_cast<std::size_t>(i)]; });
  }
  EXPECT_EQ(done, std::vector<int>(10, 1));
  EXPECT_FALSE(std::filesystem::exists(folder / "part")) << "what did not end is no part";
}

TEST(ShardedWork, RefusesPartsThatAreNoWhole) {
  const TempFolder folder;
  const auto parts = parts_of(folder, 2, 4);
  const auto refusal = [&](std::vector<std::filesystem::path> given) {
    return test::advice_of<FormatError>([&] { const ShardedWork work({.parts = std::move(given)}); });
  };
  EXPECT_NE(refusal({parts[0]}).find("2 shards, but 1 part"), std::string::npos);
  EXPECT_NE(refusal({parts[0], parts[0]}).find("same shard"), std::string::npos);
  const std::string whole = read_file(parts[1]);
  const std::string end = whole.substr(whole.find("{\"units\""));
  write_file_atomically(folder / "cut", whole.substr(0, whole.size() - end.size()));
  EXPECT_NE(refusal({parts[0], folder / "cut"}).find("lost its end"), std::string::npos);
  const std::size_t unit = whole.find("{\"unit\"");
  write_file_atomically(folder / "lacks", std::string(whole).erase(unit, whole.find('\n', unit) + 1 - unit));
  EXPECT_NE(refusal({parts[0], folder / "lacks"}).find("lack 1 of 4"), std::string::npos);
  write_file_atomically(folder / "other", "head\trelation\ttail\n");
  EXPECT_NE(refusal({folder / "other"}).find("json"), std::string::npos);
  write_file_atomically(folder / "bent", "{\"format\":\"kgwalk part\",\"version\":1,\"command\":3}\n");
  EXPECT_NE(refusal({folder / "bent"}).find("damaged"), std::string::npos);
  ShardedWork moved({.parts = parts});
  EXPECT_THROW(moved.rests_on("graph", "abd"), FormatError);
  (void)moved.take(3);
  EXPECT_THROW((void)moved.end(), FormatError) << "less work than the parts hold";
}

TEST(ShardedWork, ReadsWhichShardIsMeant) {
  Shards shards;
  read_shard("2/8", shards);
  EXPECT_EQ(shards.shard, 2);
  EXPECT_EQ(shards.of, 8);
  for (const char* text : {"", "2", "0/3", "4/3", "1/", "/2", "a/b", "1/2/3", "1 /2", "-1/2"})
    EXPECT_THROW(read_shard(text, shards), ConfigError) << text;
  EXPECT_THROW(const ShardedWork work({.shard = 1, .of = 2}), ConfigError) << "no place for the part";
}

}  // namespace
}  // namespace kgwalk
