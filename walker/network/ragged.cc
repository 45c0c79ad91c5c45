#include "walker/network/ragged.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kgwalk/error.h"

namespace kgwalk::walker {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

void check_offsets(const Tensor& offsets, std::int64_t total) {
  const bool fits = offsets.dtype() == torch::kInt64 && offsets.dim() == 1 && offsets.size(0) >= 1 &&
                    offsets.device().is_cpu() && offsets.is_contiguous() &&
                    offsets.data_ptr<std::int64_t>()[offsets.size(0) - 1] == total;
  if (!fits)
    throw ShapeError(
        "ragged operation: offsets must be int64 [N + 1] on the CPU and end at the last candidate");
}

template <class T>
void log_softmax_forward(const T* x, const std::int64_t* offsets, std::int64_t n, T* y) {
#pragma omp parallel for schedule(dynamic, 16)
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t begin = offsets[i], end = offsets[i + 1];
    if (begin == end) continue;
    const T top = *std::max_element(x + begin, x + end);
    T sum = 0;
    for (std::int64_t k = begin; k < end; ++k) sum += std::exp(x[k] - top);
    const T log_sum = top + std::log(sum);
    for (std::int64_t k = begin; k < end; ++k) y[k] = x[k] - log_sum;
  }
}

template <class T>
void log_softmax_backward(const T* g, const T* y, const std::int64_t* offsets, std::int64_t n, T* gx) {
#pragma omp parallel for schedule(dynamic, 16)
  for (std::int64_t i = 0; i < n; ++i) {
    T sum = 0;
    for (std::int64_t k = offsets[i]; k < offsets[i + 1]; ++k) sum += g[k];
    for (std::int64_t k = offsets[i]; k < offsets[i + 1]; ++k) gx[k] = g[k] - std::exp(y[k]) * sum;
  }
}

struct LogSoftmax : torch::autograd::Function<LogSoftmax> {
  static Tensor forward(AutogradContext* context, const Tensor& scores, const Tensor& offsets) {
    const Tensor x = scores.contiguous();
    Tensor y = torch::empty_like(x);
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "ragged_log_softmax", [&] {
      log_softmax_forward(x.data_ptr<scalar_t>(), offsets.data_ptr<std::int64_t>(), offsets.size(0) - 1,
                          y.data_ptr<scalar_t>());
    });
    context->save_for_backward({y, offsets});
    return y;
  }
  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor g = gradients[0].contiguous();
    Tensor gx = torch::empty_like(g);
    AT_DISPATCH_FLOATING_TYPES(g.scalar_type(), "ragged_log_softmax_backward", [&] {
      log_softmax_backward(g.data_ptr<scalar_t>(), saved[0].data_ptr<scalar_t>(),
                           saved[1].data_ptr<std::int64_t>(), saved[1].size(0) - 1, gx.data_ptr<scalar_t>());
    });
    return {gx, Tensor()};
  }
};

constexpr std::int64_t kAhead = 8;  // candidates fetched from memory before their turn

template <class T>
struct ProductArguments {
  const T* states;
  const T* table;
  const std::int64_t* rows;
  const std::int64_t* offsets;
  std::int64_t n, width;
};

template <class T>
void product_forward(const ProductArguments<T>& a, T* out) {
#pragma omp parallel for schedule(dynamic, 8)
  for (std::int64_t i = 0; i < a.n; ++i) {
    const T* state = a.states + i * a.width;
    for (std::int64_t k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
      // Rows lie all over the table.
      if (k + kAhead < a.offsets[a.n]) __builtin_prefetch(a.table + a.rows[k + kAhead] * a.width);
      const T* row = a.table + a.rows[k] * a.width;
      T sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::int64_t d = 0; d < a.width; ++d) sum += state[d] * row[d];
      out[k] = sum;
    }
  }
}

template <class T>
void product_backward_states(const ProductArguments<T>& a, const T* g, T* out) {
#pragma omp parallel for schedule(dynamic, 8)
  for (std::int64_t i = 0; i < a.n; ++i) {
    T* gradient = out + i * a.width;
    for (std::int64_t k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
      const T* row = a.table + a.rows[k] * a.width;
      const T weight = g[k];
#pragma omp simd
      for (std::int64_t d = 0; d < a.width; ++d) gradient[d] += weight * row[d];
    }
  }
}

// One thread: several candidates share a row, and the order of additions must not depend on the
// number of threads.
template <class T>
void product_backward_table(const ProductArguments<T>& a, const T* g, T* out) {
  for (std::int64_t i = 0; i < a.n; ++i) {
    const T* state = a.states + i * a.width;
    for (std::int64_t k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
      T* row = out + a.rows[k] * a.width;
      const T weight = g[k];
#pragma omp simd
      for (std::int64_t d = 0; d < a.width; ++d) row[d] += weight * state[d];
    }
  }
}

template <class T>
ProductArguments<T> arguments_of(const Tensor& states, const Tensor& table, const Tensor& rows,
                                 const Tensor& offsets) {
  return {states.data_ptr<T>(),
          table.data_ptr<T>(),
          rows.data_ptr<std::int64_t>(),
          offsets.data_ptr<std::int64_t>(),
          states.size(0),
          states.size(1)};
}

struct Product : torch::autograd::Function<Product> {
  static Tensor forward(AutogradContext* context, const Tensor& states_in, const Tensor& table_in,
                        const Tensor& rows, const Tensor& offsets) {
    const Tensor states = states_in.contiguous(), table = table_in.contiguous();
    Tensor out = torch::empty({rows.size(0)}, states.options());
    AT_DISPATCH_FLOATING_TYPES(states.scalar_type(), "ragged_product", [&] {
      product_forward(arguments_of<scalar_t>(states, table, rows, offsets), out.data_ptr<scalar_t>());
    });
    context->saved_data["table"] = table_in.requires_grad();
    context->save_for_backward({states, table, rows, offsets});
    return out;
  }
  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor g = gradients[0].contiguous();
    Tensor states_gradient = torch::zeros_like(saved[0]);
    Tensor table_gradient;
    if (context->saved_data["table"].toBool()) table_gradient = torch::zeros_like(saved[1]);
    AT_DISPATCH_FLOATING_TYPES(g.scalar_type(), "ragged_product_backward", [&] {
      const auto a = arguments_of<scalar_t>(saved[0], saved[1], saved[2], saved[3]);
      product_backward_states(a, g.data_ptr<scalar_t>(), states_gradient.data_ptr<scalar_t>());
      if (table_gradient.defined())
        product_backward_table(a, g.data_ptr<scalar_t>(), table_gradient.data_ptr<scalar_t>());
    });
    return {states_gradient, table_gradient, Tensor(), Tensor()};
  }
};

Tensor log_softmax_of_torch(const Tensor& scores, const Tensor& offsets) {
  const std::int64_t n = offsets.size(0) - 1;
  const Tensor segment = segments_of(offsets).to(scores.device());
  const Tensor top = torch::full({n}, -std::numeric_limits<float>::infinity(), scores.options())
                         .scatter_reduce(0, segment, scores.detach(), "amax");
  const Tensor shifted = scores - top.index_select(0, segment);
  const Tensor sums = torch::zeros({n}, scores.options()).index_add(0, segment, shifted.exp());
  return shifted - sums.log().index_select(0, segment);
}

}  // namespace

Tensor segments_of(const Tensor& offsets) {
  const std::int64_t n = offsets.size(0) - 1;
  const Tensor lengths = offsets.slice(0, 1) - offsets.slice(0, 0, n);
  return torch::repeat_interleave(lengths);
}

Tensor ragged_log_softmax(const Tensor& scores, const Tensor& offsets) {
  check_offsets(offsets, scores.size(0));
  if (!scores.device().is_cpu()) return log_softmax_of_torch(scores, offsets);
  return LogSoftmax::apply(scores, offsets);
}

Tensor ragged_product(const Tensor& states, const Tensor& table, const Tensor& rows, const Tensor& offsets) {
  check_offsets(offsets, rows.size(0));
  if (states.dim() != 2 || table.dim() != 2 || states.size(1) != table.size(1) ||
      states.size(0) + 1 != offsets.size(0) || states.scalar_type() != table.scalar_type())
    throw ShapeError(
        "ragged_product: states [N, D] and table [V, D] of one type are needed, one state a segment");
  if (states.device().is_cpu()) return Product::apply(states, table, rows, offsets);
  const Tensor segment = segments_of(offsets).to(states.device());
  return (states.index_select(0, segment) * table.index_select(0, rows)).sum(1);
}

Tensor ragged_pick(const Tensor& matrix, const Tensor& columns, const Tensor& offsets) {
  check_offsets(offsets, columns.size(0));
  const Tensor segment = segments_of(offsets).to(matrix.device());
  return matrix.reshape({-1}).index_select(0, segment * matrix.size(1) + columns.to(matrix.device()));
}

Tensor ragged_repeat(const Tensor& rows, const Tensor& offsets) {
  return rows.index_select(0, segments_of(offsets).to(rows.device()));
}

}  // namespace kgwalk::walker
