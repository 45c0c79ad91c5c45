#include "seq2seq/kernels/functions.h"

#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <initializer_list>
#include <mutex>

#include "kgwalk/error.h"
#include "seq2seq/kernels/products.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::tensor_list;

// An undefined tensor cannot be an argument of Function::apply; an empty optional can.
using Optional = c10::optional<Tensor>;
Optional optional(const Tensor& x) { return x.defined() ? Optional(x) : Optional(); }
Tensor defined_or_null(const Optional& x) { return x.has_value() ? x->contiguous() : Tensor(); }

RowShape rows_of(const Tensor& x) {
  const std::int64_t width = x.dim() > 0 ? x.size(-1) : 1;
  return {width > 0 ? x.numel() / width : 0, width};
}

template <class T>
T* data_or_null(const Tensor& x) {
  return x.defined() ? x.data_ptr<T>() : nullptr;
}

void save_dropout(AutogradContext* context, const math::Dropout& dropout) {
  context->saved_data["p"] = dropout.p;
  context->saved_data["seed"] = static_cast<std::int64_t>(dropout.seed);
}

math::Dropout saved_dropout(AutogradContext* context) {
  return {context->saved_data["p"].toDouble(),
          static_cast<std::uint64_t>(context->saved_data["seed"].toInt())};
}

void save_precision(AutogradContext* context, Precision precision) {
  context->saved_data["precision"] = static_cast<std::int64_t>(precision);
}

Precision saved_precision(AutogradContext* context) {
  return static_cast<Precision>(context->saved_data["precision"].toInt());
}

void activate_kernel(Activation activation, const Tensor& bias, math::Dropout dropout, Tensor& x,
                     Tensor& out) {
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "activate_rows", [&] {
    activate_rows<scalar_t>(rows_of(x), activation, data_or_null<scalar_t>(bias), dropout,
                            x.data_ptr<scalar_t>(), out.data_ptr<scalar_t>());
  });
}

void activate_backward_kernel(Activation activation, math::Dropout dropout, const Tensor& x, Tensor& grad) {
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "activate_rows_backward", [&] {
    activate_rows_backward<scalar_t>(rows_of(x), activation, dropout, x.data_ptr<scalar_t>(),
                                     grad.data_ptr<scalar_t>());
  });
}

Tensor dropout_add_kernel(const Tensor& x, const Tensor& residual, math::Dropout dropout) {
  Tensor out = torch::empty_like(x);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "dropout_add_rows", [&] {
    dropout_add_rows<scalar_t>(rows_of(x), dropout, x.data_ptr<scalar_t>(), data_or_null<scalar_t>(residual),
                               out.data_ptr<scalar_t>());
  });
  return out;
}

Tensor sum_of_columns(const Tensor& x) {  // [rows, width] -> [width]
  Tensor out = torch::empty({x.size(-1)}, x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "column_sums", [&] {
    column_sums<scalar_t>(rows_of(x), x.data_ptr<scalar_t>(), out.data_ptr<scalar_t>());
  });
  return out;
}

// Whether a gradient may be asked for; without one the kernels run bare, since a graph node costs more than
// a small product.
bool recording(std::initializer_list<const Tensor*> inputs) {
  if (!at::GradMode::is_enabled()) return false;
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const Tensor* x) { return x->defined() && x->requires_grad(); });
}

Tensor norm_kernel(const Tensor& in, const Tensor& add, const Tensor& weight, const Tensor& bias, double eps,
                   const Tensor& sum, const Tensor& statistics) {
  Tensor out = torch::empty_like(in);
  AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "norm_rows", [&] {
    norm_rows<scalar_t>(rows_of(in),
                        {in.data_ptr<scalar_t>(), data_or_null<scalar_t>(add), weight.data_ptr<scalar_t>(),
                         bias.data_ptr<scalar_t>(), out.data_ptr<scalar_t>(), data_or_null<scalar_t>(sum),
                         data_or_null<scalar_t>(statistics), eps});
  });
  return out;
}

Tensor linear_rows(const Tensor& in, const Tensor& weight, const Tensor& bias,
                   Precision precision) {  // [R, in] -> [R, out]
  Tensor out = torch::empty({in.size(0), weight.size(0)}, in.options());
  product_into(out, in, weight.t(), bias, precision);
  return out;
}

Tensor contiguous_or_null(const Tensor& x) { return x.defined() ? x.contiguous() : x; }

struct ActivateFunction : Function<ActivateFunction> {
  static Tensor forward(AutogradContext* context, const Tensor& x, Activation activation) {
    Tensor in = x.contiguous(), out = torch::empty_like(in);
    activate_kernel(activation, {}, {}, in, out);
    context->save_for_backward({in});
    context->saved_data["activation"] = static_cast<std::int64_t>(activation);
    return out;
  }
  static tensor_list backward(AutogradContext* context, tensor_list grads) {
    Tensor grad = grads[0].clone(at::MemoryFormat::Contiguous);
    activate_backward_kernel(static_cast<Activation>(context->saved_data["activation"].toInt()), {},
                             context->get_saved_variables()[0], grad);
    return {grad, {}};
  }
};

struct DropoutAddFunction : Function<DropoutAddFunction> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Optional& residual,
                        const math::Dropout& dropout) {
    save_dropout(context, dropout);
    context->saved_data["residual"] = residual.has_value();
    return dropout_add_kernel(x.contiguous(), defined_or_null(residual), dropout);
  }
  static tensor_list backward(AutogradContext* context, tensor_list grads) {
    const math::Dropout dropout = saved_dropout(context);
    const Tensor grad_x =
        dropout.active() ? dropout_add_kernel(grads[0].contiguous(), {}, dropout) : grads[0];
    return {grad_x, context->saved_data["residual"].toBool() ? grads[0] : Tensor(), {}};
  }
};

struct LayerNormFunction : Function<LayerNormFunction> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Optional& residual,
                        const Tensor& weight, const Tensor& bias, double eps) {
    const Tensor in = x.contiguous(), add = defined_or_null(residual);
    const Tensor sum = add.defined() ? torch::empty_like(in) : Tensor();
    const Tensor statistics = torch::empty({rows_of(in).rows, 2}, in.options());
    Tensor out = norm_kernel(in, add, weight, bias, eps, sum, statistics);
    context->save_for_backward({add.defined() ? sum : in, weight, statistics});
    context->saved_data["residual"] = add.defined();
    return out;
  }
  static tensor_list backward(AutogradContext* context, tensor_list grads) {
    const auto saved = context->get_saved_variables();
    const Tensor grad_out = grads[0].contiguous();
    Tensor grad = torch::empty_like(saved[0]), grad_weight = torch::empty_like(saved[1]),
           grad_bias = torch::empty_like(saved[1]);
    AT_DISPATCH_FLOATING_TYPES(grad.scalar_type(), "norm_rows_backward", [&] {
      norm_rows_backward<scalar_t>(
          rows_of(grad),
          {saved[0].data_ptr<scalar_t>(), saved[1].data_ptr<scalar_t>(), saved[2].data_ptr<scalar_t>(),
           grad_out.data_ptr<scalar_t>(), grad.data_ptr<scalar_t>(), grad_weight.data_ptr<scalar_t>(),
           grad_bias.data_ptr<scalar_t>()});
    });
    return {grad, context->saved_data["residual"].toBool() ? grad : Tensor(), grad_weight, grad_bias, {}};
  }
};

// W_1 x without its bias, then bias, activation and dropout in one pass.
struct FeedForwardFunction : Function<FeedForwardFunction> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& w1, const Optional& b1,
                        const Tensor& w2, const Optional& b2, Activation activation,
                        const math::Dropout& dropout, Precision precision) {
    const Tensor in = x.reshape({-1, x.size(-1)});      // [R, D]
    Tensor inner = linear_rows(in, w1, {}, precision);  // [R, F]
    Tensor active = torch::empty_like(inner);           // [R, F]
    activate_kernel(activation, defined_or_null(b1), dropout, inner, active);
    context->save_for_backward({in, inner, active, w1, w2});
    context->saved_data["activation"] = static_cast<std::int64_t>(activation);
    context->saved_data["bias"] = b1.has_value();
    save_dropout(context, dropout);
    save_precision(context, precision);
    return linear_rows(active, w2, defined_or_null(b2), precision).reshape(x.sizes());
  }
  static tensor_list backward(AutogradContext* context, tensor_list grads) {
    const auto saved = context->get_saved_variables();
    const Tensor &in = saved[0], &inner = saved[1], &active = saved[2], &w1 = saved[3], &w2 = saved[4];
    const bool bias = context->saved_data["bias"].toBool();
    const Precision precision = saved_precision(context);
    const Tensor grad_out = grads[0].reshape({in.size(0), -1}).contiguous();  // [R, D]
    Tensor grad = product(grad_out, w2, precision);                           // [R, F]
    activate_backward_kernel(static_cast<Activation>(context->saved_data["activation"].toInt()),
                             saved_dropout(context), inner, grad);
    const Tensor grad_x = product(grad, w1, precision).reshape(grads[0].sizes());
    return {grad_x,
            product(grad.t(), in, precision),
            bias ? sum_of_columns(grad) : Tensor(),
            product(grad_out.t(), active, precision),
            bias ? sum_of_columns(grad_out) : Tensor(),
            {},
            {},
            {}};
  }
};

struct LinearFunction : Function<LinearFunction> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& weight,
                        const Optional& bias) {
    const Tensor in = x.reshape({-1, x.size(-1)});  // [R, in]
    const Precision precision = product_precision();
    context->save_for_backward({in, weight});
    context->saved_data["bias"] = bias.has_value();
    save_precision(context, precision);
    std::vector<std::int64_t> shape = x.sizes().vec();
    shape.back() = weight.size(0);
    return linear_rows(in, weight, defined_or_null(bias), precision).reshape(shape);
  }
  static tensor_list backward(AutogradContext* context, tensor_list grads) {
    const auto saved = context->get_saved_variables();
    const Tensor grad = grads[0].reshape({saved[0].size(0), -1}).contiguous();  // [R, out]
    std::vector<std::int64_t> shape = grads[0].sizes().vec();
    shape.back() = saved[1].size(1);
    const Precision precision = saved_precision(context);
    const Tensor grad_x =
        context->needs_input_grad(0) ? product(grad, saved[1], precision).reshape(shape) : Tensor();
    return {grad_x, product(grad.t(), saved[0], precision),
            context->saved_data["bias"].toBool() ? sum_of_columns(grad) : Tensor()};
  }
};

Tensor activate_generic(const Tensor& x, Activation activation) {
  switch (activation) {
    case Activation::kGelu:
      return torch::gelu(x);
    case Activation::kGeluNew:
      return torch::gelu(x, "tanh");
    case Activation::kRelu:
      return torch::relu(x);
    case Activation::kSwish:
      return torch::silu(x);
    case Activation::kNone:
      break;
  }
  return x;
}

}  // namespace

bool has_kernels(const Tensor& x) {
  return x.device().is_cpu() && (x.scalar_type() == torch::kFloat32 || x.scalar_type() == torch::kFloat64);
}

math::Dropout new_dropout(double p) {
  if (p <= 0) return {};
  auto generator = at::detail::getDefaultCPUGenerator();
  const std::lock_guard<std::mutex> lock(generator.mutex());
  return {p, generator.get<at::CPUGeneratorImpl>()->random64()};
}

Tensor activate(const Tensor& x, Activation activation) {
  if (!has_kernels(x)) return activate_generic(x, activation);
  if (recording({&x})) return ActivateFunction::apply(x, activation);
  Tensor in = x.contiguous(), out = torch::empty_like(in);
  activate_kernel(activation, {}, {}, in, out);
  return out;
}

Tensor dropout_add(const Tensor& x, const Tensor& residual, double p) {
  if (p <= 0) return residual.defined() ? x + residual : x;
  if (has_kernels(x)) return DropoutAddFunction::apply(x, optional(residual), new_dropout(p));
  const Tensor dropped = torch::dropout(x, p, true);
  return residual.defined() ? dropped + residual : dropped;
}

Tensor layer_norm(const Tensor& x, const Tensor& residual, const Tensor& weight, const Tensor& bias,
                  double eps) {
  if (!has_kernels(x))
    return torch::layer_norm(residual.defined() ? x + residual : x, {x.size(-1)}, weight, bias, eps);
  if (recording({&x, &residual, &weight, &bias}))
    return LayerNormFunction::apply(x, optional(residual), weight, bias, eps);
  return norm_kernel(x.contiguous(), contiguous_or_null(residual), weight, bias, eps, {}, {});
}

Tensor feed_forward(const Tensor& x, const FeedForwardWeights& w, Activation activation, double p) {
  if (has_kernels(x))
    return FeedForwardFunction::apply(x, w.w1, optional(w.b1), w.w2, optional(w.b2), activation,
                                      new_dropout(p),
                                      at::GradMode::is_enabled() ? product_precision() : Precision::kFloat32);
  const Tensor inner = activate_generic(torch::linear(x, w.w1, w.b1), activation);
  return torch::linear(p > 0 ? torch::dropout(inner, p, true) : inner, w.w2, w.b2);
}

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  if (!has_kernels(x) || !recording({&x, &weight, &bias})) return torch::linear(x, weight, bias);
  return LinearFunction::apply(x, weight, optional(bias));
}

}  // namespace kgwalk::seq2seq
