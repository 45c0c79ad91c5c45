#include "seq2seq/models/transformer_language_model.h"

#include <cmath>

#include "seq2seq/kernels/functions.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

void TransformerLanguageModelOptions::check(Problems& problems) const {
  if (decoder.group_layers > 0)
    problems.add("decoder.group_layers",
                 "groups of layers are fused across an encoder; a language model has none");
}

TransformerLanguageModelImpl::TransformerLanguageModelImpl(const TransformerLanguageModelOptions& options,
                                                           std::int64_t words)
    : options_(options) {
  validate(options, "language model");
  vocabulary =
      register_module("vocabulary", AdaptiveVocabulary(options.vocabulary, words, options.decoder.width));
  decoder = register_module("decoder", TransformerDecoder(options.decoder, std::vector<int>{}));
}

Tensor TransformerLanguageModelImpl::embed(const Tensor& ids, std::int64_t offset) {
  Tensor x = vocabulary->embed(ids) * std::sqrt(static_cast<double>(options_.decoder.width));  // [B, T, D]
  if (options_.positions == AddedPositions::kSinusoidal)
    x = x + sinusoidal_positions(ids.size(1), options_.decoder.width, offset).to(x.options());
  const double p = is_training() ? options_.decoder.dropout : 0;
  return p > 0 ? dropout_add(x, {}, p) : x;
}

Tensor TransformerLanguageModelImpl::forward(const Tensor& ids) {
  AttentionMasks masks;
  masks.causal = true;
  return decoder->forward(embed(ids, 0), {}, masks);
}

Tensor TransformerLanguageModelImpl::step(const Tensor& ids, DecoderState& state) {
  const Tensor states = decoder->step(embed(ids, state.length), state);  // [N, Tnew, D]
  return vocabulary->log_probs(states.select(1, states.size(1) - 1));
}

}  // namespace kgwalk::seq2seq
