#include <algorithm>
#include <cmath>

#include "seq2seq/audio/features.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

namespace {

std::int64_t below(Random& random, std::int64_t bound) {
  return bound <= 0 ? 0 : static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(bound)));
}

// The frame `point` moves by up to `reach` frames, those around it stretch or shrink linearly.
Tensor warped(const Tensor& x, int reach, Random& random) {
  const std::int64_t frames = x.size(0);
  if (reach == 0 || frames <= 2 * reach + 2) return x;
  const std::int64_t point = reach + 1 + below(random, frames - 2 * reach - 2);
  const std::int64_t target = point - reach + below(random, 2 * reach + 1);
  const Tensor left = torch::empty({frames}, torch::kInt64), weight = torch::empty({frames, 1});
  for (std::int64_t t = 0; t < frames; ++t) {
    const bool early = t < target;
    const auto run = static_cast<double>(early ? target : std::max<std::int64_t>(1, frames - 1 - target));
    const auto source = static_cast<double>(early ? point : frames - 1 - point);
    const double from = early ? static_cast<double>(t) * source / run
                              : static_cast<double>(point) + static_cast<double>(t - target) * source / run;
    const auto whole = std::min(static_cast<std::int64_t>(from), frames - 1);
    left.data_ptr<std::int64_t>()[t] = whole;
    weight.data_ptr<float>()[t] = static_cast<float>(from - static_cast<double>(whole));
  }
  return torch::lerp(x.index_select(0, left), x.index_select(0, (left + 1).clamp_max(frames - 1)), weight);
}

}  // namespace

Tensor spec_augmented(const Tensor& x, const SpecAugmentOptions& o, int repeats, Random& random,
                      double fill) {
  Tensor y = warped(x, o.warp, random);
  if (y.is_same(x)) y = x.clone();
  const std::int64_t frames = y.size(0), values = y.size(1) / repeats;
  for (int i = 0; i < o.frequency_masks; ++i) {
    const std::int64_t width = below(random, std::min<std::int64_t>(o.frequency_width, values) + 1);
    const std::int64_t begin = below(random, values - width + 1);
    for (int r = 0; r < repeats; ++r) y.narrow(1, r * values + begin, width).fill_(fill);
  }
  const auto share = static_cast<std::int64_t>(o.time_share * static_cast<double>(frames));
  for (int i = 0; i < o.time_masks; ++i) {
    const std::int64_t width = below(random, std::min<std::int64_t>(o.time_width, share) + 1);
    y.narrow(0, below(random, frames - width + 1), width).fill_(fill);
  }
  return y;
}

}  // namespace kgwalk::seq2seq
