// Pictures of trained attention: what every head looks at, and how heads fall into groups, as SVG heat maps.
//
//   AttentionMaps maps(*model);
//   (void)model(one sentence);                      // whole passes, not steps with a cache
//   for (const NamedPlot& p : maps.plots(0, labels)) write p.svg to p.name + ".svg"
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "runtime/tensor/torch.h"
#include "seq2seq/attention/attention.h"
#include "seq2seq/attention/grouped_heads.h"

namespace kgwalk::seq2seq {

struct NamedPlot {
  std::string name;  // e.g. attention_encoder.layers.0.attention
  std::string svg;
};

struct MapLabels {
  std::vector<std::string> queries, keys;  // may be shorter than the map or empty
};

// While it lives, every attention of the model leaves the weights of its last whole pass. It takes the place
// of other observers (grouped heads) until then. The model must outlive it. One thread.
class AttentionMaps {
 public:
  explicit AttentionMaps(const torch::nn::Module& model);
  ~AttentionMaps();
  AttentionMaps(const AttentionMaps&) = delete;
  AttentionMaps& operator=(const AttentionMaps&) = delete;

  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  // [B, H, Tq, Tk] of attention `index` of names(), undefined when it has not been run.
  [[nodiscard]] const torch::Tensor& weights(std::size_t index) const;
  // One picture an attention that has been run: example `example`, heads side by side, one row a query.
  // Rows and columns without labels at the end of a labeled map (padding) are left out.
  [[nodiscard]] std::vector<NamedPlot> plots(
      std::int64_t example, const std::function<MapLabels(const std::string& name)>& labels) const;

 private:
  std::vector<std::string> names_;
  std::vector<MultiheadAttention> attentions_;
  std::vector<HeadObserver> observers_;
  std::vector<HeadObserver*> before_;
};

// One attention's map for one example, weights [H, Tq, Tk].
[[nodiscard]] std::string attention_map_svg(const std::string& title, const torch::Tensor& weights,
                                            const MapLabels& labels);

// Groups of the last grouping: head_groups (one row an attention layer, one column a head, its group's
// number) and head_likeness_<layer> (cosine of every two heads' features in the last pass, heads ordered by
// group). ShapeError when there was no pass.
[[nodiscard]] std::vector<NamedPlot> head_group_plots(const GroupedHeadsImpl& heads);

}  // namespace kgwalk::seq2seq
