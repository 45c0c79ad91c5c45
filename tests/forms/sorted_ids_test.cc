#include "forms/evaluation/sorted_ids.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace kgwalk::forms {
namespace {

Ids random_ids(std::mt19937_64& random, std::size_t count, std::uint64_t below) {
  Ids ids;
  for (std::size_t i = 0; i < count; ++i) ids.push_back(static_cast<graph::EntityId>(random() % below));
  sort_ids(ids);
  return ids;
}

TEST(SortedIds, IntersectAsTheStandardLibraryDoes) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 300; ++round) {
    const Ids a = random_ids(random, random() % 40, 1 + random() % 300);
    const Ids b = random_ids(random, random() % 400, 1 + random() % 3000);
    Ids expected;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
    ASSERT_EQ(intersection(a, b), expected);
    ASSERT_EQ(intersection(b, a), expected);
  }
}

TEST(SortedIds, AreInOrderWhetherDenseOrNot) {
  std::mt19937_64 random(7);
  for (const std::uint64_t below : {100ULL, 5'000ULL, 300'000ULL, 4'000'000'000ULL}) {
    Ids ids, expected;
    for (int i = 0; i < 6'000; ++i) ids.push_back(static_cast<graph::EntityId>(random() % below));
    expected = ids;
    std::sort(expected.begin(), expected.end());
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    sort_ids(ids);
    ASSERT_EQ(ids, expected);
  }
}

TEST(SortedIds, KeepTailsOfARow) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    Ids ids = random_ids(random, random() % 100, 1000);
    const Ids tails = random_ids(random, random() % 300, 1000);
    std::vector<graph::Edge> row;
    for (const graph::EntityId tail : tails) row.push_back({3, tail});
    const Ids expected = intersection(ids, tails);
    keep_tails(ids, row);
    ASSERT_EQ(ids, expected);
  }
}

}  // namespace
}  // namespace kgwalk::forms
