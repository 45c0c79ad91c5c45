#include "seq2seq/search/joint_ctc.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "kgwalk/error.h"

namespace kgwalk::seq2seq {
namespace {

constexpr float kImpossible = -std::numeric_limits<float>::infinity();
constexpr double kLeast = -1e4;  // of a prefix that the frames cannot hold: bad, but comparable

}  // namespace

JointCtc::JointCtc(const torch::Tensor& log_probs, const torch::Tensor& lengths,
                   const JointCtcOptions& options)
    : options_(options), log_probs_(log_probs.contiguous()) {
  if (log_probs.dim() != 3 || log_probs.scalar_type() != torch::kFloat32 ||
      lengths.size(0) != log_probs.size(0))
    throw ShapeError("joint CTC: log_probs must be float32 [B, T, V], lengths [B]");
  const std::int64_t frames = log_probs.size(1), units = log_probs.size(2);
  for (std::int64_t b = 0; b < log_probs.size(0); ++b) {
    const std::int64_t length = lengths[b].item<std::int64_t>();
    scorers_.emplace_back(FrameScores{
        {log_probs_.data_ptr<float>() + b * frames * units, static_cast<std::size_t>(length * units)},
        length,
        units,
        options.blank});
  }
}

void JointCtc::join(const torch::Tensor& pieces, const torch::Tensor& parents, torch::Tensor& scores) {
  const std::int64_t count = scores.size(0);
  std::vector<Row> rows;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto parent = static_cast<std::size_t>(parents[i].item<std::int64_t>());
    if (rows_.empty())
      rows.push_back({parent, scorers_.at(parent).start()});
    else
      rows.push_back({rows_.at(parent).group,
                      scorers_[rows_[parent].group].advance(
                          rows_[parent].state, static_cast<int>(pieces[i].item<std::int64_t>()))});
  }
  rows_ = std::move(rows);
  scores = scores.contiguous();
  const std::int64_t width = scores.size(1);
  for (std::int64_t i = 0; i < count; ++i)
    join_row(rows_[static_cast<std::size_t>(i)],
             {scores.data_ptr<float>() + i * width, static_cast<std::size_t>(width)});
}

void JointCtc::join_row(const Row& row, std::span<float> scores) {
  const CtcPrefixScorer& scorer = scorers_[row.group];
  const auto joined = [&](float attention, double ctc) {
    const double gain = std::max(ctc, kLeast) - std::max(row.state.log_prob, kLeast);
    return static_cast<float>((1 - options_.weight) * attention + options_.weight * std::min(gain, 0.0));
  };
  const auto end = static_cast<std::size_t>(options_.end), blank = static_cast<std::size_t>(options_.blank);
  order_.resize(scores.size());
  std::iota(order_.begin(), order_.end(), 0);
  const std::size_t kept = std::min(scores.size(), static_cast<std::size_t>(options_.candidates));
  std::partial_sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(kept), order_.end(),
                    [&](std::int32_t a, std::int32_t b) {
                      const float x = scores[static_cast<std::size_t>(a)],
                                  y = scores[static_cast<std::size_t>(b)];
                      return x > y || (x == y && a < b);
                    });
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto unit = static_cast<std::size_t>(order_[i]);
    if (unit == end) continue;
    if (i >= kept || unit == blank)
      scores[unit] = kImpossible;
    else
      scores[unit] = joined(scores[unit], scorer.extended(row.state, static_cast<int>(unit)));
  }
  scores[end] = joined(scores[end], scorer.ended(row.state));
}

}  // namespace kgwalk::seq2seq
