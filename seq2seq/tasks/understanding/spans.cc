#include "seq2seq/tasks/understanding/spans.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kgwalk/error.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

void SpanOptions::check(Problems& problems) const {
  if (widths.empty()) problems.add("widths", "is empty; give at least one multiple of base_scale");
  for (const double width : widths)
    if (!(width >= 0 && width <= 1000)) problems.add("widths", "must be from 0 to 1000");
}

std::vector<std::int64_t> significant_anchors(std::span<const float> significance, int base_scale) {
  std::vector<std::int64_t> order(significance.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return significance[static_cast<std::size_t>(a)] > significance[static_cast<std::size_t>(b)];
  });
  std::vector<bool> near(significance.size());  // within xi / 2 of an anchor
  const std::int64_t reach = base_scale / 2, frames = static_cast<std::int64_t>(significance.size());
  std::vector<std::int64_t> anchors;
  for (const std::int64_t id : order) {
    if (near[static_cast<std::size_t>(id)]) continue;
    anchors.push_back(id);
    for (std::int64_t i = std::max<std::int64_t>(0, id - reach); i <= std::min(frames - 1, id + reach); ++i)
      near[static_cast<std::size_t>(i)] = true;
  }
  return anchors;
}

std::vector<std::int64_t> even_anchors(std::int64_t frames, int base_scale) {
  std::vector<std::int64_t> anchors;
  for (std::int64_t begin = 0; begin < frames; begin += base_scale)
    anchors.push_back((begin + std::min<std::int64_t>(frames, begin + base_scale) - 1) / 2);
  return anchors;
}

std::vector<SpeechSpan> spans_around(std::span<const std::int64_t> anchors, std::int64_t frames,
                                     const SpanOptions& options) {
  std::vector<SpeechSpan> spans;
  for (const std::int64_t anchor : anchors)
    for (const double width : options.widths) {
      const auto half = static_cast<std::int64_t>(std::floor(width * options.base_scale));
      spans.push_back(
          {anchor, std::max<std::int64_t>(0, anchor - half), std::min(frames, anchor + half + 1)});
    }
  return spans;
}

namespace {

// Spans of every example.
std::vector<std::vector<SpeechSpan>> choose_spans(const Units& frames, const SpanOptions& options) {
  const bool by_significance = options.anchors == SpanAnchors::kSignificance;
  if (by_significance && !frames.weights.defined())
    throw ShapeError("spans: anchors by significance need the frames' prior");
  const std::int64_t examples = frames.states.size(0), length = frames.states.size(1);
  const Tensor prior =
      by_significance ? frames.weights.detach().to(torch::kCPU, torch::kFloat32).contiguous() : Tensor();
  const Tensor counts = frames.keep.defined() ? frames.keep.sum(1).to(torch::kCPU)
                                              : torch::full({examples}, length, torch::kInt64);
  std::vector<std::vector<SpeechSpan>> spans;
  for (std::int64_t b = 0; b < examples; ++b) {
    const auto own = counts[b].item<std::int64_t>();
    std::vector<std::int64_t> anchors;
    if (by_significance)
      anchors = significant_anchors({prior[b].data_ptr<float>(), static_cast<std::size_t>(own)},
                                    options.base_scale);
    else
      anchors = even_anchors(own, options.base_scale);
    spans.push_back(spans_around(anchors, own, options));
  }
  return spans;
}

}  // namespace

SpanPools aggregate_spans(const Units& frames, const SpanOptions& options) {
  SpanPools result{{}, choose_spans(frames, options)};
  const std::int64_t examples = frames.states.size(0), length = frames.states.size(1);
  std::size_t most = 0, fewest = SIZE_MAX;
  for (const std::vector<SpeechSpan>& spans : result.spans) {
    most = std::max(most, spans.size());
    fewest = std::min(fewest, spans.size());
  }
  // One matrix of means a pair: row = span, column = frame.
  Tensor means = torch::zeros({examples, static_cast<std::int64_t>(most), length}, torch::kFloat32);
  Tensor keep = torch::zeros({examples, static_cast<std::int64_t>(most)}, torch::kBool);
  for (std::int64_t b = 0; b < examples; ++b) {
    const std::vector<SpeechSpan>& spans = result.spans[static_cast<std::size_t>(b)];
    float* row = means.data_ptr<float>() + b * means.stride(0);
    for (const SpeechSpan& span : spans) {
      std::fill(row + span.begin, row + span.end, 1 / static_cast<float>(span.end - span.begin));
      row += length;
    }
    keep[b].narrow(0, 0, static_cast<std::int64_t>(spans.size())).fill_(true);
  }
  result.units.states = torch::matmul(means.to(frames.states.options()), frames.states);
  if (fewest < most) result.units.keep = keep.to(frames.states.device());
  return result;
}

}  // namespace kgwalk::seq2seq
