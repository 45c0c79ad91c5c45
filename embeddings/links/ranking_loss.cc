#include "embeddings/links/ranking_loss.h"

#include <algorithm>
#include <cmath>

#include "embeddings/vectors/matrix.h"
#include "embeddings/vectors/simd.h"

namespace kgwalk::embeddings {
namespace {

using simd::F16;

struct Row {
  std::span<const float> targets, weights, negatives;
  std::span<float> target_slopes, negative_slopes;
  [[nodiscard]] F16 negative(std::size_t k) const { return simd::load(negatives.data() + k); }
  void slope(std::size_t k, F16 value) const { simd::store(negative_slopes.data() + k, value); }
};

// exp(-scale (d_k - nearest)) into the slopes, 0 for masked entries. Returns their sum, which is at least 1
// unless all entries are masked, when it is 0.
float exponentials(const Row& row, float scale, float& nearest) {
  F16 least = simd::splat(kMasked);
  for (std::size_t k = 0; k < row.negatives.size(); k += kLane) least = simd::min(least, row.negative(k));
  nearest = -simd::max_lane(-least);
  F16 sum{};
  for (std::size_t k = 0; k < row.negatives.size(); k += kLane) {
    const F16 d = row.negative(k);
    const F16 e = simd::exp_nonpositive(scale * (nearest - d));
    const F16 counted = simd::select(d < kMasked, e, F16{});
    row.slope(k, counted);
    sum += counted;
  }
  return simd::sum(sum);
}

void scale_slopes(const Row& row, float factor) {
  for (std::size_t k = 0; k < row.negatives.size(); k += kLane)
    row.slope(k, simd::load(row.negative_slopes.data() + k) * factor);
}

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }
float sigmoid(double x) { return static_cast<float>(1.0 / (1.0 + std::exp(-x))); }

double softmax_loss(const RankingLoss& loss, const Row& row) {
  float nearest = 0;
  const float z = exponentials(row, loss.scale, nearest);
  if (z == 0.0F) {  // nothing to tell the answers from
    std::fill(row.target_slopes.begin(), row.target_slopes.end(), 0.0F);
    return 0;
  }
  const double log_z = std::log(static_cast<double>(z)) + loss.log_correction;
  double total = 0;
  float push = 0;  // sum_t w_t (1 - P_t)
  for (std::size_t t = 0; t < row.targets.size(); ++t) {
    // P_t = sigmoid(-x): x is the log odds of all negatives together against the answer.
    const double x = log_z + loss.scale * (static_cast<double>(row.targets[t]) - nearest);
    const float wrong = row.weights[t] * sigmoid(x);
    total += row.weights[t] * softplus(x);
    push += wrong;
    row.target_slopes[t] = loss.scale * wrong;
  }
  scale_slopes(row, -loss.scale * push / z);
  return total;
}

// log(1 + y) for y in [0, 1] by its area-tangent series; error below 2e-7.
F16 log1p_unit(F16 y) {
  const F16 z = y / (2.0F + y);
  const F16 z2 = z * z;
  F16 p = simd::splat(1.0F / 11.0F);
  p = p * z2 + 1.0F / 9.0F;
  p = p * z2 + 1.0F / 7.0F;
  p = p * z2 + 1.0F / 5.0F;
  p = p * z2 + 1.0F / 3.0F;
  p = p * z2 + 1.0F;
  return 2.0F * z * p;
}

double self_adversarial_loss(const RankingLoss& loss, const Row& row) {
  double total = 0;
  float weight = 0;
  for (std::size_t t = 0; t < row.targets.size(); ++t) {
    const double x = static_cast<double>(row.targets[t]) - loss.margin;
    total += row.weights[t] * softplus(x);
    row.target_slopes[t] = row.weights[t] * sigmoid(x);
    weight += row.weights[t];
  }
  float nearest = 0;
  const float z = exponentials(row, loss.temperature, nearest);
  if (z == 0.0F) return total;
  F16 sum{};
  for (std::size_t k = 0; k < row.negatives.size(); k += kLane) {
    const F16 x = loss.margin - row.negative(k);
    const F16 e = simd::exp_nonpositive(simd::min(x, -x));  // exp(-|x|)
    const F16 share = simd::select(x > 0.0F, simd::splat(1.0F), e) / (1.0F + e);
    const F16 p = simd::load(row.negative_slopes.data() + k) * (weight / z);
    sum += p * (simd::max(x, F16{}) + log1p_unit(e));
    row.slope(k, -p * share);
  }
  return total + simd::sum(sum);
}

double margin_loss(const RankingLoss& loss, const Row& row) {
  std::fill(row.negative_slopes.begin(), row.negative_slopes.end(), 0.0F);
  double total = 0;
  for (std::size_t t = 0; t < row.targets.size(); ++t) {
    const float share = row.weights[t] / static_cast<float>(loss.num_negatives);
    F16 sum{};
    F16 active{};
    for (std::size_t k = 0; k < row.negatives.size(); k += kLane) {
      const F16 gap = loss.margin + row.targets[t] - row.negative(k);
      const F16 on = simd::select(gap > 0.0F, simd::splat(share), F16{});
      sum += on * gap;
      active += on;
      row.slope(k, simd::load(row.negative_slopes.data() + k) - on);
    }
    total += simd::sum(sum);
    row.target_slopes[t] = simd::sum(active);
  }
  return total;
}

}  // namespace

double RankingLoss::evaluate(std::span<const float> targets, std::span<const float> weights,
                             std::span<const float> negatives, std::span<float> target_slopes,
                             std::span<float> negative_slopes) const {
  const Row row{targets, weights, negatives, target_slopes, negative_slopes};
  switch (kind) {
    case LossKind::kSoftmax:
      return softmax_loss(*this, row);
    case LossKind::kSelfAdversarial:
      return self_adversarial_loss(*this, row);
    case LossKind::kMargin:
      return margin_loss(*this, row);
  }
  return 0;
}

}  // namespace kgwalk::embeddings
