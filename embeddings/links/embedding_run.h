/// What a training of embeddings keeps in a run folder: the checkpoint "last".
#pragma once

#include <string>

#include "embeddings/links/embedding_training.h"
#include "runtime/run_folder.h"

namespace kgwalk::embeddings {

inline constexpr RunKind kEmbeddingRun{
    .name = "embedding", .command = "embed", .parts = {"embedding"}, .one_process = true};
inline constexpr RunKind kLinkPredictionRun{.name = "link-prediction",
                                            .command = "link-prediction",
                                            .parts = {"link_prediction"},
                                            .one_process = true};

/// Written whole or not at all.
void save(EmbeddingTraining& training, const RunFolder& run);

/// Loads what save() kept; false when there is nothing. FormatError as EmbeddingTraining::load().
bool resume(EmbeddingTraining& training, const RunFolder& run);

/// Checksum of what save() kept. IoError when there is nothing.
[[nodiscard]] std::string checksum_of_saved(const RunFolder& run);

/// Ends a training that was asked to stop: saves into `run` and throws Interrupted; Stopped when `run` is
/// null.
[[noreturn]] void save_and_stop(EmbeddingTraining& training, const RunFolder* run);

}  // namespace kgwalk::embeddings
