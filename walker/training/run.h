// Walkers on disk: training into a run folder and opening it again.
//
// A run folder (kind "walker") remembers in config.json, besides the configuration, what its weights belong
// to: checksums of the graph, of the TransE tables, of the training dialogues and of the text encoder.
// Opening it beside other ones is an error that says which differs.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kgwalk/progress.h"
#include "kgwalk/store.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/trainer.h"
#include "walker/config.h"
#include "walker/model.h"
#include "walker/network/text_source.h"

namespace kgwalk::walker {

struct TrainOptions {
  std::filesystem::path database;
  std::filesystem::path run;
  std::filesystem::path text;  // folder or run of the frozen text encoder; empty = none
  WalkerConfig config;
  std::uint64_t seed = 1;
  std::string device = "cpu";
};

// Trains stage 1, resuming an interrupted run, and returns the trainer's report (for the prior, which has
// nothing to train, an empty one). Throws as trainer's train(); StoreError and ConfigError as the parts do.
TrainReport train_walker(const TrainOptions& options, Reporter& reporter, const StopFlag& stop);

// The walker of a run, of stage 1 or of stage 2, with the weights of checkpoint `name`. FormatError when it
// is no walker's run, has no checkpoint, or belongs to another graph, table, text encoder or training data.
// `text` overrides the folder remembered in the run; `goal_exact` turns scoring.goal_exact on, for stage 2 to
// begin with from a run without it.
[[nodiscard]] std::unique_ptr<WalkModel> open_walker(const graph::Store& store,
                                                     const std::filesystem::path& run,
                                                     const std::filesystem::path& text = {},
                                                     const std::string& checkpoint = "best",
                                                     bool goal_exact = false);

// The encoder that a run's walker hears through, NoText when it hears none; `text` as in open_walker().
[[nodiscard]] std::shared_ptr<TextSource> open_text_of_run(const graph::Store& store,
                                                           const std::filesystem::path& run,
                                                           const std::filesystem::path& text = {});
// As open_walker(), hearing through `text`, which others may share; FormatError when it is not the encoder of
// the run's training.
[[nodiscard]] std::unique_ptr<WalkModel> open_walker_hearing(const graph::Store& store,
                                                             const std::filesystem::path& run,
                                                             std::shared_ptr<const TextSource> text,
                                                             bool goal_exact = false);

// Several runs as one ensemble; one run as itself.
[[nodiscard]] std::unique_ptr<WalkModel> open_walkers(const graph::Store& store,
                                                      const std::vector<std::filesystem::path>& runs,
                                                      const std::filesystem::path& text = {});

// The frozen text encoder of a folder behind its cache; NoText when `hears` is false. ConfigError when text
// is wanted and `folder` is empty. The stores may be null and are borrowed.
[[nodiscard]] std::shared_ptr<TextSource> open_text(bool hears, const std::filesystem::path& folder,
                                                    const graph::Store* read, graph::Store* write);
// A database to train from: open for writing, for text states to be cached in it, when `writable` is asked
// for and nobody else writes; for reading otherwise. `writable` says which it became.
[[nodiscard]] graph::Store open_for_training(const std::filesystem::path& database, bool& writable,
                                             Reporter& reporter);
// FormatError that names what differs, of "graph", "tables", "training" and "text", between the checksums
// that `run` remembers and those of what lies beside it now.
void check_belongs(const Json& remembered, const Json& here, const std::filesystem::path& run);

// Merged into the run's results.json under `key`; runs of either stage.
void write_run_result(const std::filesystem::path& run, std::string_view key, const Json& value);

// Database and configuration that a run was trained with.
[[nodiscard]] std::filesystem::path database_of_run(const std::filesystem::path& run);
[[nodiscard]] WalkerConfig config_of_run(const std::filesystem::path& run);

}  // namespace kgwalk::walker
