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

}  // namespace
}  // namespace kgwalk::forms
