#include "walker/network/candidate_scorer.h"

#include <cmath>
#include <unordered_map>

#include "kgwalk/error.h"
#include "runtime/tensor/device.h"
#include "walker/features/features.h"
#include "walker/features/goal_features.h"
#include "walker/network/feature_scores.h"
#include "walker/network/ragged.h"

namespace kgwalk::walker {
namespace {

using torch::Tensor;

constexpr double kNaturalScale = 5;  // log-probabilities of hops are some five nats apart

Tensor from_vector(const std::vector<std::int64_t>& values) {
  return torch::tensor(at::ArrayRef<std::int64_t>(values), torch::kInt64);
}

// log of how often ids[k] occurs in its segment.
Tensor log_counts(const std::vector<std::int64_t>& ids, const std::vector<std::int64_t>& offsets) {
  Tensor out = torch::empty({static_cast<std::int64_t>(ids.size())});
  float* data = out.data_ptr<float>();
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    std::unordered_map<std::int64_t, int> counts;
    for (auto k = static_cast<std::size_t>(offsets[i]); k < static_cast<std::size_t>(offsets[i + 1]); ++k)
      ++counts[ids[k]];
    for (auto k = static_cast<std::size_t>(offsets[i]); k < static_cast<std::size_t>(offsets[i + 1]); ++k)
      data[k] = std::log(static_cast<float>(counts[ids[k]]));
  }
  return out;
}

// Out-edges come ordered by relation, so that those of one lie side by side.
void group_by_relation(const Candidates& candidates, CandidateTensors& c) {
  std::vector<std::int64_t> groups, states{0};
  for (std::size_t i = 0; i + 1 < candidates.offsets.size(); ++i) {
    for (std::int64_t k = candidates.offsets[i]; k < candidates.offsets[i + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      if (k == candidates.offsets[i] || candidates.relations[at] != candidates.relations[at - 1])
        groups.push_back(k);
    }
    states.push_back(static_cast<std::int64_t>(groups.size()));
  }
  groups.push_back(candidates.offsets.back());
  c.groups = from_vector(groups);
  c.group_states = from_vector(states);
}

// sum_f (x_kf - mean_f) / deviation_f * (common_f + own_{relation of k, f}) without a tensor of [K, F] in
// between: no gradients.
Tensor linear_feature_scores(const CandidateTensors& c, const Tensor& mean, const Tensor& deviation,
                             const Tensor& common, const Tensor& own) {
  const Tensor share = (1 / deviation).contiguous();
  const std::int64_t num_candidates = c.features.size(0), width = c.features.size(1);
  Tensor out = torch::empty({num_candidates});  // [K]
  const float *x = c.features.data_ptr<float>(), *m = mean.data_ptr<float>(), *s = share.data_ptr<float>(),
              *w = common.data_ptr<float>(), *table = own.data_ptr<float>();
  const std::int64_t* relation = c.relations.data_ptr<std::int64_t>();
  float* y = out.data_ptr<float>();
#pragma omp parallel for schedule(static) if (num_candidates > 1024)
  for (std::int64_t k = 0; k < num_candidates; ++k) {
    const float *row = x + k * width, *extra = table + relation[k] * width;
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t f = 0; f < width; ++f) sum += (row[f] - m[f]) * s[f] * (w[f] + extra[f]);
    y[k] = sum;
  }
  return out;
}

}  // namespace

CandidateTensors CandidateTensors::to(torch::Device device) const {
  CandidateTensors there = *this;
  for (Tensor* x :
       {&there.relations, &there.tails, &there.entities, &there.hops, &there.features, &there.state_features,
        &there.goal_features, &there.goal_given, &there.log_fan_out, &there.log_parallel})
    *x = on(device, *x);
  return there;
}

CandidateTensors to_tensors(const Candidates& candidates, std::span<const std::int32_t> hops,
                            const ScoringConfig& config) {
  CandidateTensors c;
  c.offsets = from_vector(candidates.offsets);
  c.relations = from_vector(candidates.relations);
  c.tails = from_vector(candidates.tails);
  c.entities = from_vector(candidates.entities);
  c.hops = from_vector({hops.begin(), hops.end()});
  group_by_relation(candidates, c);
  if (config.separate) {
    c.log_fan_out = log_counts(candidates.relations, candidates.offsets);
    c.log_parallel = log_counts(candidates.tails, candidates.offsets);
  }
  return c;
}

CandidateScorerImpl::CandidateScorerImpl(const ScoringConfig& config, MetaPathTables tables,
                                         std::int64_t state_width, int max_hops)
    : config_(config), tables_(std::move(tables)) {
  const std::int64_t rows = tables_->num_relations() + 1;
  project = tables_->projection(state_width, tables_->width());
  if (project) register_module("project", project);
  if (config_.relation_bias)
    relation_bias = register_parameter("relation_bias", torch::zeros({max_hops, rows}));
  if (config_.features) make_feature_terms(state_width);
  if (config_.goal) {
    goal_weight = register_parameter("goal_weight", torch::zeros({kNumGoalFeatures}));
    goal_in = register_module("goal_in", seq2seq::Linear(kNumGoalFeatures, config_.goal_hidden));
    goal_state = register_module("goal_state", seq2seq::Linear(state_width, config_.goal_hidden, false));
    goal_out = register_parameter("goal_out", torch::zeros({config_.goal_hidden}));
    goal_natural = register_parameter("goal_natural", torch::zeros({1}));
    goal_natural_in = register_parameter("goal_natural_in", torch::zeros({config_.goal_hidden}));
  }
}

void CandidateScorerImpl::make_feature_terms(std::int64_t state_width) {
  const std::int64_t rows = tables_->num_relations() + 1;
  feature_mean = register_buffer("feature_mean", torch::zeros({kNumFeatures}));
  feature_deviation = register_buffer("feature_deviation", torch::ones({kNumFeatures}));
  feature_weight = register_parameter("feature_weight", torch::zeros({kNumFeatures}));
  relation_feature_weight = register_parameter("relation_feature_weight", torch::zeros({rows, kNumFeatures}));
  state_feature = register_module("state_feature", seq2seq::Linear(kNumStateFeatures, state_width));
  if (config_.feature_hidden == 0) return;
  hidden_relation = register_parameter("hidden_relation", torch::randn({rows, config_.relation_width}) * 0.3);
  hidden_in = register_module("hidden_in", seq2seq::Linear(kNumFeatures, config_.feature_hidden));
  hidden_in_relation = register_module(
      "hidden_in_relation", seq2seq::Linear(config_.relation_width, config_.feature_hidden, false));
  hidden_in_state =
      register_module("hidden_in_state", seq2seq::Linear(state_width, config_.feature_hidden, false));
  hidden_out = register_parameter("hidden_out", torch::zeros({config_.feature_hidden}));
}

void CandidateScorerImpl::set_feature_scale(const Tensor& mean, const Tensor& deviation) {
  const torch::NoGradGuard no_grad;
  feature_mean.copy_(mean);
  feature_deviation.copy_(deviation.clamp_min(1e-6));
}

void CandidateScorerImpl::forget() {
  const torch::NoGradGuard no_grad;
  for (Tensor& weights : parameters(/*recurse=*/false)) weights.zero_();
  if (project)
    for (Tensor& weights : project->parameters()) weights.zero_();
  if (state_feature)
    for (Tensor& weights : state_feature->parameters()) weights.zero_();
}

Tensor CandidateScorerImpl::relation_scores(const Tensor& state, const CandidateTensors& c) {
  const std::int64_t rows = tables_->num_relations() + 1;
  const Tensor table = tables_->relation_table().slice(0, 0, rows);  // [R + 1, d], eop last
  Tensor all = torch::matmul(state, table.t());                      // [N, R + 1]
  if (config_.scale) all = all / std::sqrt(static_cast<double>(table.size(1)));
  if (relation_bias.defined())
    all = all + relation_bias.index_select(0, c.hops.clamp_max(relation_bias.size(0) - 1));
  return ragged_pick(all, c.relations, c.offsets);  // [K]
}

Tensor CandidateScorerImpl::entity_scores(const Tensor& projected, const CandidateTensors& c) {
  const std::int64_t frozen = tables_->frozen_width(), whole = tables_->entity_width();
  const std::int64_t head = tables_->config().head ? whole : 0;
  const std::int64_t begin = head + tables_->relation_width();
  const Tensor tail = projected.slice(1, begin, begin + whole).contiguous();  // [N, d']
  Tensor scores = ragged_product(tail.slice(1, 0, frozen), tables_->frozen_entities(), c.tails, c.offsets);
  if (tables_->trained_entities.defined())
    scores =
        scores + ragged_product(tail.slice(1, frozen, whole), tables_->trained_entities, c.tails, c.offsets);
  Tensor stop = torch::matmul(tail, tables_->eop);  // [N]
  if (head > 0) {
    // 2EMP: the head is the same entity for all out-edges, so it only weighs going on against stopping.
    const Tensor here = projected.slice(1, 0, head);
    stop =
        stop + torch::matmul(here, tables_->eop_head) - (here * tables_->entity_vectors(c.entities)).sum(1);
  }
  const Tensor last = c.offsets.slice(0, 1) - 1;  // [N] place of eop in each segment
  scores = scores.index_add(0, last.to(scores.device()), stop);
  if (config_.scale) scores = scores / std::sqrt(static_cast<double>(whole));
  return scores;
}

Tensor CandidateScorerImpl::feature_scores(const Tensor& states, const CandidateTensors& c) {
  const bool plain = !torch::GradMode::is_enabled() && !is_training() && c.features.device().is_cpu();
  if (plain && config_.feature_hidden == 0)
    return linear_feature_scores(c, feature_mean, feature_deviation, feature_weight, relation_feature_weight);
  if (auto in = plain ? seq2seq::RowMap::of(hidden_in) : std::nullopt)
    return scores_of_features(c, {.mean = feature_mean,
                                  .deviation = feature_deviation,
                                  .weight = feature_weight,
                                  .own = relation_feature_weight,
                                  .in = std::move(*in),
                                  .relations = hidden_in_relation(hidden_relation),
                                  .states = hidden_in_state(states),
                                  .out = hidden_out});
  Tensor f = (c.features - feature_mean) / feature_deviation;  // [K, F]
  if (is_training() && config_.feature_dropout > 0)
    f = f * (torch::rand({1, f.size(1)}, f.options()) >= config_.feature_dropout).to(f.dtype());
  Tensor scores = torch::matmul(f, feature_weight) +
                  (relation_feature_weight.index_select(0, c.relations) * f).sum(1);  // [K]
  if (config_.feature_hidden == 0) return scores;
  const Tensor relation = hidden_in_relation(hidden_relation).index_select(0, c.relations);  // [K, hidden]
  const Tensor state = ragged_repeat(hidden_in_state(states), c.offsets);                    // [K, hidden]
  return scores + torch::matmul(torch::relu(hidden_in(f) + relation + state), hidden_out);
}

// Zero features, as without a goal, add the same to every candidate of a state: nothing changes.
Tensor CandidateScorerImpl::goal_scores(const Tensor& states, const CandidateTensors& c,
                                        const Tensor& natural) {
  const Tensor log_p = ragged_log_softmax(natural.detach(), c.offsets) / kNaturalScale *
                       ragged_repeat(c.goal_given.unsqueeze(1), c.offsets).squeeze(1);  // [K]
  const Tensor state = ragged_repeat(goal_state(states), c.offsets);                    // [K, hidden]
  const Tensor hidden =
      torch::relu(goal_in(c.goal_features) + state + log_p.unsqueeze(1) * goal_natural_in);  // [K, hidden]
  return torch::matmul(hidden, goal_out) + torch::matmul(c.goal_features, goal_weight) +
         log_p * goal_natural;  // [K]
}

Tensor CandidateScorerImpl::forward(const Tensor& states_in, const CandidateTensors& c) {
  Tensor states = states_in;
  if (config_.features) {
    if (!c.features.defined()) throw ShapeError("candidate scorer: this walker needs candidate features");
    states = states + state_feature(c.state_features);
  }
  const Tensor projected = project ? project(states) : states;  // [N, width of a MetaPath]
  const std::int64_t begin = tables_->config().head ? tables_->entity_width() : 0;
  const Tensor relation = relation_scores(projected.slice(1, begin, begin + tables_->relation_width()), c);
  Tensor entity = entity_scores(projected, c);
  if (config_.features) entity = entity + feature_scores(states, c);
  if (config_.goal && c.goal_features.defined()) entity = entity + goal_scores(states, c, relation + entity);
  if (!config_.separate) return relation + entity;
  // SP: softmax over the distinct relations and over the distinct entities; equal ones share one place.
  const Tensor by_relation = ragged_log_softmax(relation - c.log_fan_out, c.offsets) + c.log_fan_out;
  const Tensor by_entity = ragged_log_softmax(entity - c.log_parallel, c.offsets) + c.log_parallel;
  return by_relation + by_entity;
}

}  // namespace kgwalk::walker
