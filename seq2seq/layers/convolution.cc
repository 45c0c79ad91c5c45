#include "seq2seq/layers/convolution.h"

#include <cmath>

#include "kgwalk/error.h"
#include "seq2seq/kernels/depthwise.h"
#include "seq2seq/kernels/functions.h"

namespace kgwalk::seq2seq {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

namespace {

DepthwiseShape shape_of(const Tensor& x, const Tensor& weight, std::int64_t left) {
  return {x.size(0), x.size(1), x.size(2), weight.size(0), left};
}

Tensor run_depthwise(const Tensor& x, const Tensor& weight, std::int64_t left) {
  const Tensor out = torch::empty_like(x);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "depthwise", [&] {
    depthwise<scalar_t>(shape_of(x, weight, left), x.data_ptr<scalar_t>(), weight.data_ptr<scalar_t>(),
                        out.data_ptr<scalar_t>());
  });
  return out;
}

class DepthwiseFunction : public torch::autograd::Function<DepthwiseFunction> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& weight, std::int64_t left) {
    context->save_for_backward({x, weight});
    context->saved_data["left"] = left;
    return run_depthwise(x, weight, left);
  }
  static tensor_list backward(AutogradContext* context, const tensor_list& grads) {
    const auto saved = context->get_saved_variables();
    const Tensor &x = saved[0], &weight = saved[1], g = grads[0].contiguous();
    const Tensor grad_x = torch::empty_like(x), grad_weight = torch::empty_like(weight);
    const DepthwiseShape shape = shape_of(x, weight, context->saved_data["left"].toInt());
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "depthwise_backward", [&] {
      depthwise_backward<scalar_t>(shape, x.data_ptr<scalar_t>(), weight.data_ptr<scalar_t>(),
                                   g.data_ptr<scalar_t>(), grad_x.data_ptr<scalar_t>(),
                                   grad_weight.data_ptr<scalar_t>());
    });
    return {grad_x, grad_weight, Tensor()};
  }
};

}  // namespace

Tensor depthwise_convolution(const Tensor& x, const Tensor& weight, std::int64_t left) {
  if (x.dim() != 3 || weight.dim() != 2 || x.size(2) != weight.size(1) || left < 0 || left >= weight.size(0))
    throw ShapeError("depthwise convolution: x must be [B, T, D], the weight [K, D], 0 <= left < K");
  if (has_kernels(x)) {
    const Tensor in = x.contiguous(), w = weight.contiguous();
    if (at::GradMode::is_enabled()) return DepthwiseFunction::apply(in, w, left);
    return run_depthwise(in, w, left);
  }
  const Tensor padded = torch::constant_pad_nd(x, {0, 0, left, weight.size(0) - 1 - left});
  Tensor sum = padded.narrow(1, 0, x.size(1)) * weight[0];
  for (std::int64_t k = 1; k < weight.size(0); ++k) sum = sum + padded.narrow(1, k, x.size(1)) * weight[k];
  return sum;
}

ConvolutionModuleImpl::ConvolutionModuleImpl(const ConvolutionOptions& options) : options_(options) {
  if (options.kernel < 1 || (options.kernel % 2 == 0 && !options.causal))
    throw ConfigError("a convolution module's kernel must be odd unless it is causal, not " +
                      std::to_string(options.kernel));
  input = register_module("input", Linear(options.width, 2 * options.width));
  output = register_module("output", Linear(options.width, options.width));
  weight = register_parameter("weight", torch::empty({options.kernel, options.width}));
  bias = register_parameter("bias", torch::zeros({options.width}));
  const double bound = 1 / std::sqrt(static_cast<double>(options.kernel));
  torch::nn::init::uniform_(weight, -bound, bound);
  norm = register_module("norm", LayerNorm(options.width));
}

Tensor ConvolutionModuleImpl::forward(const Tensor& x, const Tensor& keep) {
  Tensor y = torch::glu(input(x), 2);  // [B, T, D]
  if (keep.defined()) y = y * keep.unsqueeze(2).to(y.scalar_type());
  y = depthwise_convolution(y, weight, options_.causal ? options_.kernel - 1 : options_.kernel / 2) + bias;
  return output(activate(norm(y), Activation::kSwish));
}

}  // namespace kgwalk::seq2seq
