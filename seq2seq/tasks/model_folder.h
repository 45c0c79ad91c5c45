// A model of a sequence task as one folder: model.json (kind, options, checksums), model.safetensors,
// sentencepiece.model. See docs/formats/seq2seq_tasks.md.
#pragma once

#include <torch/torch.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "runtime/config.h"
#include "runtime/tensor/tensor_io.h"
#include "seq2seq/text/sentencepiece.h"

namespace kgwalk::seq2seq {

struct ModelFolder {
  Json config;  // of the task, e.g. TranslationConfig
  NamedTensors weights;
  SentencePiece vocabulary;
};

// Written whole or not at all. `kind` is "mt", "lm" or "summarize".
void write_model_folder(const std::filesystem::path& folder, std::string_view kind, const Json& config,
                        const NamedTensors& weights, const SentencePiece& vocabulary);

// `path` is a model's folder or a finished run, whose model is in model/. FormatError when it is neither, of
// another kind or version, or when the vocabulary is not the one of the weights.
[[nodiscard]] ModelFolder read_model_folder(const std::filesystem::path& path, std::string_view kind);

// Element by element mean of equally named tensors of all files (float32 weights; other types from the last
// file).
[[nodiscard]] NamedTensors average_weights(const std::vector<std::filesystem::path>& files);

}  // namespace kgwalk::seq2seq
