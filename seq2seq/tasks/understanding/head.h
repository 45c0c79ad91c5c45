// The small models on top of a frozen speech encoder, as in SUPERB (Yang et al., INTERSPEECH 2021): a learned
// mean of the encoder's layers, a linear map, then
//   intent, emotion   the mean over time and a linear classifier (all linear, so that the mean may come
//                     first)
//   slot_values       the same with a sigmoid for every "type=value" seen in training: closed sets of
//                     values whose order is not known
//   slots             a bidirectional LSTM and CTC over the sequence of slot types
#pragma once

#include <torch/nn/modules/rnn.h>

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/config.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/linear.h"

namespace kgwalk::seq2seq {

// What a head tells of an utterance.
enum class HeadKind { kIntent, kEmotion, kSlots, kSlotValues };
constexpr auto choice_names(HeadKind) {
  return choices_in_order<HeadKind>("intent", "emotion", "slots", "slot_values");
}

struct HeadOptions {
  Choice<HeadKind> task = HeadKind::kIntent;
  int width = 128;     // of the linear map
  int recurrent = 96;  // slots: units of the LSTM a direction
  double dropout = 0.1;
  template <class F>
  void fields(F& f) {
    f("task", task, "What is told of an utterance.");
    f("width", width, "Width of the linear map of the frames.").range(1, 65536);
    f("recurrent", recurrent, "Number of units of the LSTM in each direction, for slots.").range(1, 65536);
    f("dropout", dropout, "Dropout behind the linear map.").range(0, 0.99);
  }
  [[nodiscard]] bool sequence() const { return task == HeadKind::kSlots; }  // reads frames, not their mean
};

// What a head reads of one utterance: [L + 1, D] means over time, or [T, L + 1, D] frames for slots.
class UnderstandingHeadImpl : public torch::nn::Module {
 public:
  // `layers` counts the encoder's input of its layers too.
  UnderstandingHeadImpl(const HeadOptions& options, std::int64_t layers, std::int64_t width,
                        std::int64_t labels);

  // Scores before softmax or sigmoid, [B, labels]. states [B, L + 1, D].
  torch::Tensor classify(const torch::Tensor& states);
  // Log-probabilities over blank and labels, [B, T, 1 + labels]. states [B, T, L + 1, D], zero behind an
  // utterance's end; lengths int64 [B], the longest first or not.
  torch::Tensor tag(const torch::Tensor& states, const torch::Tensor& lengths);
  [[nodiscard]] torch::Tensor layer_shares() const;  // softmax of the layers' weights, [L + 1]

 private:
  torch::Tensor mixed(const torch::Tensor& states);  // [..., L + 1, D] -> [..., width]
  HeadOptions options_;
  torch::Tensor layer_weights_;  // [L + 1]
  Linear map_{nullptr}, output_{nullptr};
  torch::nn::LSTM recurrent_{nullptr};
};
TORCH_MODULE(UnderstandingHead);

// The labels of a best path: repeats joined, blanks (0) left out. log_probs [T, 1 + labels],
// `length` of them.
[[nodiscard]] std::vector<std::int64_t> best_path(const torch::Tensor& log_probs, std::int64_t length);

// Agreement of two bags of slots, summed over utterances (slot F1 of SUPERB counts types; "type=value"
// strings count values too).
struct SlotScore {
  std::int64_t found = 0, told = 0, there = 0;
  void add(std::vector<std::string> told_slots, std::vector<std::string> gold_slots);
  [[nodiscard]] double f1() const;  // in per cent; 100 when there is nothing and nothing was told
};

}  // namespace kgwalk::seq2seq
