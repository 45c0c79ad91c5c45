// Two convolutions with ReLU that leave every fourth (or second) frame, and a projection to the model's
// width. Over bands they are 3 x 3 over (time, value), as the speech Transformer has them; cepstra, whose
// order means nothing to a shared kernel, are taken over time alone, each value a channel.
//
// Frames behind an utterance's end count as zeros at the entry of both convolutions, so that a padded batch
// gives what the single utterances give.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/config.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/linear.h"

namespace kgwalk::seq2seq {

// What the kernels of a subsampling see besides time: neighboring bands, or nothing.
enum class SubsamplingAxes { kBands, kTime };
constexpr auto choice_names(SubsamplingAxes) { return choices_in_order<SubsamplingAxes>("bands", "time"); }

struct SubsamplingOptions {
  int factor = 4;
  int channels = 32;
  Choice<SubsamplingAxes> over = SubsamplingAxes::kBands;
  template <class F>
  void fields(F& f) {
    f("factor", factor, "One frame of so many is left: 2 or 4.").range(2, 4);
    f("channels", channels, "Number of channels of both convolutions.").range(1, 4096);
    f("over", over, "Kernels see time and neighboring bands, or time alone with each value a channel.");
  }
  void check(Problems& problems) const;
  [[nodiscard]] std::int64_t frames_after(std::int64_t frames) const;  // at least 1 of 1
  // Frames after its first one that an outgoing frame depends on.
  [[nodiscard]] int look_ahead() const { return factor == 4 ? 3 : 2; }
};

class SubsamplingImpl : public torch::nn::Module {
 public:
  // Frames of `width` values in `groups` equal groups side by side, which become channels (over bands).
  SubsamplingImpl(const SubsamplingOptions& options, std::int64_t width, std::int64_t groups,
                  std::int64_t model_width);
  // x [B, T, width], lengths int64 [B] -> [B, T', D].
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& lengths);
  [[nodiscard]] torch::Tensor lengths_after(const torch::Tensor& lengths) const;  // int64 [B]

  // Registered names.
  // [C, groups, 3, 3], [C], [C, C, 3, 3], [C]; over time [C, width, 3, 1] and [C, C, 3, 1].
  torch::Tensor first_weight, first_bias, second_weight, second_bias;
  Linear projection{nullptr};  // [D, C F']

 private:
  SubsamplingOptions options_;
  std::int64_t groups_, kernel_;  // channels that come in; kernel over values, 3 or 1
};
TORCH_MODULE(Subsampling);

}  // namespace kgwalk::seq2seq
