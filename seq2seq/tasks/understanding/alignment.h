// The metrics by which PAD draws a speech encoder to a frozen text encoder (thesis 4.2.1): alignment of whole
// sequences and of their units.
//
// B pairs, T units of a sequence (frames, spans, tokens), D width, the same on both sides.
// Padding never enters.
#pragma once

#include "runtime/tensor/device.h"
#include "runtime/tensor/torch.h"

namespace kgwalk::seq2seq {

struct Units {
  torch::Tensor states{};  // [B, T, D]
  torch::Tensor keep{};    // bool [B, T]; undefined = all kept
  // What each unit counts, [B, T], summing to one over the kept ones: a significance prior (Eq. 4.3), idf
  // weights; undefined = equal shares. Weights are constants: no gradient flows through them.
  torch::Tensor weights{};
  [[nodiscard]] Units to(torch::Device device) const {
    return {on(device, states), on(device, keep), on(device, weights)};
  }
};

// Sequence-level representation: sum_m weights_m states_m, [B, D]. Equal shares give the mean ("avr"); with a
// prior it is the mean of S' = S * P of the thesis, up to the constant by which a prior that sums to one
// differs from one whose mean is one.
[[nodiscard]] torch::Tensor pooled_units(const Units& units);

// Eq. 4.1: |s - t|_1, mean over the pairs; both [B, D]. ShapeError when the widths differ.
[[nodiscard]] torch::Tensor global_alignment(const torch::Tensor& speech, const torch::Tensor& text);

// For each text unit the largest cosine similarity to a kept speech unit, and which one it is.
struct BestMatches {
  torch::Tensor similarity;  // [B, T of the text]
  torch::Tensor place;       // int64, the same shape
};
[[nodiscard]] BestMatches best_matches(const Units& speech, const Units& text);

// Eq. 4.2: -sum_j weights_j max_i cos(s_i, t_j), mean over the pairs, with the weights of the text units
// (equal shares: the -1/n sum_j as printed). The weights of the speech units are not used.
[[nodiscard]] torch::Tensor local_alignment(const Units& speech, const Units& text);

}  // namespace kgwalk::seq2seq
