#include "seq2seq/models/subsampling.h"

#include <cmath>

#include "kgwalk/error.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

namespace {

std::int64_t half(std::int64_t n) { return (n + 1) / 2; }

// x [B, C, T, F] with zeros behind each utterance's end.
Tensor cut(const Tensor& x, const Tensor& lengths) {
  const std::int64_t frames = x.size(2);
  if ((lengths == frames).all().item<bool>()) return x;
  const Tensor keep = torch::arange(frames, lengths.options()).unsqueeze(0) < lengths.unsqueeze(1);
  return x * keep.to(x.options()).view({x.size(0), 1, frames, 1});
}

void reset(const Tensor& weight) {
  const double bound = std::sqrt(6.0 / static_cast<double>(weight[0].numel()));  // for ReLU
  torch::nn::init::uniform_(weight, -bound, bound);
}

}  // namespace

void SubsamplingOptions::check(Problems& problems) const {
  if (factor == 3) problems.add("factor", "must be 2 or 4");
}

std::int64_t SubsamplingOptions::frames_after(std::int64_t frames) const {
  return factor == 4 ? half(half(frames)) : half(frames);
}

SubsamplingImpl::SubsamplingImpl(const SubsamplingOptions& options, std::int64_t width, std::int64_t groups,
                                 std::int64_t model_width)
    : options_(options),
      groups_(options.over == SubsamplingAxes::kTime ? width : groups),
      kernel_(options.over == SubsamplingAxes::kTime ? 1 : 3) {
  if (groups < 1 || width % groups != 0)
    throw ConfigError("frames of " + std::to_string(width) + " values are not " + std::to_string(groups) +
                      " equal groups");
  const std::int64_t c = options.channels;
  first_weight = register_parameter("first_weight", torch::empty({c, groups_, 3, kernel_}));
  first_bias = register_parameter("first_bias", torch::zeros({c}));
  second_weight = register_parameter("second_weight", torch::empty({c, c, 3, kernel_}));
  second_bias = register_parameter("second_bias", torch::zeros({c}));
  reset(first_weight);
  reset(second_weight);
  projection = register_module("projection", Linear(c * half(half(width / groups_)), model_width));
}

Tensor SubsamplingImpl::lengths_after(const Tensor& lengths) const {
  const Tensor once = torch::floor_divide(lengths + 1, 2);
  return options_.factor == 4 ? torch::floor_divide(once + 1, 2) : once;
}

Tensor SubsamplingImpl::forward(const Tensor& x, const Tensor& lengths) {
  const std::int64_t batch = x.size(0), frames = x.size(1);
  Tensor y = x.view({batch, frames, groups_, -1}).transpose(1, 2);  // [B, groups, T, F]
  const std::int64_t step = options_.factor == 4 ? 2 : 1, pad = kernel_ / 2;
  y = torch::relu(torch::conv2d(cut(y, lengths), first_weight, first_bias, {2, 2}, {1, pad}));
  y = torch::relu(torch::conv2d(cut(y, torch::floor_divide(lengths + 1, 2)), second_weight, second_bias,
                                {step, 2}, {1, pad}));  // [B, C, T', F']
  return projection(y.transpose(1, 2).flatten(2));
}

}  // namespace kgwalk::seq2seq
