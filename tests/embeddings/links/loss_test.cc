#include <gtest/gtest.h>

#include <cmath>

#include "embeddings/links/ranking_loss.h"
#include "tests/embeddings/fixtures.h"

namespace kgwalk::embeddings {
namespace {

struct Sample {
  std::vector<float> targets, weights;
  std::vector<float> negatives = std::vector<float>(32);
  std::vector<float> target_slopes;
  std::vector<float> slopes = std::vector<float>(32);

  double evaluate(const RankingLoss& loss) {
    target_slopes.resize(targets.size());
    return loss.evaluate(targets, weights, negatives, target_slopes, slopes);
  }
};

Sample sample(std::uint64_t seed) {
  Random random(seed);
  Sample s;
  for (int t = 0; t < 3; ++t) {
    s.targets.push_back(static_cast<float>(1 + 3 * random.uniform()));
    s.weights.push_back(static_cast<float>(0.5 + random.uniform()));
  }
  for (int k = 0; k < 32; ++k)
    s.negatives.data()[k] = k < 27 ? static_cast<float>(1 + 4 * random.uniform()) : kMasked;
  s.negatives.data()[5] = kMasked;
  return s;
}

// The definitions of ranking_loss.h in double precision, one term after the other. `held` fixes
// the adversarial weights.
double reference(const RankingLoss& loss, const Sample& s, const Sample& held) {
  double total = 0;
  double z = 0, adversary = 0, weight = 0;
  for (int k = 0; k < 32; ++k) {
    if (s.negatives.data()[k] >= kMasked) continue;
    z += std::exp(loss.log_correction - loss.scale * static_cast<double>(s.negatives.data()[k]));
    adversary += std::exp(-loss.temperature * static_cast<double>(held.negatives.data()[k]));
  }
  const auto softplus = [](double x) { return std::log1p(std::exp(x)); };
  for (std::size_t t = 0; t < s.targets.size(); ++t) {
    const double d = s.targets[t];
    weight += s.weights[t];
    if (loss.kind == LossKind::kSoftmax) {
      const double e = std::exp(-loss.scale * d);
      total -= s.weights[t] * std::log(e / (e + z));
    } else if (loss.kind == LossKind::kSelfAdversarial) {
      total += s.weights[t] * softplus(d - loss.margin);
    } else {
      for (int k = 0; k < 32; ++k)
        if (s.negatives.data()[k] < kMasked)
          total += s.weights[t] / loss.num_negatives * std::max(0.0, loss.margin + d - s.negatives.data()[k]);
    }
  }
  if (loss.kind == LossKind::kSelfAdversarial)
    for (int k = 0; k < 32; ++k)
      if (s.negatives.data()[k] < kMasked)
        total += weight * std::exp(-loss.temperature * static_cast<double>(held.negatives.data()[k])) /
                 adversary * softplus(loss.margin - static_cast<double>(s.negatives.data()[k]));
  return total;
}

class EveryLoss : public testing::TestWithParam<LossKind> {
 protected:
  RankingLoss loss() const {
    return {.kind = GetParam(),
            .margin = 1.7F,
            .scale = 1.3F,
            .temperature = 0.8F,
            .log_correction = 0.9F,
            .num_negatives = 27};
  }
};

TEST_P(EveryLoss, EqualsItsDefinition) {
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    Sample s = sample(seed);
    const double expected = reference(loss(), s, s);
    EXPECT_NEAR(s.evaluate(loss()) / expected, 1.0, 2e-6);
  }
}

TEST_P(EveryLoss, SlopesEqualDifferenceQuotients) {
  const Sample fixed = sample(3);
  Sample s = fixed;
  (void)s.evaluate(loss());
  const float h = 1e-3F;
  const auto quotient = [&](auto&& entry) {
    Sample up = fixed, down = fixed;
    entry(up) += h;
    entry(down) -= h;
    return (reference(loss(), up, fixed) - reference(loss(), down, fixed)) /
           (static_cast<double>(entry(up)) - entry(down));
  };
  for (std::size_t t = 0; t < 3; ++t)
    EXPECT_NEAR(s.target_slopes[t], quotient([t](Sample& x) -> float& { return x.targets[t]; }), 1e-4);
  for (int k = 0; k < 32; ++k) {
    if (fixed.negatives.data()[k] >= kMasked) {
      EXPECT_EQ(s.slopes.data()[k], 0.0F);
      continue;
    }
    EXPECT_NEAR(s.slopes.data()[k], quotient([k](Sample& x) -> float& { return x.negatives.data()[k]; }),
                1e-4);
  }
}

TEST_P(EveryLoss, StaysFiniteAtExtremeDistances) {
  Sample s = sample(4);
  s.targets = {1e4F, 0.0F, 3.0F};
  s.negatives.data()[0] = 1e4F;
  s.negatives.data()[1] = 0.0F;
  EXPECT_TRUE(std::isfinite(s.evaluate(loss())));
  for (const float x : s.target_slopes) EXPECT_TRUE(std::isfinite(x));
  for (int k = 0; k < 32; ++k) EXPECT_TRUE(std::isfinite(s.slopes.data()[k]));
  for (int k = 0; k < 32; ++k) s.negatives.data()[k] = kMasked;  // every negative is a known answer
  EXPECT_TRUE(std::isfinite(s.evaluate(loss())));
}

INSTANTIATE_TEST_SUITE_P(Losses, EveryLoss,
                         testing::Values(LossKind::kSoftmax, LossKind::kSelfAdversarial, LossKind::kMargin));

}  // namespace
}  // namespace kgwalk::embeddings
