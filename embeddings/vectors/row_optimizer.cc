#include "embeddings/vectors/row_optimizer.h"

#include <cmath>

#include "embeddings/vectors/simd.h"

namespace kgwalk::embeddings {

using simd::F16;

RowOptimizer::RowOptimizer(Kind kind, std::int64_t rows, int dim) : kind_(kind), stride_(padded(dim)) {
  if (kind != Kind::kSgd) first_ = Matrix(rows, dim);
  if (kind == Kind::kAdam) second_ = Matrix(rows, dim);
}

void RowOptimizer::update(float* parameters, std::int64_t row, const float* gradient, float learning_rate,
                          float l2_penalty) {
  constexpr float kEpsilon = 1e-10F;
  constexpr float kBeta1 = 0.9F;
  constexpr float kBeta2 = 0.999F;
  const float correction1 = 1.0F / (1.0F - std::pow(kBeta1, static_cast<float>(step_)));
  const float correction2 = 1.0F / (1.0F - std::pow(kBeta2, static_cast<float>(step_)));
  float* s1 = first_.rows() > 0 ? first_.row(row) : nullptr;
  float* s2 = second_.rows() > 0 ? second_.row(row) : nullptr;
  for (int j = 0; j < stride_; j += kLane) {
    const F16 w = simd::load(parameters + j);
    const F16 g = simd::load(gradient + j) + l2_penalty * w;
    F16 step = g;
    if (kind_ == Kind::kAdagrad) {
      const F16 sum = simd::load(s1 + j) + g * g;
      simd::store(s1 + j, sum);
      step = g / (simd::sqrt(sum) + kEpsilon);
    } else if (kind_ == Kind::kAdam) {
      const F16 mean = kBeta1 * simd::load(s1 + j) + (1.0F - kBeta1) * g;
      const F16 square = kBeta2 * simd::load(s2 + j) + (1.0F - kBeta2) * g * g;
      simd::store(s1 + j, mean);
      simd::store(s2 + j, square);
      step = mean * correction1 / (simd::sqrt(square * correction2) + 1e-8F);
    }
    simd::store(parameters + j, w - learning_rate * step);
  }
}

}  // namespace kgwalk::embeddings
