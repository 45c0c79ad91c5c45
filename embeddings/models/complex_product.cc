#include "embeddings/models/complex_product.h"

namespace kgwalk::embeddings {

void multiply(Values a, Values b, bool conjugated, WritableValues out) {
  const std::size_t half = a.size() / 2;
  const float sign = conjugated ? -1.0F : 1.0F;
  const float* ar = a.data();
  const float* ai = ar + half;
  const float* br = b.data();
  const float* bi = br + half;
  float* __restrict__ real = out.data();
  float* __restrict__ imaginary = real + half;
  for (std::size_t j = 0; j < half; ++j) {
    const float b_imaginary = sign * bi[j];
    real[j] = ar[j] * br[j] - ai[j] * b_imaginary;
    imaginary[j] = ar[j] * b_imaginary + ai[j] * br[j];
  }
}

void conjugate(Values a, WritableValues out) {
  const std::size_t half = a.size() / 2;
  for (std::size_t j = 0; j < half; ++j) {
    out[j] = a[j];
    out[half + j] = -a[half + j];
  }
}

void ComplexQuestions::ask(Values given, Values relation, Side side, WritableValues point) const {
  multiply(given, relation, side == Side::kHead, point);
}

// The gradient G of a product e r is G with r's conjugate by e, and G with e's conjugate by r; where r was
// conjugated itself, the latter is conjugated, which is e with G's conjugate.
void ComplexQuestions::pull(Values given, Values relation, Side side, Values point_gradient,
                            WritableValues given_gradient, WritableValues relation_gradient) const {
  multiply(point_gradient, relation, side == Side::kTail, given_gradient);
  if (side == Side::kTail)
    multiply(point_gradient, given, true, relation_gradient);
  else
    multiply(given, point_gradient, true, relation_gradient);
}

}  // namespace kgwalk::embeddings
