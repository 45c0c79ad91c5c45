#include "seq2seq/layers/feed_forward.h"

namespace kgwalk::seq2seq {

FeedForwardImpl::FeedForwardImpl(const FeedForwardOptions& options) : options_(options) {
  inner = register_module("inner", Linear(options.width, options.inner_width));
  output = register_module("output", Linear(options.inner_width, options.width));
}

torch::Tensor FeedForwardImpl::forward(const torch::Tensor& x) {
  if (!is_training() && !at::GradMode::is_enabled()) return output(inner->activated(x, options_.activation));
  return feed_forward(x, {inner->weight, inner->bias, output->weight, output->bias}, options_.activation,
                      is_training() ? options_.dropout : 0);
}

}  // namespace kgwalk::seq2seq
