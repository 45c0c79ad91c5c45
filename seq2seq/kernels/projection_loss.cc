#include "seq2seq/kernels/projection_loss.h"

#include <algorithm>
#include <limits>

#include "kgwalk/error.h"
#include "seq2seq/kernels/cross_entropy.h"
#include "seq2seq/kernels/functions.h"
#include "seq2seq/kernels/products.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::tensor_list;

using OptionalTensor = c10::optional<Tensor>;

constexpr std::int64_t kBlock = 256;  // rows projected at once

// What one pass over all rows leaves. Gradients are of the sum of the rows' losses, each times its factor.
struct Pass {
  Tensor loss, nll, rho;                       // [R]; rho with a mixture
  Tensor grad_states, grad_weight, grad_bias;  // undefined without gradients
};

// What is asked of the rows.
struct Asked {
  double smoothing = 0;
  bool gradient = false;
  GoldMixture mixture{};
  Tensor factors{};  // of the rows' gradients, [R]; undefined = 1
  Precision precision = Precision::kFloat32;
  double consistency = 0;  // > 0: rows 2 i and 2 i + 1 are pairs
};

Pass pass_over(const Tensor& states, const Tensor& weight, const Tensor& bias, const Tensor& gold,
               const Asked& asked) {
  const std::int64_t rows = states.size(0), columns = weight.size(0);
  const bool gradient = asked.gradient, mixed = asked.mixture.log_share.defined();
  Pass pass{torch::empty({rows}, states.options()), torch::empty({rows}, states.options()), {}, {}, {}, {}};
  if (mixed) pass.rho = torch::empty({rows}, states.options());
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
    product_into(block, part, weight.t(), bias, asked.precision);
    AT_DISPATCH_FLOATING_TYPES(states.scalar_type(), "cross_entropy_rows", [&] {
      const auto from = [&](const Tensor& x) {
        return x.defined() ? x.data_ptr<scalar_t>() + begin : nullptr;
      };
      const CrossEntropyRows<scalar_t> scored{block.data_ptr<scalar_t>(),
                                              gold.data_ptr<std::int64_t>() + begin,
                                              asked.smoothing,
                                              gradient,
                                              from(pass.loss),
                                              from(pass.nll),
                                              from(asked.mixture.log_share),
                                              from(asked.mixture.log_other),
                                              from(pass.rho)};
      if (asked.consistency > 0)
        paired_cross_entropy_rows<scalar_t>({count, columns}, scored, asked.consistency);
      else
        cross_entropy_rows<scalar_t>({count, columns}, scored);
    });
    if (!gradient) continue;
    if (asked.factors.defined()) block.mul_(asked.factors.narrow(0, begin, count).unsqueeze(1));
    Tensor grad = pass.grad_states.narrow(0, begin, count);
    product_into(grad, block, weight, {}, asked.precision);
    add_product(pass.grad_weight, block.t(), part, asked.precision);
    if (bias.defined()) pass.grad_bias.add_(block.sum(0));
  }
  return pass;
}

Tensor contiguous_or_null(const OptionalTensor& x) { return x.has_value() ? x->contiguous() : Tensor(); }
OptionalTensor optional_of(const Tensor& x) { return x.defined() ? OptionalTensor(x) : OptionalTensor(); }

GoldMixture contiguous(const OptionalTensor& share, const OptionalTensor& other) {
  return {contiguous_or_null(share), contiguous_or_null(other)};
}

// The gradient is made in the forward pass, where the logits are.
struct LossFunction : Function<LossFunction> {
  static Tensor forward(AutogradContext* context, const Tensor& states, const Tensor& weight,
                        const OptionalTensor& bias, const Tensor& gold, double smoothing,
                        const OptionalTensor& share, const OptionalTensor& other, double consistency,
                        double* nll) {
    const Pass pass =
        pass_over(states.contiguous(), weight.contiguous(), contiguous_or_null(bias), gold,
                  {smoothing, true, contiguous(share, other), {}, product_precision(), consistency});
    *nll = pass.nll.sum(torch::kFloat64).item<double>();
    Tensor grad_share, grad_other;
    if (pass.rho.defined()) {
      grad_share = pass.rho * (smoothing - 1);
      grad_other = (1 - pass.rho) * (smoothing - 1);
    }
    context->save_for_backward({pass.grad_states, pass.grad_weight, pass.grad_bias, grad_share, grad_other});
    return pass.loss.sum();
  }
  static tensor_list backward(AutogradContext* context, tensor_list grads) {
    const auto saved = context->get_saved_variables();
    const auto scaled = [&](const Tensor& x) { return x.defined() ? x * grads[0] : x; };
    return {scaled(saved[0]),
            scaled(saved[1]),
            scaled(saved[2]),
            {},
            {},
            scaled(saved[3]),
            scaled(saved[4]),
            {},
            {}};
  }
};

struct GoldFunction : Function<GoldFunction> {
  static Tensor forward(AutogradContext* context, const Tensor& states, const Tensor& weight,
                        const OptionalTensor& bias, const Tensor& gold) {
    const Tensor in = states.contiguous(), w = weight.contiguous(), b = contiguous_or_null(bias);
    const Precision precision = product_precision();
    context->save_for_backward({in, w, b, gold});
    context->saved_data["precision"] = static_cast<std::int64_t>(precision);
    return -pass_over(in, w, b, gold, {0, false, {}, {}, precision}).nll;
  }
  static tensor_list backward(AutogradContext* context, tensor_list grads) {
    const auto saved = context->get_saved_variables();
    const auto precision = static_cast<Precision>(context->saved_data["precision"].toInt());
    const Pass pass =
        pass_over(saved[0], saved[1], saved[2], saved[3], {0, true, {}, -grads[0].contiguous(), precision});
    return {pass.grad_states, pass.grad_weight, pass.grad_bias, {}};
  }
};

void check(const Tensor& states, const Tensor& weight, const Tensor& gold, const GoldMixture& mixture = {}) {
  if (states.dim() != 2 || weight.dim() != 2 || gold.dim() != 1 || states.size(1) != weight.size(1) ||
      gold.size(0) != states.size(0))
    throw ShapeError("projection loss: states must be [R, D], weight [V, D] and gold [R]");
  const bool mixed = mixture.log_share.defined();
  if (mixed != mixture.log_other.defined() ||
      (mixed && (mixture.log_share.sizes() != gold.sizes() || mixture.log_other.sizes() != gold.sizes())))
    throw ShapeError("projection loss: both parts of a mixture must be [R]");
  if (gold.numel() == 0) return;
  if (gold.min().item<std::int64_t>() < (mixed ? -1 : 0) || gold.max().item<std::int64_t>() >= weight.size(0))
    throw ShapeError("projection loss: a gold column is outside the vocabulary of " +
                     std::to_string(weight.size(0)));
}

bool recording(const Tensor& states, const Tensor& weight, const Tensor& bias,
               const GoldMixture& mixture = {}) {
  bool wanted = false;
  for (const Tensor* x : {&states, &weight, &bias, &mixture.log_share, &mixture.log_other})
    wanted = wanted || (x->defined() && x->requires_grad());
  return at::GradMode::is_enabled() && wanted;
}

ProjectionLoss fused_loss(const Tensor& states, const Tensor& weight, const Tensor& bias, const Tensor& gold,
                          double smoothing, const GoldMixture& mixture, double consistency) {
  ProjectionLoss result;
  const OptionalTensor share = optional_of(mixture.log_share), other = optional_of(mixture.log_other);
  if (recording(states, weight, bias, mixture)) {
    result.loss = LossFunction::apply(states, weight, optional_of(bias), gold, smoothing, share, other,
                                      consistency, &result.nll);
    return result;
  }
  const Pass pass =
      pass_over(states.contiguous(), weight.contiguous(), contiguous_or_null(optional_of(bias)), gold,
                {smoothing, false, contiguous(share, other), {}, Precision::kFloat32, consistency});
  result.loss = pass.loss.sum();
  result.nll = pass.nll.sum(torch::kFloat64).item<double>();
  return result;
}

// The same with LibTorch's operations.
ProjectionLoss generic_loss(const Tensor& states, const Tensor& weight, const Tensor& bias,
                            const Tensor& gold, double smoothing, const GoldMixture& mixture) {
  ProjectionLoss result;
  const Tensor log_probs = torch::log_softmax(torch::linear(states, weight, bias), 1);  // [R, V]
  Tensor told = log_probs.gather(1, gold.clamp_min(0).unsqueeze(1)).squeeze(1);         // [R]
  if (mixture.log_share.defined())
    told = torch::logaddexp(
        (mixture.log_share + told).masked_fill(gold < 0, -std::numeric_limits<double>::infinity()),
        mixture.log_other);
  result.nll = -told.sum().item<double>();
  result.loss =
      -(1 - smoothing) * told.sum() - (smoothing / static_cast<double>(weight.size(0))) * log_probs.sum();
  return result;
}

}  // namespace

ProjectionLoss projection_loss(const Tensor& states, const Tensor& weight, const Tensor& bias,
                               const Tensor& gold_in, double smoothing, const GoldMixture& mixture) {
  check(states, weight, gold_in, mixture);
  if (!has_kernels(states)) return generic_loss(states, weight, bias, gold_in, smoothing, mixture);
  return fused_loss(states, weight, bias, gold_in.contiguous(), smoothing, mixture, 0);
}

ProjectionLoss paired_projection_loss(const Tensor& states, const Tensor& weight, const Tensor& bias,
                                      const Tensor& gold, double smoothing, double consistency) {
  if (states.dim() != 2 || gold.dim() != 1 || states.size(0) != 2 * gold.size(0))
    throw ShapeError("projection loss: two passes need states [2 R, D] for gold [R]");
  if (!(consistency > 0)) throw ConfigError("projection loss: the weight of consistency must be above 0");
  const std::int64_t rows = gold.size(0), width = states.size(1);
  const Tensor pairs = states.reshape({2, rows, width}).transpose(0, 1).reshape({2 * rows, width});
  const Tensor twice = gold.repeat_interleave(2);
  check(pairs, weight, twice);
  if (!has_kernels(states)) {
    const Tensor log_probs = torch::log_softmax(torch::linear(pairs, weight, bias), 1).view({rows, 2, -1});
    const Tensor p = log_probs.select(1, 0), q = log_probs.select(1, 1);
    ProjectionLoss result = generic_loss(pairs, weight, bias, twice, smoothing, {});
    result.loss = result.loss + consistency / 2 * ((p.exp() - q.exp()) * (p - q)).sum();
    return result;
  }
  return fused_loss(pairs, weight, bias, twice, smoothing, {}, consistency);
}

Tensor gold_log_probs(const Tensor& states, const Tensor& weight, const Tensor& bias, const Tensor& gold_in) {
  check(states, weight, gold_in);
  if (!has_kernels(states))
    return torch::log_softmax(torch::linear(states, weight, bias), 1)
        .gather(1, gold_in.unsqueeze(1))
        .squeeze(1);
  const Tensor gold = gold_in.contiguous();
  if (recording(states, weight, bias)) return GoldFunction::apply(states, weight, optional_of(bias), gold);
  return -pass_over(states.contiguous(), weight.contiguous(), bias.defined() ? bias.contiguous() : bias, gold,
                    {})
              .nll;
}

}  // namespace kgwalk::seq2seq
