#include "seq2seq/kernels/projection_loss.h"

#include <algorithm>

#include "runtime/error.h"
#include "seq2seq/kernels/cross_entropy.h"
#include "seq2seq/kernels/functions.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::tensor_list;

using Optional = c10::optional<Tensor>;

constexpr std::int64_t kBlock = 256;  // rows projected at once

// What one pass over all rows leaves. Gradients are of the sum of the rows' losses, each times its factor.
struct Pass {
  Tensor loss, nll;                            // [R]
  Tensor grad_states, grad_weight, grad_bias;  // undefined without gradients
};

Pass pass_over(const Tensor& states, const Tensor& weight, const Tensor& bias, const Tensor& gold,
               double smoothing, bool gradient, const Tensor& factors) {
  const std::int64_t rows = states.size(0), columns = weight.size(0);
  Pass pass{torch::empty({rows}, states.options()), torch::empty({rows}, states.options()), {}, {}, {}};
  if (gradient) {
    pass.grad_states = torch::empty_like(states);
    pass.grad_weight = torch::zeros_like(weight);
    if (bias.defined()) pass.grad_bias = torch::zeros_like(bias);
  }
  const Tensor logits = torch::empty({std::min(rows, kBlock), columns}, states.options());
  for (std::int64_t begin = 0; begin < rows; begin += kBlock) {
    const std::int64_t count = std::min(kBlock, rows - begin);
    const Tensor part = states.narrow(0, begin, count);  // [count, D]
    Tensor block = logits.narrow(0, 0, count);           // [count, V]
    if (bias.defined())
      torch::addmm_out(block, bias, part, weight.t());
    else
      torch::mm_out(block, part, weight.t());
    AT_DISPATCH_FLOATING_TYPES(states.scalar_type(), "cross_entropy_rows", [&] {
      cross_entropy_rows<scalar_t>(
          {count, columns},
          {block.data_ptr<scalar_t>(), gold.data_ptr<std::int64_t>() + begin, smoothing, gradient,
           pass.loss.data_ptr<scalar_t>() + begin, pass.nll.data_ptr<scalar_t>() + begin});
    });
    if (!gradient) continue;
    if (factors.defined()) block.mul_(factors.narrow(0, begin, count).unsqueeze(1));
    Tensor grad = pass.grad_states.narrow(0, begin, count);
    torch::mm_out(grad, block, weight);
    pass.grad_weight.addmm_(block.t(), part);
    if (bias.defined()) pass.grad_bias.add_(block.sum(0));
  }
  return pass;
}

Tensor contiguous_or_null(const Optional& x) { return x.has_value() ? x->contiguous() : Tensor(); }
Optional optional(const Tensor& x) { return x.defined() ? Optional(x) : Optional(); }

// The gradient is made in the forward pass, where the logits are.
struct LossFunction : Function<LossFunction> {
  static Tensor forward(AutogradContext* context, const Tensor& states, const Tensor& weight,
                        const Optional& bias, const Tensor& gold, double smoothing, double* nll) {
    const Pass pass = pass_over(states.contiguous(), weight.contiguous(), contiguous_or_null(bias), gold,
                                smoothing, true, {});
    *nll = pass.nll.sum(torch::kFloat64).item<double>();
    context->save_for_backward({pass.grad_states, pass.grad_weight, pass.grad_bias});
    return pass.loss.sum();
  }
  static tensor_list backward(AutogradContext* context, tensor_list grads) {
    const auto saved = context->get_saved_variables();
    const auto scaled = [&](const Tensor& x) { return x.defined() ? x * grads[0] : x; };
    return {scaled(saved[0]), scaled(saved[1]), scaled(saved[2]), {}, {}, {}};
  }
};

struct GoldFunction : Function<GoldFunction> {
  static Tensor forward(AutogradContext* context, const Tensor& states, const Tensor& weight,
                        const Optional& bias, const Tensor& gold) {
    const Tensor in = states.contiguous(), w = weight.contiguous(), b = contiguous_or_null(bias);
    context->save_for_backward({in, w, b, gold});
    return -pass_over(in, w, b, gold, 0, false, {}).nll;
  }
  static tensor_list backward(AutogradContext* context, tensor_list grads) {
    const auto saved = context->get_saved_variables();
    const Pass pass = pass_over(saved[0], saved[1], saved[2], saved[3], 0, true, -grads[0].contiguous());
    return {pass.grad_states, pass.grad_weight, pass.grad_bias, {}};
  }
};

void check(const Tensor& states, const Tensor& weight, const Tensor& gold) {
  if (states.dim() != 2 || weight.dim() != 2 || gold.dim() != 1 || states.size(1) != weight.size(1) ||
      gold.size(0) != states.size(0))
    throw ShapeError("projection loss: states must be [R, D], weight [V, D] and gold [R]");
  if (gold.numel() == 0) return;
  if (gold.min().item<std::int64_t>() < 0 || gold.max().item<std::int64_t>() >= weight.size(0))
    throw ShapeError("projection loss: a gold column is outside the vocabulary of " +
                     std::to_string(weight.size(0)));
}

bool recording(const Tensor& states, const Tensor& weight, const Tensor& bias) {
  return at::GradMode::is_enabled() &&
         (states.requires_grad() || weight.requires_grad() || (bias.defined() && bias.requires_grad()));
}

}  // namespace

ProjectionLoss projection_loss(const Tensor& states, const Tensor& weight, const Tensor& bias,
                               const Tensor& gold_in, double smoothing) {
  check(states, weight, gold_in);
  ProjectionLoss result;
  if (!has_kernels(states)) {
    const Tensor log_probs = torch::log_softmax(torch::linear(states, weight, bias), 1);  // [R, V]
    const Tensor nll = -log_probs.gather(1, gold_in.unsqueeze(1)).sum();
    result.nll = nll.item<double>();
    result.loss = (1 - smoothing) * nll - (smoothing / static_cast<double>(weight.size(0))) * log_probs.sum();
    return result;
  }
  const Tensor gold = gold_in.contiguous();
  if (recording(states, weight, bias)) {
    result.loss = LossFunction::apply(states, weight, optional(bias), gold, smoothing, &result.nll);
    return result;
  }
  const Pass pass = pass_over(states.contiguous(), weight.contiguous(),
                              bias.defined() ? bias.contiguous() : bias, gold, smoothing, false, {});
  result.loss = pass.loss.sum();
  result.nll = pass.nll.sum(torch::kFloat64).item<double>();
  return result;
}

Tensor gold_log_probs(const Tensor& states, const Tensor& weight, const Tensor& bias, const Tensor& gold_in) {
  check(states, weight, gold_in);
  if (!has_kernels(states))
    return torch::log_softmax(torch::linear(states, weight, bias), 1)
        .gather(1, gold_in.unsqueeze(1))
        .squeeze(1);
  const Tensor gold = gold_in.contiguous();
  if (recording(states, weight, bias)) return GoldFunction::apply(states, weight, optional(bias), gold);
  return -pass_over(states.contiguous(), weight.contiguous(), bias.defined() ? bias.contiguous() : bias, gold,
                    0, false, {})
              .nll;
}

}  // namespace kgwalk::seq2seq
