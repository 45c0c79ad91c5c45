// What turns an example and a path so far into states: the part in which HiTKG, the recurrent walker and the
// small scorer differ. Candidates and scoring are shared (walker/network/candidate_scorer.h).
//
// Shapes: B examples, Tt text positions, Tp path positions, Dt width of text states, D state width, h hops so
// far, k states an example.
#pragma once

#include <memory>

#include "runtime/tensor/torch.h"
#include "walker/network/metapath.h"
#include "walker/network/padded_bags.h"

namespace kgwalk::dialogue {
class TextEncoder;
}

namespace kgwalk::walker {

// A batch of examples as tensors.
struct WalkInputs {
  torch::Tensor text;  // float [B, Tt, Dt] frozen text states ([usr1], [usr2] are positions of their own)
  torch::Tensor text_keep;     // bool [B, Tt] true where there is something
  torch::Tensor words;         // int64 [W] word ids of all bags, bag after bag (trained word vectors)
  torch::Tensor word_bags;     // int64 [B U] start of each bag; U bags an example, newest utterance first
  Said said;                   // what a listener reads; undefined when nothing listens
  torch::Tensor silent;        // bool [B] true where nothing was said last: nothing is asked; beside `said`
  MetaPathIds history;         // [B, Tp] bop and the hops of earlier paths
  torch::Tensor history_keep;  // bool [B, Tp]
  torch::Tensor starts;        // int64 [B]
  torch::Tensor goals;         // int64 [B] goal entity, or the eop entity where there is none
  [[nodiscard]] std::int64_t size() const { return starts.size(0); }
  [[nodiscard]] WalkInputs to(torch::Device device) const;
};

struct Decoded {
  torch::Tensor states;   // [B, T, D] state i has seen i hops
  torch::Tensor lengths;  // [B, max_hops] logits of path lengths 1, 2, ...; undefined without a length head
};

// What decoding keeps of a batch between the hops.
class WalkState {
 public:
  virtual ~WalkState() = default;
  torch::Tensor first;    // [B, D] states before any hop
  torch::Tensor lengths;  // as Decoded::lengths
};

class WalkNetworkImpl : public torch::nn::Module {
 public:
  // Teacher forcing: hops [B, T - 1] of the gold paths (padded with anything) -> states before each hop
  // and after them.
  virtual Decoded teach(const WalkInputs& inputs, const MetaPathIds& hops) = 0;
  [[nodiscard]] virtual std::unique_ptr<WalkState> start(const WalkInputs& inputs) = 0;
  // States after the given hops: hops [N, h], row i continues example owners[i] (int64 [N], ascending) -> [N,
  // D]. Leaves `state` as it was.
  virtual torch::Tensor extend(const WalkState& state, const MetaPathIds& hops,
                               const torch::Tensor& owners) = 0;
  [[nodiscard]] virtual std::int64_t state_width() const = 0;
};

// What the data decide about a network's size.
struct InputSizes {
  std::int64_t text_width = 1;      // Dt
  std::int64_t text_positions = 1;  // longest text
  std::int64_t num_words = 0;       // rows of the trained word table
  std::shared_ptr<const dialogue::TextEncoder> encoder =
      nullptr;  // whose top layers are trained; may be null
};

// The network of config.model: "hitkg", "lstm" or "scorer".
[[nodiscard]] std::shared_ptr<WalkNetworkImpl> make_network(const WalkerConfig& config,
                                                            const MetaPathTables& tables,
                                                            const InputSizes& sizes);

// Mean word vectors of the last utterances: bags -> [B, U * width], with whole words dropped in training.
class WordBagsImpl : public torch::nn::Module {
 public:
  WordBagsImpl(std::int64_t num_words, const TextConfig& config);
  torch::Tensor forward(const WalkInputs& inputs);
  [[nodiscard]] std::int64_t width() const { return config_.word_width * config_.word_utterances; }

  torch::Tensor weight;  // [num_words, width]; word 0 stands for nothing

 private:
  TextConfig config_;
};
TORCH_MODULE(WordBags);

}  // namespace kgwalk::walker
