#include "seq2seq/attention/attend.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "kgwalk/error.h"
#include "seq2seq/attention/attend_generic.h"
#include "seq2seq/attention/attend_plan.h"
#include "seq2seq/kernels/attend_cpu.h"
#include "seq2seq/kernels/functions.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::tensor_list;

void keep_plan(AutogradContext* context, const c10::intrusive_ptr<AttendPlan>& plan) {
  context->saved_data["plan"] = c10::IValue::make_capsule(plan);
}

c10::intrusive_ptr<AttendPlan> plan_of(AutogradContext* context) {
  return c10::static_intrusive_pointer_cast<AttendPlan>(context->saved_data["plan"].toCapsule());
}

template <class T>
HeadRows<T> rows_of(const Tensor& packed, std::int64_t column) {
  return {packed.data_ptr<std::remove_const_t<T>>() + column, packed.stride(0), packed.stride(1)};
}

// Queries of an example are N / B consecutive rows of the first dimension.
template <class T>
HeadRows<T> query_rows(const Tensor& packed, std::int64_t column, const AttendPlan& plan) {
  return {packed.data_ptr<std::remove_const_t<T>>() + column, plan.queries * packed.size(2), packed.size(2)};
}

Tensor run_forward(const AttendPlan& plan, at::TensorList tensors, Tensor* lse) {
  const Tensor& query = tensors[0];
  const std::int64_t inner = plan.inner();
  const std::int64_t count = static_cast<std::int64_t>(plan.sources.size());
  Tensor out =
      torch::empty({query.size(0), query.size(1), plan.options.sum ? inner : count * inner}, query.options());
  if (lse) *lse = torch::empty({count, plan.examples, plan.options.heads, plan.queries}, query.options());
  AT_DISPATCH_FLOATING_TYPES(query.scalar_type(), "attend_forward", [&] {
    for (std::int64_t i = 0; i < count; ++i) {
      const AttendSource& source = plan.sources[static_cast<std::size_t>(i)];
      const Tensor& packed = tensors[static_cast<std::size_t>(source.tensor)];
      attend_forward<scalar_t>(plan.shape(static_cast<std::size_t>(i)),
                               query_rows<const scalar_t>(query, 0, plan),
                               rows_of<const scalar_t>(packed, source.key_column),
                               rows_of<const scalar_t>(packed, source.value_column),
                               query_rows<scalar_t>(out, plan.options.sum ? 0 : i * inner, plan),
                               plan.options.sum && i > 0, lse ? (*lse)[i].data_ptr<scalar_t>() : nullptr);
    }
  });
  return out;
}

struct AttendFunction : Function<AttendFunction> {
  static Tensor forward(AutogradContext* context, at::TensorList tensors,
                        const c10::intrusive_ptr<AttendPlan>& plan) {
    Tensor lse;
    const Tensor out = run_forward(*plan, tensors, &lse);
    tensor_list saved(tensors.begin(), tensors.end());
    saved.push_back(lse);
    context->save_for_backward(saved);
    keep_plan(context, plan);
    return out;
  }

  static tensor_list backward(AutogradContext* context, tensor_list grads) {
    const tensor_list saved = context->get_saved_variables();
    const auto held = plan_of(context);
    const AttendPlan& plan = *held;
    const Tensor grad_out = grads[0].contiguous(), lse = saved.back();
    tensor_list result;
    for (std::size_t i = 0; i + 1 < saved.size(); ++i)
      result.push_back(plan.covers(saved[i], i) ? torch::empty_like(saved[i]) : torch::zeros_like(saved[i]));
    AT_DISPATCH_FLOATING_TYPES(grad_out.scalar_type(), "attend_backward", [&] {
      for (std::size_t i = 0; i < plan.sources.size(); ++i) {
        const AttendSource& source = plan.sources[i];
        const std::size_t at = static_cast<std::size_t>(source.tensor);
        const std::int64_t column = plan.options.sum ? 0 : static_cast<std::int64_t>(i) * plan.inner();
        attend_backward<scalar_t>(plan.shape(i), query_rows<const scalar_t>(saved[0], 0, plan),
                                  rows_of<const scalar_t>(saved[at], source.key_column),
                                  rows_of<const scalar_t>(saved[at], source.value_column),
                                  query_rows<const scalar_t>(grad_out, column, plan),
                                  lse[static_cast<std::int64_t>(i)].data_ptr<scalar_t>(),
                                  query_rows<scalar_t>(result[0], 0, plan), i > 0,
                                  rows_of<scalar_t>(result[at], source.key_column),
                                  rows_of<scalar_t>(result[at], source.value_column));
      }
    });
    result.emplace_back();
    return result;
  }
};

// ---- the same in two parts, for logits that are changed in between ----

Tensor logits_of(const AttendPlan& plan, at::TensorList tensors) {
  const AttendSource& source = plan.sources[0];
  const Tensor &query = tensors[0], &packed = tensors[static_cast<std::size_t>(source.tensor)];
  Tensor out = torch::empty({plan.examples, plan.options.heads, plan.queries, plan.keys}, query.options());
  AT_DISPATCH_FLOATING_TYPES(query.scalar_type(), "attention_logits", [&] {
    attention_logits<scalar_t>(plan.shape(0), query_rows<const scalar_t>(query, 0, plan),
                               rows_of<const scalar_t>(packed, source.key_column), out.data_ptr<scalar_t>());
  });
  return out;
}

Tensor weigh(const AttendPlan& plan, const Tensor& logits, const Tensor& packed, Tensor* lse) {
  Tensor out = torch::empty({plan.examples, plan.queries, plan.inner()}, packed.options());
  if (lse) *lse = torch::empty({plan.examples, plan.options.heads, plan.queries}, packed.options());
  AT_DISPATCH_FLOATING_TYPES(packed.scalar_type(), "attend_logits", [&] {
    attend_logits_forward<scalar_t>(plan.shape(0), logits.data_ptr<scalar_t>(),
                                    rows_of<const scalar_t>(packed, plan.sources[0].value_column),
                                    rows_of<scalar_t>(out, 0), false,
                                    lse ? lse->data_ptr<scalar_t>() : nullptr);
  });
  return out;
}

struct LogitsFunction : Function<LogitsFunction> {
  static Tensor forward(AutogradContext* context, at::TensorList tensors,
                        const c10::intrusive_ptr<AttendPlan>& plan) {
    context->save_for_backward(tensor_list(tensors.begin(), tensors.end()));
    keep_plan(context, plan);
    return logits_of(*plan, tensors);
  }

  static tensor_list backward(AutogradContext* context, tensor_list grads) {
    const tensor_list saved = context->get_saved_variables();
    const auto held = plan_of(context);
    const AttendPlan& plan = *held;
    const AttendSource& source = plan.sources[0];
    const Tensor grad = grads[0].contiguous();
    tensor_list result;
    for (const Tensor& tensor : saved) result.push_back(torch::zeros_like(tensor));
    const auto at = static_cast<std::size_t>(source.tensor);
    AT_DISPATCH_FLOATING_TYPES(grad.scalar_type(), "attention_logits_backward", [&] {
      attention_logits_backward<scalar_t>(plan.shape(0), query_rows<const scalar_t>(saved[0], 0, plan),
                                          rows_of<const scalar_t>(saved[at], source.key_column),
                                          grad.data_ptr<scalar_t>(), query_rows<scalar_t>(result[0], 0, plan),
                                          rows_of<scalar_t>(result[at], source.key_column));
    });
    result.emplace_back();
    return result;
  }
};

struct WeighFunction : Function<WeighFunction> {
  static Tensor forward(AutogradContext* context, const Tensor& logits, const Tensor& packed,
                        const c10::intrusive_ptr<AttendPlan>& plan) {
    Tensor lse;
    const Tensor out = weigh(*plan, logits, packed, &lse);
    context->save_for_backward({logits, packed, lse});
    keep_plan(context, plan);
    return out;
  }

  static tensor_list backward(AutogradContext* context, tensor_list grads) {
    const tensor_list saved = context->get_saved_variables();
    const auto held = plan_of(context);
    const AttendPlan& plan = *held;
    const std::int64_t column = plan.sources[0].value_column;
    const Tensor grad = grads[0].contiguous(), grad_logits = torch::empty_like(saved[0]);
    const Tensor grad_packed = torch::zeros_like(saved[1]);
    AT_DISPATCH_FLOATING_TYPES(grad.scalar_type(), "attend_logits_backward", [&] {
      attend_logits_backward<scalar_t>(
          plan.shape(0), saved[0].data_ptr<scalar_t>(), rows_of<const scalar_t>(saved[1], column),
          rows_of<const scalar_t>(grad, 0), saved[2].data_ptr<scalar_t>(), grad_logits.data_ptr<scalar_t>(),
          rows_of<scalar_t>(grad_packed, column));
    });
    return {grad_logits, grad_packed, Tensor()};
  }
};

// The first source's logits pass through the map of the options; the other sources are attended to as ever.
Tensor attend_mapped(const c10::intrusive_ptr<AttendPlan>& plan, const Tensor& query,
                     const std::vector<TraceEntry>& sources, const AttendOptions& options) {
  const TraceEntry& first = sources[0];
  tensor_list tensors{query.contiguous()};
  const bool own = first.packed.is_same(tensors[0]);
  const Tensor packed = own || first.packed.stride(2) == 1 ? first.packed : first.packed.contiguous();
  if (!own) tensors.push_back(packed);
  plan->sources = {{own ? 0 : 1, first.key_column, first.value_column}};
  plan->dropout = new_dropout(options.dropout);
  const auto wanted = [](const Tensor& x) { return at::GradMode::is_enabled() && x.requires_grad(); };
  const bool gradient = std::any_of(tensors.begin(), tensors.end(), wanted);
  const Tensor raw =
      gradient ? LogitsFunction::apply(at::TensorList(tensors), plan) : logits_of(*plan, tensors);
  const Tensor logits = (*options.logit_map)(raw).contiguous();
  const Tensor out = gradient || wanted(logits) ? WeighFunction::apply(logits, packed, plan)
                                                : weigh(*plan, logits, packed, nullptr);
  if (sources.size() == 1) return out;
  AttendOptions rest = options;
  rest.logit_map = nullptr;
  const Tensor others = attend(query, {sources.begin() + 1, sources.end()}, rest);
  return options.sum ? out + others : torch::cat({out, others}, 2);
}

// ---- choosing ----

[[noreturn]] void refuse(const std::string& what) { throw ShapeError("attention: " + what); }

std::string text_of(const Tensor& x) {
  std::string text;
  for (const std::int64_t size : x.sizes()) text += (text.empty() ? "[" : ", ") + std::to_string(size);
  return text + "]";
}

void check_sources(const Tensor& query, const std::vector<TraceEntry>& sources, const AttendOptions& o) {
  if (query.dim() != 3 || query.size(2) < o.heads * o.d)
    refuse("queries " + text_of(query) + " lack " + std::to_string(o.heads * o.d) + " columns");
  for (const TraceEntry& s : sources) {
    if (s.packed.size(0) != sources[0].packed.size(0) || s.length != sources[0].length)
      refuse("earlier layers hold " + std::to_string(s.length) + " positions of " +
             std::to_string(s.packed.size(0)) + " examples, the current one " +
             std::to_string(sources[0].length) + " of " + std::to_string(sources[0].packed.size(0)));
    if (s.inner_width != o.heads * o.d)
      refuse("keys of width " + std::to_string(s.inner_width) + " for queries of width " +
             std::to_string(o.heads * o.d) + "; stacks that share keys need equal heads");
  }
}

// Query rows of an example: beams times positions, or 1 when their number differs from example to example.
std::int64_t queries_per_example(const Tensor& query, std::int64_t examples, const AttendOptions& o) {
  const std::int64_t rows = query.size(0), length = query.size(1);
  if (o.row_offsets) {
    if (length != 1) refuse("row_offsets need queries of one position");
    if (static_cast<std::int64_t>(o.row_offsets->size()) != examples + 1 || o.row_offsets->back() != rows)
      refuse("row_offsets do not cover " + std::to_string(rows) + " rows of " + std::to_string(examples) +
             " examples");
    return 1;
  }
  if (examples == 0 ? rows != 0 : rows % examples != 0)
    refuse(std::to_string(rows) + " query rows do not divide among " + std::to_string(examples) +
           " examples");
  return examples == 0 ? length : rows / examples * length;
}

// A mask as contiguous bools whose first dimension is 1 or B and whose others are `rest`;
// undefined stays undefined.
Tensor checked_mask(const Tensor& mask, const char* name, std::int64_t examples, at::IntArrayRef rest) {
  if (!mask.defined()) return mask;
  const bool fits = mask.dim() == static_cast<std::int64_t>(rest.size()) + 1 &&
                    mask.sizes().slice(1) == rest && (mask.size(0) == 1 || mask.size(0) == examples);
  if (!fits)
    refuse(std::string(name) + " " + text_of(mask) + " does not fit " + std::to_string(examples) +
           " examples");
  return mask.to(torch::kBool).contiguous();
}

c10::intrusive_ptr<AttendPlan> make_plan(const Tensor& query, const std::vector<TraceEntry>& sources,
                                         const AttendOptions& o) {
  auto plan = c10::make_intrusive<AttendPlan>();
  plan->options = o;
  plan->examples = sources[0].packed.size(0);
  plan->keys = sources[0].length;
  plan->queries = queries_per_example(query, plan->examples, o);
  plan->key_keep = checked_mask(o.key_keep, "key_keep", plan->examples, {plan->keys});
  plan->keep = checked_mask(o.keep, "keep", plan->examples, {plan->queries, plan->keys});
  return plan;
}

}  // namespace

Tensor attend(const Tensor& query, const std::vector<TraceEntry>& sources, const AttendOptions& options,
              Tensor* logits) {
  check_sources(query, sources, options);
  const auto plan = make_plan(query, sources, options);
  const bool kernel = has_kernels(query) && !logits && !options.position_bias.defined() && !options.weights &&
                      !options.distance_logits.defined();
  if (kernel && options.logit_map && !options.row_offsets && !options.query_bias.defined() &&
      query.size(0) == plan->examples && query.numel() > 0)
    return attend_mapped(plan, query, sources, options);
  if (!kernel || options.logit_map)
    return options.row_offsets ? generic_ragged(query, sources, options)
                               : generic_attend(*plan, query, sources, logits);
  plan->dropout = new_dropout(options.dropout);
  tensor_list tensors{query.contiguous()};
  for (const TraceEntry& source : sources) {
    // Only the queries' own tensor is shared; any other gets a place, and a gradient, of its own.
    const bool own = plan->sources.empty() && source.packed.is_same(tensors[0]);
    const std::size_t at = own ? 0 : tensors.size();
    if (!own) tensors.push_back(source.packed.stride(2) == 1 ? source.packed : source.packed.contiguous());
    plan->sources.push_back({static_cast<std::int64_t>(at), source.key_column, source.value_column});
  }
  bool gradient = false;
  for (const Tensor& tensor : tensors) gradient = gradient || tensor.requires_grad();
  if (!gradient || !at::GradMode::is_enabled()) return run_forward(*plan, tensors, nullptr);
  if (options.row_offsets) return generic_ragged(query, sources, options);
  return AttendFunction::apply(at::TensorList(tensors), plan);
}

}  // namespace kgwalk::seq2seq
