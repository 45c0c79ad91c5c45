#include "seq2seq/layers/decoder.h"

#include <torch/nn/modules/container/modulelist.h>

#include <algorithm>
#include <string>

#include "kgwalk/error.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/layers/sublayer.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

// ---- state ----

void DecoderState::reorder(const Tensor& rows_in) {
  const Tensor index = rows_in.to(torch::kCPU, torch::kInt64).contiguous();
  const std::int64_t count = index.size(0);
  const std::int64_t* parents = index.data_ptr<std::int64_t>();
  bool same = count == rows();  // greedy search: every row goes on by itself
  for (std::int64_t r = 0; same && r < count; ++r) same = parents[r] == r;
  if (same) return;
  std::vector<std::int64_t> offsets(row_offsets.size(), 0);
  std::size_t example = 0;
  for (std::int64_t r = 0; r < count; ++r) {
    if (parents[r] < 0 || parents[r] >= rows())
      throw ShapeError("decoder state of " + std::to_string(rows()) + " rows has no row " +
                       std::to_string(parents[r]));
    if (parents[r] < row_offsets[example])
      throw ShapeError("decoder state: rows of one example must stand together, examples in ascending order");
    while (parents[r] >= row_offsets[example + 1]) ++example;
    ++offsets[example + 1];
  }
  for (std::size_t b = 1; b < offsets.size(); ++b) offsets[b] += offsets[b - 1];
  for (KeyValueCache& cache : self) cache.reorder(index);
  if (keep.defined()) keep = keep.index_select(0, index.to(keep.device()));
  row_offsets = std::move(offsets);
}

void DecoderState::select_examples(const Tensor& kept_in) {
  const Tensor kept = kept_in.to(torch::kCPU, torch::kInt64).contiguous();
  const std::int64_t* chosen = kept.data_ptr<std::int64_t>();
  std::vector<std::int64_t> rows_kept, offsets{0};
  for (std::int64_t i = 0; i < kept.size(0); ++i) {
    if (chosen[i] < 0 || chosen[i] >= examples() || (i > 0 && chosen[i] <= chosen[i - 1]))
      throw ShapeError("decoder state: the examples kept must be ascending and below " +
                       std::to_string(examples()));
    for (std::int64_t r = row_offsets[static_cast<std::size_t>(chosen[i])];
         r < row_offsets[static_cast<std::size_t>(chosen[i]) + 1]; ++r)
      rows_kept.push_back(r);
    offsets.push_back(static_cast<std::int64_t>(rows_kept.size()));
  }
  reorder(torch::tensor(rows_kept, torch::kInt64));
  for (std::vector<ProjectedMemory>& layer : memories)
    for (ProjectedMemory& memory : layer) memory = memory.select(kept);
  row_offsets = std::move(offsets);
}

const std::vector<std::int64_t>* DecoderState::ragged() const {
  const std::int64_t count = examples();
  if (count <= 0 || rows() % count != 0) return &row_offsets;
  const std::int64_t each = rows() / count;
  for (std::int64_t b = 0; b < count; ++b)
    if (row_offsets[static_cast<std::size_t>(b)] != b * each) return &row_offsets;
  return nullptr;
}

// ---- layer ----

DecoderLayerImpl::DecoderLayerImpl(const StackOptions& options, int layers_below,
                                   const std::vector<int>& memory_layers)
    : options_(options) {
  const bool norms = options.norm != NormPlacement::kEnd;
  self_attention = register_module(
      "self_attention", MultiheadAttention(options.self_attention(), AttentionSite{false, layers_below}));
  if (norms) self_norm = register_module("self_norm", LayerNorm(options.width, options.norm_eps));
  torch::nn::ModuleList attentions, attention_norms;
  for (const int layers : memory_layers) {
    memory_attention.emplace_back(options.memory_attention(layers > 0), AttentionSite{true, layers});
    attentions->push_back(memory_attention.back());
    memory_norm.emplace_back(norms ? LayerNorm(options.width, options.norm_eps) : LayerNorm(nullptr));
    if (norms) attention_norms->push_back(memory_norm.back());
  }
  register_module("memory", attentions);
  register_module("memory_norm", attention_norms);
  ffn =
      register_module("ffn", FeedForward(FeedForwardOptions{options.width, options.ffn_width,
                                                            options.activation, options.activation_dropout}));
  ffn_norm = register_module("ffn_norm", LayerNorm(options.width, options.norm_eps));
}

Tensor DecoderLayerImpl::forward(const Tensor& x, const AttentionCall& self_call,
                                 const std::vector<ProjectedMemory>& memories,
                                 const std::vector<std::int64_t>* row_offsets) {
  const double p = is_training() ? options_.dropout : 0;
  const detail::NormPlace place = detail::attention_place(options_);
  Tensor y = detail::residual_step(x, place, self_norm, p,
                                   [&](const Tensor& in) { return self_attention->forward(in, self_call); });
  for (std::size_t m = 0; m < memories.size(); ++m) {
    AttentionCall call;
    call.memory = &memories[m];
    call.row_offsets = row_offsets;
    if (!self_call.cache) call.query_keep = self_call.masks.key_keep;
    y = detail::residual_step(y, place, memory_norm[m], p,
                              [&](const Tensor& in) { return memory_attention[m]->forward(in, call); });
  }
  return detail::residual_step(y, detail::ffn_place(options_), ffn_norm, p,
                               [&](const Tensor& in) { return ffn->forward(in); });
}

// ---- stack ----

TransformerDecoderImpl::TransformerDecoderImpl(const StackOptions& options, std::vector<int> memory_layers)
    : options_(options), memory_layers_(std::move(memory_layers)) {
  validate(options, "decoder options");
  if (options.conformer.active())
    throw ConfigError("decoder options: Conformer blocks (conformer) are an option of encoders");
  torch::nn::ModuleList list;
  for (int l = 0; l < options.layers; ++l) {
    layers_.emplace_back(options, l, memory_layers_);
    list->push_back(layers_.back());
  }
  register_module("layers", list);
  if (options.norm == NormPlacement::kPre)
    final_norm_ = register_module("final_norm", LayerNorm(options.width, options.norm_eps));
  if (options.groups().active()) fusion_ = register_module("fusion", DecoderFusion(options.groups()));
}

void TransformerDecoderImpl::check_memories(const std::vector<Memory>& memories) const {
  if (memories.size() != memory_layers_.size())
    throw ShapeError("decoder made for " + std::to_string(memory_layers_.size()) + " memories was given " +
                     std::to_string(memories.size()));
  for (const Memory& memory : memories) {
    if (memory.states.dim() != 3 || memory.states.size(2) != options_.width)
      throw ShapeError("decoder: a memory must be [examples, positions, " + std::to_string(options_.width) +
                       "]");
    if (memory.states.size(0) != memories[0].states.size(0))
      throw ShapeError("decoder: memories hold different numbers of examples");
  }
}

// ---- groups ----

void TransformerDecoderImpl::keep_groups(const std::vector<int>& kept) {
  check_grouped(true);
  check_kept_groups(kept, options_.groups());
  kept_groups_ = kept;
}

void TransformerDecoderImpl::check_grouped(bool wanted) const {
  if (options_.groups().active() == wanted) return;
  throw ConfigError(wanted ? "this decoder has no groups; set group_layers or call forward and step"
                           : "a decoder with group_layers gives states of groups, which this model does not "
                             "take; set group_layers to 0, or call forward_groups and step_groups");
}

std::size_t TransformerDecoderImpl::layers_run() const {
  return kept_groups_.empty() ? layers_.size()
                              : static_cast<std::size_t>(options_.groups().end(kept_groups_.back()));
}

// run(l, y) is layer l. Result [B, T, D], with groups [G, B, T, D].
template <class Run>
Tensor TransformerDecoderImpl::through_layers(const Tensor& x, Run&& run) {
  Tensor y = x;
  std::vector<Tensor> states;
  for (std::size_t l = 0; l < layers_run(); ++l) {
    y = run(l, y);
    if (fusion_) states.push_back(y);
  }
  if (fusion_) return grouped_states(states);
  return final_norm_ ? final_norm_(y) : y;
}

Tensor TransformerDecoderImpl::grouped_states(const std::vector<Tensor>& states) {
  const LayerGroups groups = options_.groups();
  std::vector<Tensor> fused;
  for (int k = 0; k < groups.count(); ++k) {
    const bool kept =
        kept_groups_.empty() || std::find(kept_groups_.begin(), kept_groups_.end(), k) != kept_groups_.end();
    if (!kept) continue;
    const Tensor h =
        fusion_(std::vector<Tensor>(states.begin() + groups.begin(k), states.begin() + groups.end(k)), k);
    fused.push_back(final_norm_ ? final_norm_(h) : h);
  }
  return torch::stack(fused);
}

Tensor TransformerDecoderImpl::forward(const Tensor& x, const std::vector<Memory>& memories,
                                       const AttentionMasks& self_masks, AttentionTrace* trace) {
  check_grouped(false);
  return run_whole(x, memories, self_masks, trace);
}

Tensor TransformerDecoderImpl::forward_groups(const Tensor& x, const std::vector<Memory>& memories,
                                              const AttentionMasks& self_masks, AttentionTrace* trace) {
  check_grouped(true);
  return run_whole(x, memories, self_masks, trace);
}

Tensor TransformerDecoderImpl::step(const Tensor& x, DecoderState& state, const Tensor& keep) {
  check_grouped(false);
  return run_step(x, state, keep);
}

Tensor TransformerDecoderImpl::step_groups(const Tensor& x, DecoderState& state, const Tensor& keep) {
  check_grouped(true);
  return run_step(x, state, keep);
}

// ---- running ----

Tensor TransformerDecoderImpl::run_whole(const Tensor& x, const std::vector<Memory>& memories,
                                         const AttentionMasks& self_masks, AttentionTrace* trace) {
  check_memories(memories);
  AttentionTrace own;
  AttentionCall call;
  call.masks = self_masks;
  if (trace)
    call.trace = trace;
  else if (options_.needs_trace())
    call.trace = &own;
  return through_layers(x, [&](std::size_t l, const Tensor& y) {
    std::vector<ProjectedMemory> projected;
    for (std::size_t m = 0; m < memories.size(); ++m)
      projected.push_back(layers_[l]->memory_attention[m]->project(memories[m]));
    return layers_[l]->forward(y, call, projected);
  });
}

DecoderState TransformerDecoderImpl::start(const std::vector<Memory>& memories, std::int64_t examples) {
  check_memories(memories);
  DecoderState state;
  state.self.resize(layers_run());
  for (std::size_t l = 0; l < layers_run(); ++l) {
    std::vector<ProjectedMemory>& projected = state.memories.emplace_back();
    for (std::size_t m = 0; m < memories.size(); ++m)
      projected.push_back(layers_[l]->memory_attention[m]->project(memories[m]));
  }
  const std::int64_t count = memories.empty() ? examples : memories[0].states.size(0);
  for (std::int64_t b = 0; b <= count; ++b) state.row_offsets.push_back(b);
  return state;
}

Tensor TransformerDecoderImpl::run_step(const Tensor& x, DecoderState& state, const Tensor& keep) {
  if (state.self.size() != layers_run())
    throw ShapeError("decoder step: the state was begun with other groups kept; call start again");
  if (x.dim() != 3 || x.size(0) != state.rows() || x.size(2) != options_.width)
    throw ShapeError("decoder step: x must be [" + std::to_string(state.rows()) + ", new positions, " +
                     std::to_string(options_.width) + "]");
  const auto bools = torch::TensorOptions().dtype(torch::kBool).device(x.device());
  if (keep.defined() || state.keep.defined()) {
    const Tensor before = state.keep.defined() ? state.keep : torch::ones({x.size(0), state.length}, bools);
    state.keep = torch::cat({before, keep.defined() ? keep : torch::ones({x.size(0), x.size(1)}, bools)}, 1);
  }
  const std::vector<std::int64_t>* ragged = x.size(1) > 1 ? nullptr : state.ragged();
  AttentionTrace trace;
  const Tensor result = through_layers(x, [&](std::size_t l, const Tensor& y) {
    AttentionCall call;
    call.masks.key_keep = state.keep;
    call.masks.causal = true;
    call.trace = options_.needs_trace() ? &trace : nullptr;
    call.cache = &state.self[l];
    return layers_[l]->forward(y, call, state.memories[l], ragged);
  });
  state.length += x.size(1);
  return result;
}

}  // namespace kgwalk::seq2seq
