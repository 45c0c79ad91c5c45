#include "seq2seq/attention/attention_plots.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "runtime/plot.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;

std::span<const float> floats_of(const Tensor& x) {
  return {x.data_ptr<float>(), static_cast<std::size_t>(x.numel())};
}

Tensor plain_floats(const Tensor& x) { return x.detach().to(torch::kCPU, torch::kFloat32).contiguous(); }

// As many as are labeled, all when there are no labels.
std::int64_t shown(std::int64_t size, const std::vector<std::string>& labels) {
  return labels.empty() ? size : std::min(size, static_cast<std::int64_t>(labels.size()));
}

}  // namespace

AttentionMaps::AttentionMaps(const torch::nn::Module& model) {
  for (const auto& item : model.named_modules()) {
    const auto attention = std::dynamic_pointer_cast<MultiheadAttentionImpl>(item.value());
    if (!attention) continue;
    names_.push_back(item.key());
    attentions_.emplace_back(attention);
  }
  observers_.resize(attentions_.size());
  for (std::size_t i = 0; i < attentions_.size(); ++i) {
    HeadObserver& observer = observers_[i];
    observer.on = observer.maps = true;
    observer.value = observer.output = false;
    before_.push_back(attentions_[i]->observer);
    attentions_[i]->observer = &observer;
  }
}

AttentionMaps::~AttentionMaps() {
  for (std::size_t i = 0; i < attentions_.size(); ++i) attentions_[i]->observer = before_[i];
}

const Tensor& AttentionMaps::weights(std::size_t index) const { return observers_.at(index).weights; }

std::vector<NamedPlot> AttentionMaps::plots(
    std::int64_t example, const std::function<MapLabels(const std::string& name)>& labels) const {
  std::vector<NamedPlot> result;
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (weights(i).defined())
      result.push_back(
          {"attention_" + names_[i], attention_map_svg(names_[i], weights(i)[example], labels(names_[i]))});
  return result;
}

std::string attention_map_svg(const std::string& title, const Tensor& weights, const MapLabels& labels) {
  const std::int64_t heads = weights.size(0), rows = shown(weights.size(1), labels.queries),
                     columns = shown(weights.size(2), labels.keys);
  // A column without value stands between two heads.
  const Tensor gap = torch::full({rows, 1}, std::numeric_limits<float>::quiet_NaN());
  std::vector<Tensor> blocks;
  std::vector<std::string> names;
  for (std::int64_t h = 0; h < heads; ++h) {
    if (h > 0) {
      blocks.push_back(gap);
      names.emplace_back();
    }
    blocks.push_back(plain_floats(weights[h]).narrow(0, 0, rows).narrow(1, 0, columns));
    for (std::int64_t c = 0; c < columns; ++c)
      names.push_back(labels.keys.empty() ? std::string() : labels.keys[static_cast<std::size_t>(c)]);
  }
  const Tensor all = torch::cat(blocks, 1).contiguous();
  return heat_map_svg(title + ", heads side by side", floats_of(all), static_cast<int>(rows),
                      static_cast<int>(all.size(1)), labels.queries, names);
}

std::vector<NamedPlot> head_group_plots(const GroupedHeadsImpl& heads) {
  const Tensor features = plain_floats(heads.features());  // [n, k, F]
  const Tensor groups = plain_floats(heads.assignment);    // [n, k]
  const std::int64_t layers = groups.size(0), count = groups.size(1);
  std::vector<std::string> layer_names, head_names;
  for (std::int64_t l = 0; l < layers; ++l) layer_names.push_back("attention " + std::to_string(l));
  for (std::int64_t h = 0; h < count; ++h) head_names.push_back("head " + std::to_string(h));
  std::vector<NamedPlot> result{
      {"head_groups", heat_map_svg("groups of heads", floats_of(groups), static_cast<int>(layers),
                                   static_cast<int>(count), layer_names, head_names)}};
  for (std::int64_t l = 0; l < layers; ++l) {
    const float* group = groups[l].data_ptr<float>();
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int64_t a, std::int64_t b) { return group[a] < group[b]; });
    std::vector<std::string> names;
    for (const std::int64_t h : order)
      names.push_back("head " + std::to_string(h) + ", group " + std::to_string(static_cast<int>(group[h])));
    const Tensor sorted = features[l].index_select(0, torch::tensor(order, torch::kInt64));
    const Tensor likeness =
        torch::cosine_similarity(sorted.unsqueeze(0), sorted.unsqueeze(1), -1, 1e-8).contiguous();  // [k, k]
    result.push_back({"head_likeness_" + std::to_string(l),
                      heat_map_svg("likeness of heads, attention " + std::to_string(l), floats_of(likeness),
                                   static_cast<int>(count), static_cast<int>(count), names, names)});
  }
  return result;
}

}  // namespace kgwalk::seq2seq
