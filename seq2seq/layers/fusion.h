// Groups of layers and their fusion (GTRANS: Grouping and Fusing Transformer Layers). A stack of L layers in
// groups of T has ceil(L / T) groups; layer l (from 0) belongs to group l / T, the last group may be shorter.
//
//   encoder (Eq. 2): LN(1/M sum_i sigmoid(w_i) h_(last layer of group i))       M groups
//   decoder (Eq. 4): h_k = sum over the layers i of group k of sigmoid(w_i) h_i  N groups
//   words   (Eq. 5, 6): P(y|x) = sum_k psi_k softmax(h_k W_o), psi = softmax(w / sqrt(D))
//   loss    (Eq. 7): sum_k psi_k (- log P_k(y|x))
//
// All weights begin at zero: gates of one half, equal groups. With norm "pre", which the paper does not use,
// the decoder's last norm is applied to each h_k.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime/tensor/torch.h"
#include "seq2seq/layers/norm.h"

namespace kgwalk::seq2seq {

// How the layers of a stack fall into groups; size 0 = they do not.
struct LayerGroups {
  int layers = 0, size = 0;
  [[nodiscard]] bool active() const { return size > 0; }
  [[nodiscard]] int count() const { return active() ? (layers + size - 1) / size : 0; }
  [[nodiscard]] int group_of(int layer) const { return layer / size; }
  [[nodiscard]] int begin(int group) const { return group * size; }
  [[nodiscard]] int end(int group) const { return std::min((group + 1) * size, layers); }
  [[nodiscard]] bool closes(int layer) const { return active() && layer + 1 == end(group_of(layer)); }
};

// Eq. 2.
class EncoderFusionImpl : public torch::nn::Module {
 public:
  EncoderFusionImpl(LayerGroups groups, std::int64_t width, double norm_eps);
  // The last layer's states of each group, lowest first, [B, T, D] each -> [B, T, D].
  torch::Tensor forward(const std::vector<torch::Tensor>& states);

  torch::Tensor weight;     // w [M]
  LayerNorm norm{nullptr};  // LN
};
TORCH_MODULE(EncoderFusion);

// Eq. 4.
class DecoderFusionImpl : public torch::nn::Module {
 public:
  explicit DecoderFusionImpl(LayerGroups groups);
  // The states of all layers of group k, lowest first -> h_k [B, T, D].
  torch::Tensor forward(const std::vector<torch::Tensor>& states, int group);

  torch::Tensor weight;  // w [L]

 private:
  LayerGroups groups_;
};
TORCH_MODULE(DecoderFusion);

// Eq. 5-7 over whatever turns a group's states into word scores: an output matrix, a tied embedding, a copy
// mechanism. G is the number of kept groups, all N unless keep_groups was called.
//
//   GroupMixture mixture(decoder->options().groups(), width);
//   training:  states = decoder->forward_groups(...)                    [G, B, T, D]
//              loss = mixture->loss(stack of cross entropies)           [G, ...] -> [...]
//   decoding:  mixture->log_probs(output(decoder->step_groups(...)))    [G, N, 1, V] -> [N, 1, V]
class GroupMixtureImpl : public torch::nn::Module {
 public:
  GroupMixtureImpl(LayerGroups groups, std::int64_t width);
  // psi of the kept groups (softmax over these alone), [G].
  [[nodiscard]] torch::Tensor weights() const;
  // Scores before the softmax, [G, ..., V] -> log P(y|x), [..., V].
  torch::Tensor log_probs(const torch::Tensor& logits);
  // Losses of the groups, [G, ...] -> sum_k psi_k loss_k, [...].
  torch::Tensor loss(const torch::Tensor& group_losses);
  // As the decoder's keep_groups; call both with the same groups.
  void keep_groups(const std::vector<int>& kept);

  torch::Tensor weight;  // w [N]

 private:
  [[nodiscard]] torch::Tensor log_weights(const torch::Tensor& per_group) const;

  LayerGroups groups_;
  double temperature_;     // sqrt(D)
  std::vector<int> kept_;  // empty = all
};
TORCH_MODULE(GroupMixture);

// ConfigError unless `kept` is ascending and names groups of the stack; empty is fine and means all.
void check_kept_groups(const std::vector<int>& kept, LayerGroups groups);

}  // namespace kgwalk::seq2seq
