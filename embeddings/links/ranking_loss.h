// Losses over one question's distances: to its answers (small is good) and to sampled other entities
// (large is good).
#pragma once

#include <cstdint>
#include <span>

namespace kgwalk::embeddings {

/// A distance no loss sees: padding and entities that are known answers.
inline constexpr float kMasked = 1e30F;

/// d_t: distance to answer t with weight w_t; d_k: distances to the K negatives; W: sum of the weights.
/// - kSoftmax: sum_t w_t (-log P_t), P_t = e^(-b d_t) / (e^(-b d_t) + c sum_k e^(-b d_k));
///   c = e^log_correction makes the sample stand for all entities (sampled softmax; known answers are left
///   out as in filtered ranking).
/// - kSelfAdversarial: sum_t w_t softplus(d_t - m) + W sum_k p_k softplus(m - d_k),
///   p = softmax(-a d) held constant (Sun et al., RotatE, ICLR 2019, Eq. 5).
/// - kMargin: sum_t w_t mean_k max(0, m + d_t - d_k) (Bordes et al., NIPS 2013).
enum class LossKind : std::uint8_t { kSoftmax, kSelfAdversarial, kMargin };

struct RankingLoss {
  LossKind kind = LossKind::kSoftmax;
  float margin = 9.0F;          // m
  float scale = 1.0F;           // b
  float temperature = 1.0F;     // a
  float log_correction = 0.0F;  // log c
  int num_negatives = 1;        // K, which may be less than the padded row

  /// Returns the loss and writes its derivatives by distance. The length of `negatives` and
  /// `negative_slopes` is a multiple of 16; entries at kMasked get slope 0.
  double evaluate(std::span<const float> targets, std::span<const float> weights,
                  std::span<const float> negatives, std::span<float> target_slopes,
                  std::span<float> negative_slopes) const;
};

}  // namespace kgwalk::embeddings
