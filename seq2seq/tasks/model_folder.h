// A model of a sequence task as one folder: model.json (kind, options, checksums), model.safetensors and its
// vocabulary, sentencepiece.model or words.txt. See docs/reference/formats/seq2seq_tasks.md.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/run_manifest.h"
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

// A task's models are of the kind of its runs, "mt" for "task-mt".
[[nodiscard]] std::string_view model_kind(const RunKind& run);

// Written whole or not at all, as a model of the runs of `kind`.
void write_model_folder(const std::filesystem::path& folder, const RunKind& kind, const Json& config,
                        const NamedTensors& weights, const VocabularyFile& vocabulary);

// `path` is a model's folder or a finished run, whose model is in model/. FormatError when it is neither, of
// another kind or version, or when the vocabulary is not the one of the weights.
[[nodiscard]] ModelFiles read_model_files(const std::filesystem::path& path, const RunKind& kind,
                                          const std::string& vocabulary_name);

// Element by element mean of equally named tensors of all files (float32 weights; other types from
// the last file).
[[nodiscard]] NamedTensors average_weights(const std::vector<std::filesystem::path>& files);

}  // namespace kgwalk::seq2seq
