#include "seq2seq/audio/pitch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace kgwalk::seq2seq {
namespace {

constexpr int kRate = 4000;
constexpr int kWindow = 100, kShift = 40;  // 25 ms, 10 ms
constexpr double kLeastHz = 50, kMostHz = 400, kSoftLeastHz = 10;
constexpr double kGrowth = 1.005;  // of neighboring lags
constexpr double kPenalty = 0.1;   // of a squared change of the logarithm
constexpr double kBallast = 7000;  // lowers correlations of quiet frames
constexpr int kZeros = 5;          // of the interpolating sinc, on either side
constexpr int kFirstLag = kRate / static_cast<int>(kMostHz) - kZeros;  // whole lags that are measured
constexpr int kLastLag = kRate / static_cast<int>(kLeastHz) + kZeros;

std::vector<double> searched_lags() {  // in samples
  std::vector<double> lags;
  for (double lag = kRate / kMostHz; lag <= kRate / kLeastHz; lag *= kGrowth) lags.push_back(lag);
  return lags;
}

// Correlations at whole lags, with and without the ballast.
struct Correlations {
  std::vector<double> steadied, plain;
};

Correlations correlations_at(std::span<const float> samples, int begin, double ballast) {
  const auto sample = [&](int i) {
    return i < static_cast<int>(samples.size()) ? static_cast<double>(samples[static_cast<std::size_t>(i)])
                                                : 0.0;
  };
  double mean = 0;
  for (int i = 0; i < kWindow; ++i) mean += sample(begin + i) / kWindow;
  std::vector<double> x;
  for (int i = 0; i < kWindow + kLastLag; ++i) x.push_back(sample(begin + i) - mean);
  const auto product = [&](int a, int b) {
    double sum = 0;
    for (int i = 0; i < kWindow; ++i)
      sum += x[static_cast<std::size_t>(a + i)] * x[static_cast<std::size_t>(b + i)];
    return sum;
  };
  const double power = product(0, 0);
  Correlations found;
  for (int lag = kFirstLag; lag <= kLastLag; ++lag) {
    const double both = product(0, lag), norm = power * product(lag, lag);
    found.steadied.push_back(norm + ballast > 0 ? both / std::sqrt(norm + ballast) : 0);
    found.plain.push_back(norm > 0 ? both / std::sqrt(norm) : 0);
  }
  return found;
}

// Values at whole lags, read at `lag` by a sinc under Hann's window.
double interpolated(const std::vector<double>& values, double lag) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double t = lag - (kFirstLag + static_cast<double>(i));
    if (std::fabs(t) >= kZeros) continue;
    const double sinc = t == 0 ? 1 : std::sin(std::numbers::pi * t) / (std::numbers::pi * t);
    sum += values[i] * sinc * 0.5 * (1 + std::cos(std::numbers::pi * t / kZeros));
  }
  return sum;
}

double mean_square(std::span<const float> samples) {
  double sum = 0, squares = 0;
  for (const float x : samples) sum += x, squares += static_cast<double>(x) * x;
  const auto n = static_cast<double>(std::max<std::size_t>(1, samples.size()));
  return squares / n - sum / n * sum / n;
}

// Cheapest predecessor of every lag: cost + penalty (log change)^2.
void advance(const std::vector<double>& cost, std::vector<double>& next, std::vector<int>& came) {
  const double unit = kPenalty * std::log(kGrowth) * std::log(kGrowth);
  for (std::size_t k = 0; k < cost.size(); ++k) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < cost.size(); ++j) {
      const double change = static_cast<double>(k) - static_cast<double>(j);
      const double total = cost[j] + unit * change * change;
      if (total < least) least = total, came[k] = static_cast<int>(j);
    }
    next[k] = least;
  }
}

double voicing_probability(double correlation) {
  const double n = std::min(1.0, std::fabs(correlation));
  const double r =
      -5.2 + 5.4 * std::exp(7.5 * (n - 1)) + 4.8 * n - 2 * std::exp(-10 * n) + 4.2 * std::exp(20 * (n - 1));
  return 1 / (1 + std::exp(-r));
}

}  // namespace

std::vector<PitchFrame> track_pitch(std::span<const float> samples, int frames) {
  const std::vector<double> lags = searched_lags();
  const double ballast = std::pow(mean_square(samples) * kWindow, 2) * kBallast;
  std::vector<double> cost(lags.size(), 0.0), next(lags.size());
  std::vector<std::vector<int>> came;
  std::vector<std::vector<double>> plain;
  for (int t = 0; t < frames; ++t) {
    const Correlations at = correlations_at(samples, t * kShift, ballast);
    came.emplace_back(lags.size(), 0);
    if (t > 0) {
      advance(cost, next, came.back());
      cost.swap(next);
    }
    plain.emplace_back();
    for (std::size_t k = 0; k < lags.size(); ++k) {
      cost[k] += 1 - interpolated(at.steadied, lags[k]) * (1 - kSoftLeastHz * lags[k] / kRate);
      plain.back().push_back(interpolated(at.plain, lags[k]));
    }
  }
  std::vector<PitchFrame> track(static_cast<std::size_t>(frames));
  auto k = static_cast<std::size_t>(std::min_element(cost.begin(), cost.end()) - cost.begin());
  for (std::size_t t = track.size(); t-- > 0;) {
    track[t] = {kRate / lags[k], std::clamp(plain[t][k], -1.0, 1.0)};
    k = static_cast<std::size_t>(came[t][k]);
  }
  return track;
}

std::vector<float> pitch_features(std::span<const PitchFrame> track) {
  constexpr int kAround = 75;
  const int frames = static_cast<int>(track.size());
  const auto at = [&](int t) { return track[static_cast<std::size_t>(std::clamp(t, 0, frames - 1))]; };
  std::vector<float> values;
  for (int t = 0; t < frames; ++t) {
    double sum = 0, weights = 0, slope = 0;
    for (int s = std::max(0, t - kAround); s <= std::min(frames - 1, t + kAround); ++s) {
      const double p = voicing_probability(at(s).correlation);
      sum += p * std::log(at(s).hz);
      weights += p;
    }
    for (int k = 1; k <= 2; ++k) slope += k * (std::log(at(t + k).hz) - std::log(at(t - k).hz)) / 10;
    values.push_back(static_cast<float>(2 * (std::pow(1.0001 - at(t).correlation, 0.15) - 1)));
    values.push_back(static_cast<float>(2 * (std::log(at(t).hz) - sum / weights)));
    values.push_back(static_cast<float>(10 * slope));
  }
  return values;
}

std::vector<float> pitch_features_of(const Sound& sound, int frames) {
  Sound low = resampled(sound, kRate);
  for (float& sample : low.samples) sample *= 32768.0F;
  return pitch_features(track_pitch(low.samples, frames));
}

}  // namespace kgwalk::seq2seq
