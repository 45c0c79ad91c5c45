// Products of complex vectors whose first half holds the real parts and whose second the imaginary ones.
#pragma once

#include "embeddings/models/score_model.h"

namespace kgwalk::embeddings {

/// out = a b by elements, with b's conjugate where `conjugated`. `out` is neither of them.
void multiply(Values a, Values b, bool conjugated, WritableValues out);
/// Imaginary parts change their sign.
void conjugate(Values a, WritableValues out);

/// A model whose question is a complex product: h r, or t with r's conjugate.
class ComplexQuestions : public ScoreModel {
 public:
  [[nodiscard]] bool complex() const override { return true; }
  void ask(Values given, Values relation, Side side, WritableValues point) const override;
  void pull(Values given, Values relation, Side side, Values point_gradient, WritableValues given_gradient,
            WritableValues relation_gradient) const override;
  void invert(Values relation, WritableValues inverse) const override { conjugate(relation, inverse); }
};

}  // namespace kgwalk::embeddings
