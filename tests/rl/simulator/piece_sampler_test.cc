#include "rl/simulator/piece_sampler.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kgwalk/error.h"

namespace kgwalk::rl {
namespace {

SpeechConfig speech(double temperature, int top_k, double top_p) {
  SpeechConfig config;
  config.temperature = temperature;
  config.top_k = top_k;
  config.top_p = top_p;
  return config;
}

std::vector<double> shares(const PieceSampler& sampler, const std::vector<float>& logits, int also_never,
                           int draws = 40000) {
  Random random(9);
  std::vector<double> found(logits.size());
  for (int i = 0; i < draws; ++i)
    found[static_cast<std::size_t>(sampler.draw(logits, also_never, random))] += 1.0 / draws;
  return found;
}

// Softmax at a temperature over `kept`, zero elsewhere.
std::vector<double> softmax_over(const std::vector<float>& logits, double temperature,
                                 const std::vector<std::size_t>& kept) {
  std::vector<double> p(logits.size());
  double total = 0;
  for (const std::size_t i : kept) total += p[i] = std::exp(static_cast<double>(logits[i]) / temperature);
  for (double& x : p) x /= total;
  return p;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (expected[i] == 0) {
      EXPECT_EQ(found[i], 0) << i;
    } else {
      EXPECT_NEAR(found[i], expected[i], 4 * std::sqrt(expected[i] / 40000)) << i;  // four deviations
    }
  }
}

const std::vector<float> kLogits{0.5F, 2.0F, -1.0F, 1.0F, 1.9F, 3.0F};

TEST(PieceSampler, DrawsByTheProbabilitiesOfTheTemperature) {
  const PieceSampler all(speech(1, 0, 1), std::vector<bool>(6));
  expect_near(shares(all, kLogits, -1), softmax_over(kLogits, 1, {0, 1, 2, 3, 4, 5}));
  const PieceSampler cool(speech(0.5, 0, 1), std::vector<bool>(6));
  expect_near(shares(cool, kLogits, -1), softmax_over(kLogits, 0.5, {0, 1, 2, 3, 4, 5}));
}

TEST(PieceSampler, KeepsTheLikeliestAndOfTheseTheFewestThatReachTheMass) {
  const PieceSampler top3(speech(1, 3, 1), std::vector<bool>(6));
  expect_near(shares(top3, kLogits, -1), softmax_over(kLogits, 1, {5, 1, 4}));
  // Among the three, 5 has 0.59 and 1 has 0.22: two reach 0.6, three are needed for 0.9.
  const PieceSampler two(speech(1, 3, 0.6), std::vector<bool>(6));
  expect_near(shares(two, kLogits, -1), softmax_over(kLogits, 1, {5, 1}));
  const PieceSampler three(speech(1, 3, 0.9), std::vector<bool>(6));
  expect_near(shares(three, kLogits, -1), softmax_over(kLogits, 1, {5, 1, 4}));
  const PieceSampler one(speech(1, 0, 0.01), std::vector<bool>(6));
  expect_near(shares(one, kLogits, -1), softmax_over(kLogits, 1, {5}));
}

TEST(PieceSampler, LeavesOutWhatMustNotBeSaid) {
  std::vector<bool> never(6);
  never[5] = true;
  const PieceSampler sampler(speech(1, 2, 1), never);
  expect_near(shares(sampler, kLogits, -1), softmax_over(kLogits, 1, {1, 4}));
  expect_near(shares(sampler, kLogits, 1), softmax_over(kLogits, 1, {4, 3}));
  EXPECT_THROW(PieceSampler(speech(1, 2, 1), std::vector<bool>(6, true)), ConfigError);
}

TEST(PieceSampler, EqualLogitsGoToTheLowerPiece) {
  const std::vector<float> logits{1, 4, 4, 4};
  Random random(1);
  EXPECT_EQ(PieceSampler(speech(0, 0, 1), std::vector<bool>(4)).draw(logits, -1, random), 1);
  EXPECT_EQ(PieceSampler(speech(0, 0, 1), std::vector<bool>(4)).draw(logits, 1, random), 2);
  const PieceSampler two(speech(1, 2, 1), std::vector<bool>(4));
  expect_near(shares(two, logits, -1), {0, 0.5, 0.5, 0});
}

TEST(PieceSampler, TakesOneNumberAPieceAndNoneWithoutChance) {
  Random random(5), twin(5);
  (void)PieceSampler(speech(0, 0, 1), std::vector<bool>(6)).draw(kLogits, -1, random);
  EXPECT_EQ(random.state(), twin.state());
  (void)PieceSampler(speech(1, 0, 1), std::vector<bool>(6)).draw(kLogits, -1, random);
  (void)twin.uniform();
  EXPECT_EQ(random.state(), twin.state());
}

}  // namespace
}  // namespace kgwalk::rl
