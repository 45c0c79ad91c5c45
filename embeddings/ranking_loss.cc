#include "embeddings/ranking_loss.h"

#include <algorithm>
#include <cmath>

#include "embeddings/matrix.h"
#include "embeddings/simd.h"

namespace kgwalk::embeddings {
namespace {

using simd::F16;

struct Row {
  std::span<const float> targets, weights, negatives;
  std::span<float> target_slopes, negative_slopes;
  [[nodiscard]] F16 negative(std::size_t k) const { return simd::load(negatives.data() + k); }
  void slope(std::size_t k, F16 value) const { simd::store(negative_slopes.data() + k, value); }
};

// exp(-scale d_k + shift) into the slopes, scaled so that the largest of them and `least` is e^0. Returns the sum, and
// the subtracted maximum through `top`.
float exponentials(const Row& row, float scale, float shift, float least, float& top) {
  F16 best = simd::splat(least);
  for (std::size_t k = 0; k < row.negatives.size(); k += kLane)
    best = simd::max(best, shift - scale * row.negative(k));
  top = simd::max_lane(best);
  F16 sum{};
  for (std::size_t k = 0; k < row.negatives.size(); k += kLane) {
    const F16 e = simd::exp_nonpositive(shift - scale * row.negative(k) - top);
    row.slope(k, e);
    sum += e;
  }
  return simd::sum(sum);
}

void scale_slopes(const Row& row, float factor) {
  for (std::size_t k = 0; k < row.negatives.size(); k += kLane)
    row.slope(k, simd::load(row.negative_slopes.data() + k) * factor);
}

double softmax_loss(const RankingLoss& loss, const Row& row) {
  float nearest = kMasked;
  for (const float d : row.targets) nearest = std::min(nearest, d);
  float top = 0;
  const float z = exponentials(row, loss.scale, loss.log_correction, -loss.scale * nearest, top);
  double total = 0;
  float pull = 0;  // sum_t w_t / (e_t + Z): what every negative's exponential is weighted by
  for (std::size_t t = 0; t < row.targets.size(); ++t) {
    const float logit = -loss.scale * row.targets[t] - top;
    const float e = std::exp(logit);
    total += row.weights[t] * (std::log(e + z) - logit);
    pull += row.weights[t] / (e + z);
    row.target_slopes[t] = loss.scale * row.weights[t] * z / (e + z);
  }
  scale_slopes(row, -loss.scale * pull);
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
    const double x = row.targets[t] - loss.margin;
    total += row.weights[t] * (std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))));
    row.target_slopes[t] = row.weights[t] / (1.0F + std::exp(loss.margin - row.targets[t]));
    weight += row.weights[t];
  }
  float top = 0;
  const float z = exponentials(row, loss.temperature, 0.0F, -kMasked, top);
  if (z == 0.0F) return total;
  F16 sum{};
  for (std::size_t k = 0; k < row.negatives.size(); k += kLane) {
    const F16 x = loss.margin - row.negative(k);
    const F16 e = simd::exp_nonpositive(simd::min(x, -x));  // exp(-|x|)
    const F16 sigmoid = (x > 0.0F ? simd::splat(1.0F) : e) / (1.0F + e);
    const F16 p = simd::load(row.negative_slopes.data() + k) * (weight / z);
    // A masked entry has p = 0 but an infinite product is avoided all the same: its softplus is 0.
    sum += p * (simd::max(x, F16{}) + log1p_unit(e));
    row.slope(k, -p * sigmoid);
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
      const F16 on = gap > 0.0F ? simd::splat(share) : F16{};
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
