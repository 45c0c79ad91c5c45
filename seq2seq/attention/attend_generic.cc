#include "seq2seq/attention/attend_generic.h"

#include <limits>
#include <utility>

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;

Tensor heads_of(const Tensor& packed, std::int64_t column, std::int64_t examples, const AttendOptions& o) {
  return packed.narrow(2, column, o.heads * o.d)
      .reshape({examples, -1, o.heads, o.d})
      .transpose(1, 2);  // [B, H, T, d]
}

// What may be attended to, [B or 1, 1, queries, Tk]; undefined = everything.
Tensor combined_keep(const AttendPlan& plan, const Tensor& like) {
  Tensor keep;
  const auto both = [&](const Tensor& more) { keep = keep.defined() ? keep.logical_and(more) : more; };
  if (plan.key_keep.defined()) both(plan.key_keep.view({-1, 1, 1, plan.keys}));
  if (plan.keep.defined()) both(plan.keep.unsqueeze(1));
  if (plan.options.causal) {
    const auto options = torch::TensorOptions().dtype(torch::kInt64).device(like.device());
    const Tensor last = torch::arange(plan.queries, options) + (plan.keys - plan.queries);
    both((torch::arange(plan.keys, options).unsqueeze(0) <= last.unsqueeze(1))
             .view({1, 1, plan.queries, plan.keys}));
  }
  return keep;
}

}  // namespace

Tensor generic_attend(const AttendPlan& plan, const Tensor& query, const std::vector<TraceEntry>& sources,
                      Tensor* logits) {
  const AttendOptions& o = plan.options;
  Tensor q = heads_of(query, 0, plan.examples, o);
  if (o.query_bias.defined()) q = q + o.query_bias.unsqueeze(1);
  const Tensor keep = combined_keep(plan, query);
  std::vector<Tensor> outputs;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    Tensor raw = torch::matmul(q, sources[i].keys(o.heads).transpose(2, 3));  // [B, H, queries, Tk]
    if (o.distance_logits.defined()) raw = raw + o.distance_logits;
    if (i == 0 && o.logit_map) raw = (*o.logit_map)(raw);
    if (i == 0 && logits) *logits = raw;
    Tensor scores = raw * plan.scale();
    if (i == 0 && o.position_bias.defined()) scores = scores + o.position_bias;
    if (keep.defined())
      scores = scores.masked_fill(keep.logical_not(), -std::numeric_limits<double>::infinity());
    Tensor weights = torch::softmax(scores, -1);
    // A row without keys is NaN until here.
    if (keep.defined()) weights = weights.masked_fill(keep.logical_not(), 0);
    if (i == 0 && o.weights) *o.weights = weights;
    if (o.dropout > 0) weights = torch::dropout(weights, o.dropout, true);
    outputs.push_back(torch::matmul(weights, sources[i].values(o.heads))
                          .transpose(1, 2)
                          .reshape({query.size(0), query.size(1), plan.inner()}));
  }
  if (!o.sum) return outputs.size() == 1 ? outputs[0] : torch::cat(outputs, 2);
  Tensor total = outputs[0];
  for (std::size_t i = 1; i < outputs.size(); ++i) total = total + outputs[i];
  return total;
}

Tensor generic_ragged(const Tensor& query, std::vector<TraceEntry> sources, AttendOptions options) {
  std::vector<std::int64_t> owner;
  for (std::size_t b = 0; b + 1 < options.row_offsets->size(); ++b)
    owner.insert(owner.end(),
                 static_cast<std::size_t>((*options.row_offsets)[b + 1] - (*options.row_offsets)[b]),
                 static_cast<std::int64_t>(b));
  const Tensor index = torch::tensor(owner, torch::kInt64).to(query.device());
  for (TraceEntry& source : sources) source.packed = source.packed.index_select(0, index);
  if (options.key_keep.defined() && options.key_keep.size(0) > 1)
    options.key_keep = options.key_keep.index_select(0, index);
  options.row_offsets = nullptr;
  return attend(query, sources, options);
}

}  // namespace kgwalk::seq2seq
