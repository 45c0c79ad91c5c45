// A model of a sequence task as one folder: model.json (kind, options, checksums), model.safetensors and its
// vocabulary, sentencepiece.model or words.txt. See docs/formats/seq2seq_tasks.md.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/config.h"
#include "runtime/tensor/tensor_io.h"
#include "runtime/tensor/torch.h"

namespace kgwalk::seq2seq {

struct VocabularyFile {
  std::string name, bytes;
};

struct ModelFiles {
  Json config;  // of the task, e.g. TranslationConfig
  NamedTensors weights;
  std::string vocabulary;  // the file's bytes
};

// Written whole or not at all. `kind` is "mt" or "lm".
void write_model_folder(const std::filesystem::path& folder, std::string_view kind, const Json& config,
                        const NamedTensors& weights, const VocabularyFile& vocabulary);

// `path` is a model's folder or a finished run, whose model is in model/. FormatError when it is neither, of
// another kind or version, or when the vocabulary is not the one of the weights.
[[nodiscard]] ModelFiles read_model_files(const std::filesystem::path& path, std::string_view kind,
                                          const std::string& vocabulary_name);

// Element by element mean of equally named tensors of all files (float32 weights; other types from
// the last file).
[[nodiscard]] NamedTensors average_weights(const std::vector<std::filesystem::path>& files);

}  // namespace kgwalk::seq2seq
