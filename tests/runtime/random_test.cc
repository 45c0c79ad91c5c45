#include "runtime/random_normals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "kgwalk/error.h"

namespace kgwalk {
namespace {

TEST(Random, IsXoshiro256StarStar) {
  // The first outputs from the state {1, 2, 3, 4}, as published with the generator.
  Random random(0);
  random.set_state(std::array<std::uint64_t, 4>{1, 2, 3, 4});
  for (const std::uint64_t expected :
       {11520ULL, 0ULL, 1509978240ULL, 1215971899390074240ULL, 1216172134540287360ULL, 607988272756665600ULL,
        16172922978634559625ULL, 8476171486693032832ULL})
    EXPECT_EQ(random.next(), expected);
}

TEST(Random, IsSeededBySplitmix64) {
  // Published outputs of splitmix64 from 0.
  const std::vector<std::uint64_t> expected{0xE220A8397B1DCDAFULL, 0x6E789E6AA1B965F4ULL,
                                            0x06C45D188009454FULL, 0xF88BB8A8724C81ECULL};
  EXPECT_EQ(Random(0).state(), expected);
}

TEST(Random, StateRestoresTheSequence) {
  Random a(7);
  for (int i = 0; i < 10; ++i) (void)a.next();
  Random b(99);
  b.set_state(a.state());
  for (int i = 0; i < 10; ++i) EXPECT_EQ(a.next(), b.next());
  EXPECT_THROW(b.set_state(std::array<std::uint64_t, 4>{}), FormatError);
  EXPECT_THROW(b.set_state(std::array<std::uint64_t, 3>{1, 2, 3}), FormatError);
}

TEST(Random, StreamsDiffer) {
  EXPECT_NE(Random(1, 0).next(), Random(1, 1).next());
  EXPECT_NE(Random(1, 1).next(), Random(1, 2).next());
  EXPECT_EQ(Random(1, 2).next(), Random(1, 2).next());
}

TEST(Random, BelowIsUniform) {
  Random random(3);
  std::array<int, 7> counts{};
  constexpr int kDraws = 70'000;
  for (int i = 0; i < kDraws; ++i) ++counts.at(random.below(7));
  double chi = 0;
  for (const int n : counts) chi += (n - kDraws / 7.0) * (n - kDraws / 7.0) / (kDraws / 7.0);
  EXPECT_LT(chi, 22.5);  // six degrees of freedom, p = 0.001
  EXPECT_EQ(random.below(1), 0u);
  // A bound above 2^63, where a plain remainder would favor the lower half twice.
  const std::uint64_t bound = (std::uint64_t{1} << 63) + (std::uint64_t{1} << 62);
  int low = 0;
  for (int i = 0; i < 3000; ++i) low += random.below(bound) < bound / 3;
  EXPECT_NEAR(low, 1000, 130);  // five deviations
}

TEST(Random, UniformAndNormalHaveTheirMoments) {
  Random random(5);
  constexpr int kDraws = 100'000;
  double sum = 0, normal_sum = 0, squares = 0, fourth = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double u = random.uniform();
    ASSERT_TRUE(u >= 0 && u < 1);
    sum += u;
    const double x = random.normal();
    normal_sum += x;
    squares += x * x;
    fourth += x * x * x * x;
  }
  EXPECT_NEAR(sum / kDraws, 0.5, 0.005);
  EXPECT_NEAR(normal_sum / kDraws, 0, 0.016);
  EXPECT_NEAR(squares / kDraws, 1, 0.023);
  EXPECT_NEAR(fourth / kDraws, 3, 0.16);
}

TEST(Random, ManyNormalsAreThoseDrawnOneByOne) {
  for (const std::size_t count : {0U, 1U, 255U, 256U, 257U, 3000U}) {
    Random one(9), many(9);
    std::vector<double> values(count);
    fill_normal(many, values);
    for (const double value : values) ASSERT_EQ(value, one.normal());
    EXPECT_EQ(many.state(), one.state());
  }
}

TEST(Random, ShuffleIsAPermutationDrawnUniformly) {
  Random random(11);
  std::array<std::array<int, 4>, 4> at{};  // item, position
  for (int round = 0; round < 8000; ++round) {
    std::vector<int> items{0, 1, 2, 3};
    random.shuffle(std::span<int>(items));
    std::vector<int> sorted = items;
    std::sort(sorted.begin(), sorted.end());
    ASSERT_EQ(sorted, (std::vector<int>{0, 1, 2, 3}));
    for (std::size_t i = 0; i < 4; ++i) ++at.at(static_cast<std::size_t>(items[i])).at(i);
  }
  for (const auto& row : at)
    for (const int n : row) EXPECT_NEAR(n, 2000, 200);
}

}  // namespace
}  // namespace kgwalk
