// Encoder-decoders of other programs: reads folders in the Hugging Face form of Marian and BART (fairseq)
// models, config.json with model.safetensors, as an EncoderDecoder of ours.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runtime/tensor/tensor_io.h"
#include "seq2seq/models/encoder_decoder.h"

namespace kgwalk::seq2seq {

struct ImportedModel {
  EncoderDecoderOptions options;
  std::int64_t vocabulary = 0;
  NamedTensors
      weights;  // under our names; load_state(*EncoderDecoder(options, vocabulary), weights, ...) takes them
};

// Understood: model_type marian, bart, mbart; static or learned positions (both become a learned table;
// BART's first two rows, which belong to no position, are left out); relu, gelu, gelu_new; norms before or
// after; embeddings shared by encoder, decoder and output. FormatError names whatever is missing, left over
// or of another kind, all at once.
[[nodiscard]] ImportedModel import_encoder_decoder(const std::filesystem::path& folder);

}  // namespace kgwalk::seq2seq
