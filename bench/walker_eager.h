// The peer of the walker benchmarks: HiTKG written plainly with LibTorch operations, one after the other, on
// the same weights. Candidates are padded to the largest fan-out of the batch and their MetaPath vectors are
// materialized, as a first implementation would do; keys and values of the memories and of earlier positions
// are kept between beam steps.
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/tensor/torch.h"
#include "walker/network/neural_walker.h"

namespace kgwalk::eager {

using torch::Tensor;

// Candidates padded to [N, C]: ids and which are real.
struct PaddedCandidates {
  Tensor relations, tails, keep;
};

inline PaddedCandidates pad_candidates(const walker::CandidateTensors& c) {
  const std::int64_t n = c.offsets.size(0) - 1;
  const auto* offsets = c.offsets.data_ptr<std::int64_t>();
  std::int64_t longest = 0;
  for (std::int64_t i = 0; i < n; ++i) longest = std::max(longest, offsets[i + 1] - offsets[i]);
  PaddedCandidates p{torch::zeros({n, longest}, torch::kInt64), torch::zeros({n, longest}, torch::kInt64),
                     torch::zeros({n, longest}, torch::kBool)};
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t count = offsets[i + 1] - offsets[i];
    p.relations[i].slice(0, 0, count).copy_(c.relations.slice(0, offsets[i], offsets[i + 1]));
    p.tails[i].slice(0, 0, count).copy_(c.tails.slice(0, offsets[i], offsets[i + 1]));
    p.keep[i].slice(0, 0, count).fill_(true);
  }
  return p;
}

class EagerWalker {
 public:
  struct State {
    std::vector<Tensor> keys, values;                             // [L] of [N, H, t, d]
    std::vector<std::vector<Tensor>> memory_keys, memory_values;  // [L][M] of [N, H, Tk, d]
    std::vector<Tensor> memory_keep;                              // [M] of bool [N, Tk]
  };

  EagerWalker(const walker::WalkerConfig& config, walker::WalkerNetImpl& net, bool train)
      : config_(config), entities_(net.metapath->frozen_entities()), bop_(net.metapath->bop()) {
    for (const auto& item : net.named_parameters())
      weights_[item.key()] = item.value().detach().clone().requires_grad_(train);
  }
  [[nodiscard]] std::vector<Tensor> parameters() const {
    std::vector<Tensor> list;
    for (const auto& [name, weight] : weights_) list.push_back(weight);
    return list;
  }

  // The two memories in the order of attention: path history, dialogue.
  std::pair<Tensor, Tensor> encode(const walker::WalkInputs& in) {
    const Tensor text =
        linear(in.text, "network.text_in") + positions("network.text_positions", in.text.size(1), 0);
    const Tensor path = linear(vectors(in.history.relations, in.history.tails), "network.metapath_in") +
                        positions("network.history_positions", in.history.tails.size(1), 0);
    return {stack(path, in.history_keep, "network.path_encoder"),
            stack(text, in.text_keep, "network.dialogue_encoder")};
  }

  State start(const walker::WalkInputs& in) {
    const auto [path, dialogue] = encode(in);
    State s;
    for (int l = 0; l < config_.decoder.layers; ++l) {
      auto& keys = s.memory_keys.emplace_back();
      auto& values = s.memory_values.emplace_back();
      for (int m = 0; m < 2; ++m) {
        const auto kv =
            linear(m == 0 ? path : dialogue, layer(l) + ".memory." + std::to_string(m) + ".key_value");
        keys.push_back(split(kv.chunk(2, 2)[0]));
        values.push_back(split(kv.chunk(2, 2)[1]));
      }
    }
    s.memory_keep = {in.history_keep, in.text_keep};
    return s;
  }

  static void reorder(State& s, const Tensor& rows) {
    for (auto* list : {&s.keys, &s.values, &s.memory_keep})
      for (Tensor& x : *list) x = x.index_select(0, rows);
    for (auto* lists : {&s.memory_keys, &s.memory_values})
      for (auto& list : *lists)
        for (Tensor& x : list) x = x.index_select(0, rows);
  }

  // cls, goal, bop: [B, 3, D]; the goal's place is empty and masked unless the walker sees goals (then every
  // example must have one).
  Tensor prefix(const walker::WalkInputs& in) {
    const std::int64_t batch = in.size(), width = config_.decoder.width;
    const Tensor start = in.starts.unsqueeze(1);
    const Tensor x = torch::cat(
        {weights_.at("network.cls").view({1, 1, width}).expand({batch, 1, width}),
         config_.goal_visible ? linear(entities_.index_select(0, in.goals), "network.goal_in").unsqueeze(1)
                              : torch::zeros({batch, 1, width}),
         linear(vectors(torch::full_like(start, bop_), start), "network.metapath_in")},
        1);
    return x + positions("network.decoder_positions", 3, 0);
  }
  Tensor hop(const Tensor& relations, const Tensor& tails) {
    return linear(vectors(relations, tails), "network.metapath_in") +
           positions("network.decoder_positions", relations.size(1), 3);
  }

  // x [N, T, D] after the positions in `s`; position 1 of the whole sequence is masked when it holds no goal.
  Tensor step(Tensor x, State& s) {
    const bool first = s.keys.empty();
    for (int l = 0; l < config_.decoder.layers; ++l) {
      const auto i = static_cast<std::size_t>(l);
      const Tensor in = norm(x, layer(l) + ".self_norm");
      const auto qkv = linear(in, layer(l) + ".self_attention.qkv").chunk(3, 2);
      if (first) {
        s.keys.push_back(split(qkv[1]));
        s.values.push_back(split(qkv[2]));
      } else {
        s.keys[i] = torch::cat({s.keys[i], split(qkv[1])}, 2);
        s.values[i] = torch::cat({s.values[i], split(qkv[2])}, 2);
      }
      const std::int64_t tq = x.size(1), tk = s.keys[i].size(2);
      Tensor mask = torch::ones({tq, tk}, torch::kBool).tril(tk - tq);
      if (!config_.goal_visible) mask.select(1, 1).fill_(false);
      x = x + linear(attend(split(qkv[0]), s.keys[i], s.values[i], mask.view({1, 1, tq, tk})),
                     layer(l) + ".self_attention.output");
      for (std::size_t m = 0; m < 2; ++m) {
        const std::string name = layer(l) + ".memory." + std::to_string(m);
        const Tensor q =
            split(linear(norm(x, layer(l) + ".memory_norm." + std::to_string(m)), name + ".query"));
        const Tensor keep = s.memory_keep[m].view({s.memory_keep[m].size(0), 1, 1, -1});
        x = x + linear(attend(q, s.memory_keys[i][m], s.memory_values[i][m], keep), name + ".output");
      }
      x = x + feed_forward(norm(x, layer(l) + ".ffn_norm"), layer(l) + ".ffn");
    }
    return norm(x, "network.decoder.final_norm");
  }

  // states [N, D] -> log-probabilities [N, C], padding far below.
  Tensor score(const Tensor& states, const PaddedCandidates& c, const Tensor& hops) {
    return torch::log_softmax(metapath_scores(states, c, hops).masked_fill(~c.keep, -1e9), 1);
  }
  Tensor lengths(const Tensor& cls) { return linear(cls, "network.length_head"); }

 protected:
  // states . MetaPath of each candidate and the bias of its relation: [N, C]
  Tensor metapath_scores(const Tensor& states, const PaddedCandidates& c, const Tensor& hops) {
    const Tensor projected = linear(states, "scorer.project").unsqueeze(2);  // [N, 2 d, 1]
    const Tensor eop = c.relations == (bop_ - 1);
    Tensor vector = vectors(c.relations, c.tails);  // [N, C, 2 d]
    const Tensor eop_vector = torch::cat({weights_.at("metapath.special")[0], weights_.at("metapath.eop")});
    vector = torch::where(eop.unsqueeze(2), eop_vector.view({1, 1, -1}), vector);
    const Tensor scores = torch::bmm(vector, projected).squeeze(2);  // [N, C]
    return scores + weights_.at("scorer.relation_bias").index_select(0, hops).gather(1, c.relations);
  }
  [[nodiscard]] static std::string layer(int l) { return "network.decoder.layers." + std::to_string(l); }
  Tensor linear(const Tensor& x, const std::string& name) {
    return torch::linear(x, weights_.at(name + ".weight"), weights_.at(name + ".bias"));
  }
  Tensor norm(const Tensor& x, const std::string& name) {
    return torch::layer_norm(x, {x.size(-1)}, weights_.at(name + ".weight"), weights_.at(name + ".bias"));
  }
  Tensor positions(const std::string& name, std::int64_t length, std::int64_t offset) {
    return weights_.at(name + ".weight").slice(0, offset, offset + length).unsqueeze(0);
  }
  Tensor vectors(const Tensor& relations, const Tensor& tails) {
    const Tensor table = torch::cat({weights_.at("metapath.relations"), weights_.at("metapath.special")});
    std::vector<std::int64_t> shape = relations.sizes().vec();
    shape.push_back(-1);
    return torch::cat({table.index_select(0, relations.reshape({-1})).view(shape),
                       entities_.index_select(0, tails.reshape({-1})).view(shape)},
                      -1);
  }
  [[nodiscard]] Tensor split(const Tensor& x) const {  // [B, T, D] -> [B, H, T, d]
    return x.reshape({x.size(0), x.size(1), config_.decoder.heads, -1}).transpose(1, 2);
  }
  static Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& keep) {
    const Tensor scores = torch::matmul(q, k.transpose(2, 3)) / std::sqrt(static_cast<double>(q.size(3)));
    const Tensor out = torch::matmul(torch::softmax(scores.masked_fill(~keep, -1e9), -1), v);
    return out.transpose(1, 2).reshape({out.size(0), out.size(2), -1});
  }
  Tensor feed_forward(const Tensor& x, const std::string& name) {
    return linear(torch::gelu(linear(x, name + ".inner")), name + ".output");
  }
  Tensor stack(Tensor x, const Tensor& keep, const std::string& name) {
    for (int l = 0; l < config_.encoder.layers; ++l) {
      const std::string at = name + ".layers." + std::to_string(l);
      const auto qkv = linear(norm(x, at + ".attention_norm"), at + ".attention.qkv").chunk(3, 2);
      x = x + linear(attend(split(qkv[0]), split(qkv[1]), split(qkv[2]), keep.view({keep.size(0), 1, 1, -1})),
                     at + ".attention.output");
      x = x + feed_forward(norm(x, at + ".ffn_norm"), at + ".ffn");
    }
    return norm(x, name + ".final_norm");
  }

  walker::WalkerConfig config_;
  std::map<std::string, Tensor> weights_;
  Tensor entities_;
  std::int64_t bop_;
};

}  // namespace kgwalk::eager
