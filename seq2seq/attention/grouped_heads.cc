#include "seq2seq/attention/grouped_heads.h"

#include <cmath>

#include "kgwalk/error.h"
#include "seq2seq/attention/head_clusters.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;

constexpr double kLeastLogProb = -10;
constexpr std::uint64_t kSeed = 0x6B6D65616E73ull;

Tensor cosine(const Tensor& a, const Tensor& b) { return torch::cosine_similarity(a, b, -1, 1e-8); }

// Ones where a head belongs to a group: [n, C, k]. Module::to(type) turns integers into that type too.
Tensor membership(const Tensor& assignment, std::int64_t groups, const Tensor& like) {
  return torch::one_hot(assignment.to(torch::kInt64), groups).transpose(1, 2).to(like.scalar_type());
}

std::vector<double> doubles_of(const Tensor& x) {
  const Tensor flat = x.detach().to(torch::kCPU, torch::kFloat64).contiguous();
  return {flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel()};
}

std::vector<std::int64_t> integers_of(const Tensor& x) {
  const Tensor flat = x.to(torch::kCPU, torch::kInt64).contiguous();
  return {flat.data_ptr<std::int64_t>(), flat.data_ptr<std::int64_t>() + flat.numel()};
}

std::int64_t feature_width(const GroupedHeadsOptions& options, const AttentionOptions& attention) {
  return options.feature == HeadFeature::kAttention ? 2 * options.reach + 1 : attention.d();
}

}  // namespace

Tensor group_means(const Tensor& features, const Tensor& assignment, std::int64_t groups) {
  const Tensor members = membership(assignment, groups, features);
  return torch::matmul(members, features) / members.sum(2, true);  // [n, C, F]
}

Tensor likeness_to_own_group(const Tensor& features, const Tensor& assignment, std::int64_t groups) {
  const Tensor means = group_means(features, assignment, groups);
  const Tensor own = torch::matmul(membership(assignment, groups, features).transpose(1, 2), means);
  return cosine(features, own);  // [n, k]
}

Tensor likeness_between_groups(const Tensor& features, const Tensor& assignment, std::int64_t groups) {
  if (groups < 2) return torch::zeros({}, features.options());
  const Tensor means = group_means(features, assignment, groups);
  const Tensor all = cosine(means.unsqueeze(1), means.unsqueeze(2));  // [n, C, C]
  const double pairs = static_cast<double>(groups * (groups - 1) / 2 * features.size(0));
  return all.triu(1).sum() / pairs;
}

Tensor best_of_groups(const Tensor& scores, const Tensor& assignment, std::int64_t groups) {
  const Tensor members = membership(assignment, groups, scores).to(torch::kBool);  // [n, C, k]
  const Tensor own = scores.unsqueeze(1).masked_fill(members.logical_not(), -INFINITY);
  // argmax gives any of equal heads: the first of those that reach the maximum is asked for.
  const Tensor top = own.eq(own.amax(2, true)).logical_and(members);
  const Tensor first = top.logical_and(top.to(torch::kInt64).cumsum(2).eq(1));
  return first.any(1);  // [n, k]
}

std::vector<MultiheadAttention> attentions_of(const torch::nn::Module& model) {
  std::vector<MultiheadAttention> found;
  for (const auto& item : model.named_modules("", false))
    if (auto attention = std::dynamic_pointer_cast<MultiheadAttentionImpl>(item.value()))
      found.emplace_back(std::move(attention));
  return found;
}

GroupedHeadsImpl::GroupedHeadsImpl(const GroupedHeadsOptions& options,
                                   std::vector<MultiheadAttention> attentions)
    : options_(options), attentions_(std::move(attentions)), observers_(attentions_.size()) {
  validate(options, "grouped heads");
  if (!options.active() || attentions_.empty())
    throw ConfigError("grouped heads need at least one group and one attention layer");
  const AttentionOptions& first = attentions_[0]->options();
  for (const MultiheadAttention& attention : attentions_) {
    const AttentionOptions& o = attention->options();
    if (o.heads < options.groups)
      throw ConfigError("attention of " + std::to_string(o.heads) + " heads cannot form " +
                        std::to_string(options.groups) + " groups; choose fewer groups");
    if (o.heads != first.heads || o.d() != first.d())
      throw ConfigError("grouped heads: all attention layers must have equal heads");
  }
  const auto n = static_cast<std::int64_t>(attentions_.size()), k = static_cast<std::int64_t>(first.heads);
  const std::int64_t c = options.groups, f = feature_width(options, first);
  const auto whole = torch::TensorOptions().dtype(torch::kInt64);
  assignment = register_buffer("assignment", torch::zeros({n, k}, whole));
  centers = register_buffer("centers", torch::zeros({n, c, f}));
  shift = register_buffer("shift", torch::zeros({}));
  steps = register_buffer("steps", torch::zeros({}, whole));
  groupings = register_buffer("groupings", torch::zeros({}, whole));
  votes = register_buffer("votes", torch::zeros({n, k}, whole));
  if (options.form == GroupForm::kClassify) {
    weight = register_parameter("weight", torch::randn({n, c, f}) / std::sqrt(static_cast<double>(f)));
    bias = register_parameter("bias", torch::zeros({n, c}));
  }
  for (std::size_t i = 0; i < attentions_.size(); ++i) {
    observers_[i].reach = options.reach;
    attentions_[i]->observer = &observers_[i];
  }
}

GroupedHeadsImpl::~GroupedHeadsImpl() {
  for (std::size_t i = 0; i < attentions_.size(); ++i)
    if (attentions_[i]->observer == &observers_[i]) attentions_[i]->observer = nullptr;
}

// In training only the grouped feature is taken; the vote looks at all three.
void GroupedHeadsImpl::observe(bool on) {
  for (HeadObserver& observer : observers_) {
    observer.on = on;
    const bool all = !is_training() && options_.form == GroupForm::kMetric;
    observer.value = all || options_.feature == HeadFeature::kValue;
    observer.output = all || options_.feature == HeadFeature::kOutput;
    observer.attention = all || options_.feature == HeadFeature::kAttention;
    observer.features = {};
  }
}

Tensor GroupedHeadsImpl::stacked(HeadFeature feature) const {
  std::vector<Tensor> rows;
  for (const HeadObserver& observer : observers_) {
    const HeadFeatures& f = observer.features;
    rows.push_back(feature == HeadFeature::kValue    ? f.value
                   : feature == HeadFeature::kOutput ? f.output
                                                     : f.attention);
    if (!rows.back().defined())
      throw ShapeError("grouped heads: an attention layer has left no " + choice_name(feature) +
                       " features; call observe(true) in the present mode, then run the model");
  }
  return torch::stack(rows);  // [n, k, F]
}

void GroupedHeadsImpl::group(const Tensor& features) {
  const torch::NoGradGuard guard;
  const std::int64_t made = groupings.item<std::int64_t>(), k = features.size(1), width = features.size(2);
  const std::vector<double> data = doubles_of(features);
  const std::vector<std::int64_t> before = integers_of(assignment);
  std::vector<std::int64_t> after;
  for (std::int64_t l = 0; l < features.size(0); ++l) {
    Random random(kSeed, static_cast<std::uint64_t>(made * features.size(0) + l));
    const HeadPoints points{
        std::span(data).subspan(static_cast<std::size_t>(l * k * width), static_cast<std::size_t>(k * width)),
        width};
    const auto from = before.begin() + l * k;
    const std::vector<std::int64_t> previous =
        made > 0 ? std::vector<std::int64_t>(from, from + k) : std::vector<std::int64_t>{};
    const std::vector<std::int64_t> found = cluster_heads(points, options_.groups, previous, random);
    after.insert(after.end(), found.begin(), found.end());
  }
  assignment.copy_(torch::tensor(after, torch::kInt64).view_as(assignment));
  const Tensor means = group_means(features, assignment, options_.groups);
  shift.copy_((means - centers).norm(2, -1).mean() / means.norm(2, -1).mean().clamp_min(1e-12));
  centers.copy_(means);
  groupings.add_(1);
}

Tensor GroupedHeadsImpl::loss() {
  const Tensor features = stacked(options_.feature);  // [n, k, F]
  if (is_training()) {
    if (steps.item<std::int64_t>() % options_.refresh == 0) group(features);
    steps.add_(1);
  }
  if (groupings.item<std::int64_t>() == 0) group(features);
  const std::int64_t c = options_.groups;
  if (options_.form == GroupForm::kMetric)
    return options_.beta * likeness_between_groups(features, assignment, c) -
           options_.alpha * likeness_to_own_group(features, assignment, c).mean();
  const Tensor log_p = torch::log_softmax(torch::matmul(features, weight.transpose(1, 2)) + bias.unsqueeze(1),
                                          -1);  // [n, k, C]
  const Tensor own = torch::one_hot(assignment.to(torch::kInt64), c).to(log_p.scalar_type());
  const double heads = static_cast<double>(assignment.numel());
  Tensor total = -options_.alpha / heads * (log_p * own).sum();
  if (c > 1)
    total = total + options_.beta / (static_cast<double>(c - 1) * heads) *
                        (log_p.clamp_min(kLeastLogProb) * (1 - own)).sum();
  return total;
}

bool GroupedHeadsImpl::converged() const {
  return groupings.item<std::int64_t>() > 1 && shift.item<double>() < options_.threshold;
}

GroupQuality GroupedHeadsImpl::quality() const {
  const Tensor features = stacked(options_.feature);
  const std::int64_t k = features.size(1), width = features.size(2);
  const std::vector<double> data = doubles_of(features);
  const std::vector<std::int64_t> all = integers_of(assignment);
  GroupQuality quality;
  quality.shift = shift.item<double>();
  double dunn = 0;
  int finite = 0;
  for (std::int64_t l = 0; l < features.size(0); ++l) {
    const HeadPoints points{
        std::span(data).subspan(static_cast<std::size_t>(l * k * width), static_cast<std::size_t>(k * width)),
        width};
    const std::vector<std::int64_t> own(all.begin() + l * k, all.begin() + (l + 1) * k);
    quality.layer_silhouette.push_back(silhouette(points, own, options_.groups));
    quality.silhouette += quality.layer_silhouette.back() / static_cast<double>(features.size(0));
    if (const double index = dunn_index(points, own); std::isfinite(index)) dunn += index, ++finite;
  }
  if (finite > 0) quality.dunn = dunn / finite;
  return quality;
}

void GroupedHeadsImpl::vote() {
  const torch::NoGradGuard guard;
  if (groupings.item<std::int64_t>() == 0)
    throw ShapeError("grouped heads: the heads have not been grouped yet; train before the vote");
  if (options_.form == GroupForm::kClassify) {
    const Tensor log_p = torch::log_softmax(
        torch::matmul(stacked(options_.feature), weight.transpose(1, 2)) + bias.unsqueeze(1), -1);
    const Tensor own =
        log_p.gather(2, assignment.to(torch::kInt64).unsqueeze(2)).squeeze(2);  // eta = p(z_i | e_i)
    votes.add_(best_of_groups(own, assignment, options_.groups).to(torch::kInt64));
    return;
  }
  for (const HeadFeature feature : {HeadFeature::kValue, HeadFeature::kAttention, HeadFeature::kOutput}) {
    const Tensor likeness = likeness_to_own_group(stacked(feature), assignment, options_.groups);
    votes.add_(best_of_groups(likeness, assignment, options_.groups).to(torch::kInt64));
  }
}

void GroupedHeadsImpl::clear_votes() { votes.zero_(); }

std::vector<std::vector<std::int64_t>> GroupedHeadsImpl::pillars() const {
  const Tensor kept = best_of_groups(votes.to(torch::kFloat64), assignment, options_.groups);
  std::vector<std::vector<std::int64_t>> result;
  for (std::int64_t l = 0; l < kept.size(0); ++l) result.push_back(integers_of(kept[l].nonzero().flatten()));
  return result;
}

}  // namespace kgwalk::seq2seq
