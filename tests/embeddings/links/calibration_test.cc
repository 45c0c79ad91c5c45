// Distances as probabilities.
#include "embeddings/links/calibration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "runtime/random.h"

namespace kgwalk::embeddings {
namespace {

// Questions whose right answers are drawn with exp(-scale d): what the fit should find again.
std::vector<HeldQuestion> drawn(double scale, int count) {
  Random random(3, 1);
  std::vector<HeldQuestion> questions;
  for (int i = 0; i < count; ++i) {
    HeldQuestion question;
    for (int j = 0; j < 30; ++j) question.distances.push_back(static_cast<float>(4 * random.uniform()));
    const std::vector<double> p = probabilities(question.distances, scale);
    double left = random.uniform();
    while (question.right + 1 < p.size() && (left -= p[question.right]) > 0) ++question.right;
    questions.push_back(std::move(question));
  }
  return questions;
}

TEST(Calibration, FindsTheScaleThatAnswersWereDrawnWith) {
  for (const double scale : {0.5, 2.0, 6.0})
    EXPECT_NEAR(fit_scale(drawn(scale, 2000)) / scale, 1, 0.1) << scale;
  EXPECT_EQ(fit_scale({}), 0);
}

TEST(Calibration, ProbabilitiesAreSharesOfOneAndFallWithDistance) {
  const std::vector<float> distances = {1, 2, 300};
  const std::vector<double> p = probabilities(distances, 1.5);
  EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12);
  EXPECT_NEAR(p[0] / p[1], std::exp(1.5), 1e-9);
  EXPECT_LT(p[2], 1e-100);
  EXPECT_TRUE(probabilities({}, 1).empty());
}

}  // namespace
}  // namespace kgwalk::embeddings
