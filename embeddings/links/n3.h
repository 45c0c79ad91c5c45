// The N3 penalty: cubed entries of the vectors that a fact uses (Lacroix, Usunier, Obozinski, ICML 2018).
#pragma once

#include <span>

namespace kgwalk::embeddings {

/// Adds the gradient of weight * sum |x_j|^3. Where vectors are complex, |x_j| is the modulus of the j-th
/// number, whose imaginary part stands in the second half.
void add_n3_gradient(std::span<const float> values, bool complex, float weight, std::span<float> gradient);

}  // namespace kgwalk::embeddings
