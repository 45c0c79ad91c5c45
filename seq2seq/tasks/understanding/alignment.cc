#include "seq2seq/tasks/understanding/alignment.h"

#include "kgwalk/error.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;

Tensor weights_of(const Units& units) {
  if (units.weights.defined()) return units.weights.detach();
  if (!units.keep.defined())
    return torch::full({units.states.size(0), units.states.size(1)},
                       1.0 / static_cast<double>(units.states.size(1)), units.states.options());
  const Tensor kept = units.keep.to(units.states.scalar_type());
  return kept / kept.sum(1, true).clamp_min(1);
}

void check_widths(std::int64_t speech, std::int64_t text) {
  if (speech != text)
    throw ShapeError("alignment: speech units are " + std::to_string(speech) + " wide, text units " +
                     std::to_string(text) + "; teacher and student need the same width");
}

Tensor unit_length(const Tensor& x) { return x / x.norm(2, -1, true).clamp_min(1e-8); }

}  // namespace

Tensor pooled_units(const Units& units) {
  return torch::matmul(weights_of(units).unsqueeze(1), units.states).squeeze(1);
}

Tensor global_alignment(const Tensor& speech, const Tensor& text) {
  check_widths(speech.size(-1), text.size(-1));
  return (speech - text).abs().sum(-1).mean();
}

BestMatches best_matches(const Units& speech, const Units& text) {
  check_widths(speech.states.size(-1), text.states.size(-1));
  Tensor cosine = torch::matmul(unit_length(text.states), unit_length(speech.states).transpose(1, 2));
  if (speech.keep.defined())  // [B, Tt, Ts]
    cosine = cosine.masked_fill(speech.keep.logical_not().unsqueeze(1), -2);
  const auto [similarity, place] = cosine.max(2);
  return {similarity, place};
}

Tensor local_alignment(const Units& speech, const Units& text) {
  Tensor similarity = best_matches(speech, text).similarity;  // [B, Tt]
  if (text.keep.defined()) similarity = similarity.masked_fill(text.keep.logical_not(), 0);
  return -(similarity * weights_of(text)).sum(1).mean();
}

}  // namespace kgwalk::seq2seq
