// The encoders of the multiscale sources (thesis 5.3.2): E_dial over the frozen text states of the
// dialogue and E_kg over the MetaPath history. Shared by HiTKG and by the user simulator, which has
// the same architecture.
//
// Shapes: B examples, Tt text positions, Tp path positions, D model width.
#pragma once

#include <torch/nn/modules/dropout.h>

#include <vector>

#include "runtime/tensor/torch.h"
#include "seq2seq/layers/decoder.h"
#include "seq2seq/layers/embedding.h"
#include "seq2seq/layers/encoder.h"
#include "walker/network/network.h"
#include "walker/network/text_top.h"

namespace kgwalk::walker {

// What the encoders make of a batch. ordered() points into this object.
struct SourceMemories {
  torch::Tensor dialogue, dialogue_keep;  // [B, Tt, D], bool [B, Tt]
  torch::Tensor path, path_keep;          // [B, Tp, D], bool [B, Tp]
  seq2seq::AttentionTrace dialogue_trace, path_trace;

  // In the order of attention: path history first (Eq. 5.5), the dialogue first for DK. `traces` when the
  // decoder's hi-attention reads the encoders' layers.
  [[nodiscard]] std::vector<seq2seq::Memory> ordered(bool dialogue_first, bool traces) const;
};

// Not a module itself: registers its parts in the module that owns it, so that they keep their
// names in checkpoints.
class SourceEncoders {
 public:
  // Registers text_top, text_in and metapath_in (where there are such), text_positions, history_positions,
  // dialogue_encoder, path_encoder and source_dropout in `owner`.
  SourceEncoders(torch::nn::Module& owner, const WalkerConfig& config, const MetaPathTables& tables,
                 const InputSizes& sizes);

  SourceMemories encode(const WalkInputs& inputs);
  // MetaPaths at model width: ids [...] -> [..., D]. The decoder's inputs share the projection.
  torch::Tensor metapaths(const MetaPathIds& ids);

 private:
  MetaPathTables tables_;
  TextTop text_top_{nullptr};  // config.text.trained_layers
  seq2seq::Linear text_in_{nullptr}, metapath_in_{nullptr};
  seq2seq::PositionEmbedding text_positions_{nullptr}, history_positions_{nullptr};
  seq2seq::TransformerEncoder dialogue_encoder_{nullptr}, path_encoder_{nullptr};
  torch::nn::Dropout dropout_{nullptr};
};

}  // namespace kgwalk::walker
