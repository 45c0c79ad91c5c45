// Positions added to embeddings.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/config.h"
#include "runtime/tensor/torch.h"

namespace kgwalk::seq2seq {

// Positions from a table, or sines (Hiformer Eq. 3 and 4).
enum class PositionKind { kLearned, kSinusoidal };
constexpr auto choice_names(PositionKind) {
  return formerly(choices_in_order<PositionKind>("learned", "sinusoidal"), "learnt", PositionKind::kLearned);
}

// Positions added by models whose attention may know positions by itself.
enum class AddedPositions { kSinusoidal, kNone };
constexpr auto choice_names(AddedPositions) { return choices_in_order<AddedPositions>("sinusoidal", "none"); }

struct PositionOptions {
  Choice<PositionKind> kind = PositionKind::kLearned;
  int width = 256;
  int max_length = 512;  // learned: rows of the table; sinusoidal needs none
  template <class F>
  void fields(F& f) {
    f("kind", kind, "Positions come from a learned table or from sines.");
    f("width", width, "Model width.").range(1, 65536);
    f("max_length", max_length, "Longest sequence that learned positions reach.").range(1, 1 << 20);
  }
};

// learned: a table (registered name weight [max_length, D], normal with deviation 0.02). sinusoidal: PE(p,
// 2j) = sin(p / 10000^(2j/D)), PE(p, 2j+1) = cos of the same (Hiformer Eq. 3 and 4); no parameters.
class PositionEmbeddingImpl : public torch::nn::Module {
 public:
  explicit PositionEmbeddingImpl(const PositionOptions& options);
  // x [B, T, D] + positions offset .. offset + T - 1. ShapeError past the table's end.
  torch::Tensor forward(const torch::Tensor& x, std::int64_t offset = 0);
  // Rows [offset, offset + length) of the positions: [length, D], like `like` in type and device.
  torch::Tensor rows(std::int64_t offset, std::int64_t length, const torch::Tensor& like) const;

  torch::Tensor weight;  // learned only

 private:
  PositionOptions options_;
};
TORCH_MODULE(PositionEmbedding);

// Sinusoidal table [length, D] in float32.
[[nodiscard]] torch::Tensor sinusoidal_positions(std::int64_t length, std::int64_t width,
                                                 std::int64_t offset = 0);

}  // namespace kgwalk::seq2seq
