#include "seq2seq/attention/grouped_heads.h"

#include <cmath>

#include "kgwalk/error.h"
#include "runtime/tensor/int64_tensor.h"
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

void GroupedHeadsOptions::check(Problems& problems) const {
  if (maps == FeatureMaps::kTokens && feature == HeadFeature::kAttention)
    problems.add("maps",
                 "tokens is for the features value and output: attention is told by offsets, summed over the "
                 "queries; use maps=mean or another feature");
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
    observer.tokens = options_.maps == FeatureMaps::kTokens;
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

std::vector<GroupedHeadsImpl::HeadSet> GroupedHeadsImpl::sets(HeadFeature feature) const {
  const Tensor means = stacked(feature);
  if (options_.maps == FeatureMaps::kMean || feature == HeadFeature::kAttention)
    return {{means, assignment, -1}};
  std::vector<HeadSet> list;
  for (std::size_t l = 0; l < observers_.size(); ++l) {
    const HeadFeatures& f = observers_[l].features;
    const auto layer = static_cast<std::int64_t>(l);
    list.push_back({feature == HeadFeature::kValue ? f.value_tokens : f.output_tokens,
                    assignment.narrow(0, layer, 1), layer});
  }
  return list;
}

Tensor GroupedHeadsImpl::groups_of(const Tensor& features) {
  const std::int64_t made = groupings.item<std::int64_t>(), k = features.size(1), width = features.size(2);
  std::vector<std::int64_t> after;
  if (options_.grouping == Grouping::kFixed) {
    for (std::int64_t l = 0; l < features.size(0); ++l)
      for (std::int64_t i = 0; i < k; ++i) after.push_back(i * options_.groups / k);
    return torch::tensor(after, torch::kInt64).view_as(assignment);
  }
  const std::vector<double> data = doubles_of(features);
  const std::vector<std::int64_t> before = int64_values(assignment);
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
  return torch::tensor(after, torch::kInt64).view_as(assignment);
}

void GroupedHeadsImpl::group(const Tensor& features) {
  const torch::NoGradGuard guard;
  assignment.copy_(groups_of(features));
  const Tensor means = group_means(features, assignment, options_.groups);
  shift.copy_((means - centers).norm(2, -1).mean() / means.norm(2, -1).mean().clamp_min(1e-12));
  centers.copy_(means);
  groupings.add_(1);
  regrouped_ = true;
}

Tensor GroupedHeadsImpl::log_probs(const HeadSet& set) const {
  const bool all = set.layer < 0;
  const Tensor w = all ? weight : weight.narrow(0, set.layer, 1),
               b = all ? bias : bias.narrow(0, set.layer, 1);
  return torch::log_softmax(torch::matmul(set.features, w.transpose(1, 2)) + b.unsqueeze(1), -1);
}

Tensor GroupedHeadsImpl::metric_loss(const HeadSet& set) const {
  return options_.beta * likeness_between_groups(set.features, set.assignment, options_.groups) -
         options_.alpha * likeness_to_own_group(set.features, set.assignment, options_.groups).mean();
}

Tensor GroupedHeadsImpl::classify_loss(const HeadSet& set) const {
  const std::int64_t c = options_.groups;
  const Tensor log_p = log_probs(set);  // [n or M, k, C]
  const Tensor own = torch::one_hot(set.assignment.to(torch::kInt64), c).to(log_p.scalar_type());
  const auto heads = static_cast<double>(log_p.size(0) * log_p.size(1));
  const Tensor total = -options_.alpha / heads * (log_p * own).sum();
  if (c == 1) return total;
  return total + options_.beta / (static_cast<double>(c - 1) * heads) *
                     (log_p.clamp_min(kLeastLogProb) * (1 - own)).sum();
}

Tensor GroupedHeadsImpl::loss() {
  const std::vector<HeadSet> all = sets(options_.feature);
  regrouped_ = false;
  const bool due = is_training() && steps.item<std::int64_t>() % options_.refresh == 0;
  if (due || groupings.item<std::int64_t>() == 0) group(stacked(options_.feature));
  if (is_training()) steps.add_(1);
  Tensor total;
  for (const HeadSet& set : all) {
    const Tensor part = options_.form == GroupForm::kMetric ? metric_loss(set) : classify_loss(set);
    total = total.defined() ? total + part : part;
  }
  return all.size() == 1 ? total : total / static_cast<double>(all.size());
}

bool GroupedHeadsImpl::converged() const {
  return groupings.item<std::int64_t>() > 1 && shift.item<double>() < options_.threshold;
}

std::optional<double> GroupedHeadsImpl::fresh_shift() const {
  if (!regrouped_ || groupings.item<std::int64_t>() < 2) return std::nullopt;
  return shift.item<double>();
}

GroupQuality GroupedHeadsImpl::quality() const {
  const Tensor features = stacked(options_.feature);
  const std::int64_t k = features.size(1), width = features.size(2);
  const std::vector<double> data = doubles_of(features);
  const std::vector<std::int64_t> all = int64_values(assignment);
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

}  // namespace kgwalk::seq2seq
