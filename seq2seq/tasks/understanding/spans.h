// Anchor-based adaptive span aggregation (AASA, thesis algorithm 2): spans of several widths around the most
// significant frames, so that speech units become about as long as words.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/config.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/tasks/understanding/alignment.h"

namespace kgwalk::seq2seq {

// Where spans begin: at the most significant frames, or evenly.
enum class SpanAnchors { kSignificance, kEven };
constexpr auto choice_names(SpanAnchors) { return choices_in_order<SpanAnchors>("significance", "even"); }

struct SpanOptions {
  int base_scale = 4;  // xi, in frames
  std::vector<double> widths{0.5, 1,
                             2};  // half widths s_m as multiples of xi, rounded down; one = fixed spans
  Choice<SpanAnchors> anchors = SpanAnchors::kSignificance;
  template <class F>
  void fields(F& f) {
    f("base_scale", base_scale, "Base scale xi of spans, in frames.").range(1, 4096);
    f("widths", widths, "Half widths of the spans of an anchor, as multiples of xi.");
    f("anchors", anchors, "Anchors stand at the most significant frames, or one every xi frames.");
  }
  void check(Problems& problems) const;
};

struct SpeechSpan {
  std::int64_t anchor = 0, begin = 0, end = 0;  // frames begin .. end - 1
};

// Frames by falling significance (the earlier first among equals), leaving out those within xi / 2 of one
// already taken. significance: one number a frame.
[[nodiscard]] std::vector<std::int64_t> significant_anchors(std::span<const float> significance,
                                                            int base_scale);
// The middles of consecutive stretches of xi frames.
[[nodiscard]] std::vector<std::int64_t> even_anchors(std::int64_t frames, int base_scale);

// Spans [i - s, i + s] of all anchors and widths, clipped to the sequence: all widths of the
// first anchor first.
[[nodiscard]] std::vector<SpeechSpan> spans_around(std::span<const std::int64_t> anchors, std::int64_t frames,
                                                   const SpanOptions& options);

// Frames [B, T, D] with their keep and, for significance anchors, their prior in `weights`, to
// mean-pooled spans [B, K, D], keep [B, K] (undefined when all examples have as many). ShapeError when
// the prior is missing.
struct SpanPools {
  Units units;
  std::vector<std::vector<SpeechSpan>> spans;  // of each example, in order
};
[[nodiscard]] SpanPools aggregate_spans(const Units& frames, const SpanOptions& options);

}  // namespace kgwalk::seq2seq
