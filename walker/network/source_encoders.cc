#include "walker/network/source_encoders.h"

#include <torch/nn/modules/dropout.h>

#include "dialogue/text/text_encoder.h"
#include "kgwalk/error.h"
#include "runtime/tensor/torch.h"

namespace kgwalk::walker {

using seq2seq::Memory;
using torch::Tensor;

std::vector<Memory> SourceMemories::ordered(bool dialogue_first, bool traces) const {
  const Memory d{dialogue, dialogue_keep, traces ? &dialogue_trace : nullptr};
  const Memory p{path, path_keep, traces ? &path_trace : nullptr};
  return dialogue_first ? std::vector<Memory>{d, p} : std::vector<Memory>{p, d};
}

SourceEncoders::SourceEncoders(torch::nn::Module& owner, const WalkerConfig& config,
                               const MetaPathTables& tables, const InputSizes& sizes)
    : tables_(tables) {
  const int width = config.encoder.width;
  const auto learned = [&](std::int64_t length) {
    return seq2seq::PositionEmbedding(
        seq2seq::PositionOptions{.kind = "learned", .width = width, .max_length = static_cast<int>(length)});
  };
  if (config.text.trained_layers > 0) {
    if (sizes.encoder == nullptr)
      throw ConfigError("text.trained_layers: there is no text encoder whose layers could be trained");
    text_top_ =
        owner.register_module("text_top", TextTop(sizes.encoder->network(), config.text.trained_layers));
  }
  if (config.metapath.projected || sizes.text_width != width)
    text_in_ = owner.register_module("text_in", seq2seq::Linear(sizes.text_width, width));
  metapath_in_ = tables_->projection(tables_->width(), width);
  if (metapath_in_) owner.register_module("metapath_in", metapath_in_);
  text_positions_ = owner.register_module("text_positions", learned(sizes.text_positions));
  history_positions_ = owner.register_module("history_positions", learned(config.max_path_history + 1));
  dialogue_encoder_ = owner.register_module("dialogue_encoder", seq2seq::TransformerEncoder(config.encoder));
  path_encoder_ = owner.register_module("path_encoder", seq2seq::TransformerEncoder(config.encoder));
  dropout_ = owner.register_module("source_dropout", torch::nn::Dropout(config.decoder.dropout));
}

// Text states plus learned positions (thesis: e_d^pos). [usr1] and [usr2] stand in the text, in front
// of each message.
SourceMemories SourceEncoders::encode(const WalkInputs& inputs) {
  SourceMemories m;
  m.dialogue_keep = inputs.text_keep;
  m.path_keep = inputs.history_keep;
  const Tensor states = text_top_ ? text_top_(inputs.text, inputs.text_keep) : inputs.text;  // [B, Tt, Dt]
  const Tensor text = dropout_(text_positions_(text_in_ ? text_in_(states) : states));       // [B, Tt, D]
  m.dialogue = dialogue_encoder_(text, inputs.text_keep, &m.dialogue_trace);    // E_dial, Eq. 5.3
  const Tensor path = dropout_(history_positions_(metapaths(inputs.history)));  // [B, Tp, D]
  m.path = path_encoder_(path, inputs.history_keep, &m.path_trace);             // E_kg
  return m;
}

Tensor SourceEncoders::metapaths(const MetaPathIds& ids) {
  const Tensor vectors = tables_->vectors(ids);
  return metapath_in_ ? metapath_in_(vectors) : vectors;
}

}  // namespace kgwalk::walker
