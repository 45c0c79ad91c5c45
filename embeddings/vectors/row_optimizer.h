// Optimizers over the rows of a table that a batch touched; untouched rows cost nothing and do not move.
#pragma once

#include <cstdint>

#include "embeddings/vectors/matrix.h"

namespace kgwalk::embeddings {

// Adagrad, Adam (lazy: moments of untouched rows do not decay) or plain gradient descent on one table.
// Thread-safe on distinct rows.
class RowOptimizer {
 public:
  enum class Kind : std::uint8_t { kSgd, kAdagrad, kAdam };

  RowOptimizer() = default;
  RowOptimizer(Kind kind, std::int64_t rows, int dim);

  // Advances the step count that Adam's bias correction needs; once a batch.
  void next_step() { ++step_; }
  // parameters -= step along gradient; `gradient` has the row's stride with zero padding.
  void update(float* parameters, std::int64_t row, const float* gradient, float learning_rate,
              float l2_penalty);

  // State for checkpoints: one or two tables of the parameters' shape (empty ones have no rows), and the
  // step.
  [[nodiscard]] Matrix& first() { return first_; }
  [[nodiscard]] Matrix& second() { return second_; }
  [[nodiscard]] std::int64_t step() const { return step_; }
  void set_step(std::int64_t step) { step_ = step; }

 private:
  Kind kind_ = Kind::kSgd;
  Matrix first_;   // Adagrad: sums of squares; Adam: means
  Matrix second_;  // Adam: means of squares
  int stride_ = 0;
  std::int64_t step_ = 0;
};

}  // namespace kgwalk::embeddings
