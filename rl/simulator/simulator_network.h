// The network of the user simulator (thesis 5.3.4, "User Simulation"): the walker's encoders and a decoder
// with hierarchical attention whose input is S_usr = [v_c; t] and whose output is a distribution over pieces.
//
// Shapes: B situations, Tn name pieces, T pieces of the utterance, D model width, V pieces of the vocabulary.
#pragma once

#include <torch/nn/modules/dropout.h>

#include <cstdint>

#include "rl/simulator/simulator_config.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/layers/decoder.h"
#include "seq2seq/layers/embedding.h"
#include "walker/network/network.h"
#include "walker/network/source_encoders.h"

namespace kgwalk::rl {

// A batch of situations as tensors.
struct SpeechInputs {
  walker::WalkInputs sources;  // starts are the current vertices v_c
  torch::Tensor names;         // int64 [B, Tn] pieces of their names, padded; Tn = 0 without names
  torch::Tensor name_keep;     // bool [B, Tn]
};

// The decoder's input is [name of v_c; v_c; t]: with `vertex_name` off, [v_c; t] as in the thesis.
// Input and output embeddings of the pieces are one table. Not thread-safe in training; evaluation
// under NoGradGuard is.
class SimulatorNetImpl : public torch::nn::Module {
 public:
  SimulatorNetImpl(const SimulatorConfig& config, const walker::GraphTables& tables,
                   const walker::InputSizes& sizes, std::int64_t vocabulary);

  // Teacher forcing: pieces int64 [B, T], padded with anything behind their end -> [B, T + 1, D], state i has
  // seen i pieces.
  torch::Tensor teach(const SpeechInputs& inputs, const torch::Tensor& pieces);
  // Unnormalized log-probabilities of the next piece: [..., D] -> [..., V].
  torch::Tensor logits(const torch::Tensor& states) { return output(states); }

  // Incremental, equal to teach(): start() gives the states before any piece, [B, D]; extend() those after
  // one more piece a row, int64 [N], of which `said` were said before.
  torch::Tensor start(const SpeechInputs& inputs, seq2seq::DecoderState& state);
  torch::Tensor extend(const torch::Tensor& pieces, std::int64_t said, seq2seq::DecoderState& state);

  // Registered names: the checkpoint (docs/reference/formats/rl.md), with those of walker::SourceEncoders.
  walker::MetaPathTables metapath{nullptr};
  seq2seq::Linear vertex_in{nullptr}, output{nullptr};  // [D, d'], [V, D]
  seq2seq::PositionEmbedding decoder_positions{nullptr};
  seq2seq::TransformerDecoder decoder{nullptr};
  torch::nn::Dropout dropout{nullptr};

 private:
  torch::Tensor embedded(const torch::Tensor& pieces) const;     // [B, T] -> [B, T, D], without positions
  torch::Tensor prefix(const SpeechInputs& inputs);              // [B, Tn + 1, D]
  static torch::Tensor prefix_keep(const SpeechInputs& inputs);  // bool [B, Tn + 1]
  torch::Tensor words(const torch::Tensor& pieces, std::int64_t said);  // [B, T, D]

  SimulatorConfig config_;
  walker::SourceEncoders sources_;
};
TORCH_MODULE(SimulatorNet);

}  // namespace kgwalk::rl
