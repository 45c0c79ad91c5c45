#include "rl/simulator/simulator_network.h"

#include <torch/nn/modules/dropout.h>

#include "runtime/tensor/torch.h"

#include <cmath>

namespace kgwalk::rl {

using torch::Tensor;

namespace {

bool reads_traces(const SimulatorConfig& config) { return config.decoder.hi_memory.history > 0; }

}  // namespace

SimulatorNetImpl::SimulatorNetImpl(const SimulatorConfig& config, const walker::GraphTables& tables,
                                   const walker::InputSizes& sizes, std::int64_t vocabulary)
    : metapath(register_module("metapath", walker::MetaPathTables(config.metapath, tables))),
      config_(config),
      sources_(*this, config.sources(), metapath, sizes) {
  const int width = config.decoder.width;
  const int below = reads_traces(config) ? config.encoder.layers : 0;
  vertex_in = register_module("vertex_in", seq2seq::Linear(metapath->entity_width(), width));
  output = register_module("output", seq2seq::Linear(width, vocabulary));
  // One row a name piece, v_c, and a row a piece of the utterance but its last.
  decoder_positions = register_module(
      "decoder_positions",
      seq2seq::PositionEmbedding(seq2seq::PositionOptions{
          .kind = "learned", .width = width, .max_length = config.max_name_pieces + 1 + config.max_pieces}));
  decoder =
      register_module("decoder", seq2seq::TransformerDecoder(config.decoder, std::vector<int>{below, below}));
  dropout = register_module("dropout", torch::nn::Dropout(config.decoder.dropout));
}

Tensor SimulatorNetImpl::embedded(const Tensor& pieces) const {
  return torch::embedding(output->weight, pieces) * std::sqrt(static_cast<double>(config_.decoder.width));
}

// A name's pieces have the first positions, v_c always the one behind the longest name, so that a situation
// does not depend on the other names of its batch.
Tensor SimulatorNetImpl::prefix(const SpeechInputs& inputs) {
  const Tensor vertex = vertex_in(metapath->entity_vectors(inputs.sources.starts)).unsqueeze(1);  // [B, 1, D]
  const Tensor placed = decoder_positions(vertex, config_.max_name_pieces);
  if (inputs.names.size(1) == 0) return dropout(placed);
  return dropout(torch::cat({decoder_positions(embedded(inputs.names)), placed}, 1));
}

Tensor SimulatorNetImpl::prefix_keep(const SpeechInputs& inputs) {
  return torch::cat({inputs.name_keep, torch::ones({inputs.name_keep.size(0), 1}, torch::kBool)}, 1);
}

Tensor SimulatorNetImpl::words(const Tensor& pieces, std::int64_t said) {
  return dropout(decoder_positions(embedded(pieces), config_.max_name_pieces + 1 + said));
}

Tensor SimulatorNetImpl::teach(const SpeechInputs& inputs, const Tensor& pieces) {
  const walker::SourceMemories memories = sources_.encode(inputs.sources);
  Tensor sequence = prefix(inputs);
  const std::int64_t first = sequence.size(1) - 1;
  if (pieces.size(1) > 0) sequence = torch::cat({sequence, words(pieces, 0)}, 1);  // [B, Tn + 1 + T, D]
  seq2seq::AttentionMasks masks;
  masks.causal = true;
  masks.key_keep = torch::cat({prefix_keep(inputs), torch::ones_like(pieces, torch::kBool)}, 1);
  return decoder(sequence, memories.ordered(false, reads_traces(config_)), masks, nullptr).slice(1, first);
}

Tensor SimulatorNetImpl::start(const SpeechInputs& inputs, seq2seq::DecoderState& state) {
  const walker::SourceMemories memories = sources_.encode(inputs.sources);
  state = decoder->start(memories.ordered(false, reads_traces(config_)));
  const Tensor out = decoder->step(prefix(inputs), state, prefix_keep(inputs));  // [B, Tn + 1, D]
  return out.select(1, out.size(1) - 1);
}

Tensor SimulatorNetImpl::extend(const Tensor& pieces, std::int64_t said, seq2seq::DecoderState& state) {
  return decoder->step(words(pieces.unsqueeze(1), said), state).select(1, 0);  // [N, D]
}

}  // namespace kgwalk::rl
