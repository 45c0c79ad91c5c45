#include "embeddings/links/n3.h"

#include <cmath>

namespace kgwalk::embeddings {

void add_n3_gradient(std::span<const float> values, bool complex, float weight, std::span<float> gradient) {
  if (!complex) {
    for (std::size_t j = 0; j < values.size(); ++j)
      gradient[j] += 3 * weight * std::abs(values[j]) * values[j];
    return;
  }
  const std::size_t half = values.size() / 2;
  for (std::size_t j = 0; j < half; ++j) {
    const float real = values[j], imaginary = values[half + j];
    const float factor = 3 * weight * std::sqrt(real * real + imaginary * imaginary);
    gradient[j] += factor * real;
    gradient[half + j] += factor * imaginary;
  }
}

}  // namespace kgwalk::embeddings
