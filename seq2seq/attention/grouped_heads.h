// Grouped heads (thesis chapter 3; ACL 2023): group-constrained training (GCT) of the attention heads of a
// model, and the vote that leaves one pillar of each group (V2S).
//
//   auto groups = GroupedHeads(options, attentions_of(*model));  // has state: the task's module registers it
//   groups->observe(true);                                       // training
//   y = model(x);
//   loss = task_loss + groups->loss();                           // Eq. 3.4
//   ... converged(): for each training batch, no gradients: model(x); groups->vote();
//   Model small(options with StackOptions::with_pillars(C));
//   copy_pillars(*model, *small, groups->pillars());
//
// n attention layers, k heads each, C groups a layer. A head's feature map e is its mean over the batch
// (attention/head_features.h). K-means (Eq. 3.3) groups the heads of a layer every `refresh` steps; in
// between the groups stay and a group's hidden unit z is the mean of its heads' present features, so that
// both terms move the heads. phi is the cosine. With maps `tokens` e and z are those of one position, and phi
// and log p are means over the positions without padding: a bias, which is the same at every position, does
// less for them than for the means. The groups are found on the means either way.
//   metric (B):   - alpha / (k n) sum phi(e_i, z_i)  +  beta / (C(C-1)/2 n) sum_{j1 < j2} phi(z_j1, z_j2)
//   classify (A): - alpha / (k n) sum log p(z_i | e_i)
//                 + beta / ((C-1) k n) sum_i sum_{j != z_i} log p(j | e_i)
// The signs of (B) are those that pull heads of a group together and push groups apart, phi being a
// similarity. In (A) p is a linear classifier a layer; log p below -10 counts as -10, without which the
// second term has no bound.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/config.h"
#include "runtime/random.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/attention/attention.h"

namespace kgwalk::seq2seq {

// How a head is told its group: hidden units as vectors (Eq. 3.4 B) or as classes (Eq. 3.4 A).
enum class GroupForm { kMetric, kClassify };
constexpr auto choice_names(GroupForm) { return choices_in_order<GroupForm>("metric", "classify"); }
// The feature map by which heads are grouped.
enum class HeadFeature { kValue, kAttention, kOutput };
constexpr auto choice_names(HeadFeature) {
  return choices_in_order<HeadFeature>("value", "attention", "output");
}
// Whether e is a head's mean over batch and positions or its feature at each position.
enum class FeatureMaps { kMean, kTokens };
constexpr auto choice_names(FeatureMaps) { return choices_in_order<FeatureMaps>("mean", "tokens"); }
// How heads come into groups: discovered by k-means (HUDS, Eq. 3.3), or head i always in group i C / k.
enum class Grouping { kKmeans, kFixed };
constexpr auto choice_names(Grouping) { return choices_in_order<Grouping>("kmeans", "fixed"); }
// Which heads stay (thesis table 3.3): those voted for, any one of each group ("w/o PS stay"), or any C heads
// of a layer, whatever their groups ("w/o HUDS").
enum class StayingHeads { kVoted, kMember, kRandom };
constexpr auto choice_names(StayingHeads) {
  return choices_in_order<StayingHeads>("voted", "member", "random");
}

struct GroupedHeadsOptions {
  int groups = 0;  // C
  Choice<GroupForm> form = GroupForm::kMetric;
  Choice<HeadFeature> feature = HeadFeature::kValue;
  double alpha = 0.5;
  double beta = 0.5;
  int refresh = 300;
  int reach = 16;
  double threshold = 0.01;
  Choice<FeatureMaps> maps = FeatureMaps::kMean;
  Choice<Grouping> grouping = Grouping::kKmeans;
  Choice<StayingHeads> stay = StayingHeads::kVoted;  // of a training that begins with pillars
  template <class F>
  void fields(F& f) {
    f("groups", groups,
      "Number of groups of heads in each attention layer; 0 means that heads are not grouped.")
        .range(0, 1024);
    f("form", form,
      "Hidden units of the groups are vectors (metric, Eq. 3.4 B) or classes (classify, Eq. "
      "3.4 A).");
    f("feature", feature, "Feature map by which heads are grouped.");
    f("alpha", alpha, "Weight of the likeness of heads within a group in the loss.").range(0, 1e6);
    f("beta", beta, "Weight of the difference between groups in the loss.").range(0, 1e6);
    f("refresh", refresh, "Number of training steps between two groupings.").range(1, 1e9);
    f("reach", reach, "Largest offset of a key that attention features count apart.").range(1, 4096);
    f("threshold", threshold,
      "Movement of the groups' means, relative to their length, below which they have "
      "converged.")
        .range(0, 1);
    f("maps", maps,
      "Likeness is that of means over a batch (mean), or the mean over its tokens of their own "
      "likenesses; groups are found on the means.");
    f("grouping", grouping,
      "Groups are found by k-means, or fixed: neighboring heads, the same throughout a training.");
    f("stay", stay,
      "Heads that a training with --pillars begins with: those voted for, a random member of each "
      "group, or as many random heads of each layer.");
  }
  void check(Problems& problems) const;  // attention maps have no token form
  [[nodiscard]] bool active() const { return groups > 0; }
};

// How compact the groups are, for the features of the last forward pass.
struct GroupQuality {
  double silhouette = 0;       // mean over the layers
  std::optional<double> dunn;  // mean over the layers where it is finite; none otherwise
  double shift = 0;            // of the groups' means at the last grouping, relative to their length
  std::vector<double> layer_silhouette;  // [n]
};

class GroupedHeadsImpl : public torch::nn::Module {
 public:
  // ConfigError when heads are fewer than groups or differ in number or width between the attentions. The
  // attentions are kept alive, not registered; their observers are this module's.
  GroupedHeadsImpl(const GroupedHeadsOptions& options, std::vector<MultiheadAttention> attentions);
  ~GroupedHeadsImpl() override;

  // While on, every forward pass of the attentions leaves its features.
  void observe(bool on);
  // L_z of the last forward pass, a scalar. In training mode a grouping is made when due. ShapeError when an
  // attention has not been run.
  [[nodiscard]] torch::Tensor loss();
  // rho of Algorithm 1: two groupings at least, and the last moved the means less than the threshold.
  [[nodiscard]] bool converged() const;
  // The shift that the last loss() measured, when it made a grouping and not the first one.
  [[nodiscard]] std::optional<double> fresh_shift() const;
  [[nodiscard]] GroupQuality quality() const;
  // The grouped feature of the last forward pass, [n, k, F].
  [[nodiscard]] torch::Tensor features() const { return stacked(options_.feature); }

  // Algorithm 1: one batch's votes. In each layer and group the head nearest to its hidden unit (metric: in
  // each of the three feature maps; classify: the head most surely told, in the grouped one) gets a vote.
  void vote();
  void clear_votes();
  // The head of each group with most votes (the lower one on ties), ascending: [n][C].
  [[nodiscard]] std::vector<std::vector<std::int64_t>> pillars() const;
  // Heads drawn without a vote, as many and in the same form: `stay` is kMember or kRandom.
  [[nodiscard]] std::vector<std::vector<std::int64_t>> drawn_pillars(StayingHeads stay, Random& random) const;

  [[nodiscard]] std::size_t layers() const noexcept { return attentions_.size(); }
  [[nodiscard]] const GroupedHeadsOptions& options() const noexcept { return options_; }

  // Registered: buffers assignment [n, k], centers [n, C, F], shift [], steps [], groupings [], votes [n, k];
  // for classify parameters weight [n, C, F], bias [n, C].
  torch::Tensor assignment, centers, shift, steps, groupings, votes;
  torch::Tensor weight, bias;

 private:
  torch::Tensor stacked(HeadFeature feature) const;
  // What phi and log p look at: all layers' means, [n, k, F], or a layer's tokens, [M, k, F]; with the
  // groups.
  struct HeadSet {
    torch::Tensor features, assignment;  // assignment [n or 1, k]
    std::int64_t layer;
  };
  std::vector<HeadSet> sets(HeadFeature feature) const;
  torch::Tensor log_probs(const HeadSet& set) const;  // [n or M, k, C]
  torch::Tensor metric_loss(const HeadSet& set) const;
  torch::Tensor classify_loss(const HeadSet& set) const;
  torch::Tensor told_surely() const;                       // log p(z_i | e_i), [n, k]
  torch::Tensor nearness(HeadFeature feature) const;       // phi(e_i, z_i), [n, k]
  torch::Tensor groups_of(const torch::Tensor& features);  // int64 [n, k]
  void group(const torch::Tensor& features);

  GroupedHeadsOptions options_;
  std::vector<MultiheadAttention> attentions_;
  std::vector<HeadObserver> observers_;
  bool regrouped_ = false;  // by the last loss()
};
TORCH_MODULE(GroupedHeads);

// The formulas alone, for features [n, k, F] and assignment int64 [n or 1, k] in 0 .. C - 1 with no group
// empty.
[[nodiscard]] torch::Tensor group_means(const torch::Tensor& features, const torch::Tensor& assignment,
                                        std::int64_t groups);  // [n, C, F]
[[nodiscard]] torch::Tensor likeness_to_own_group(const torch::Tensor& features,
                                                  const torch::Tensor& assignment,
                                                  std::int64_t groups);  // phi(e_i, z_i), [n, k]
[[nodiscard]] torch::Tensor likeness_between_groups(const torch::Tensor& features,
                                                    const torch::Tensor& assignment,
                                                    std::int64_t groups);  // mean over pairs and layers, []
// Bool [n, k]: the head of highest score in its group; the lower one on ties.
[[nodiscard]] torch::Tensor best_of_groups(const torch::Tensor& scores, const torch::Tensor& assignment,
                                           std::int64_t groups);

// All attentions of a model, in order of registration.
[[nodiscard]] std::vector<MultiheadAttention> attentions_of(const torch::nn::Module& model);

// Head removal: every weight of `from` goes into `to`, the same model made with fewer heads of the same
// width; of the i-th attention only the heads kept[i]. Results equal those of `from` with the other heads'
// outputs zero. ConfigError when an attention uses hi-attention or TASA (heads of different layers belong
// together there), when weights besides heads differ.
void copy_pillars(const torch::nn::Module& from, torch::nn::Module& to,
                  const std::vector<std::vector<std::int64_t>>& kept);

}  // namespace kgwalk::seq2seq
