// Walkers on disk: training into a run folder and opening it again.
//
// A run folder of kind "walker" remembers, besides the configuration, what its weights belong to: checksums
// of the graph, of the tables of embeddings, of the training dialogues and of the text encoder. Opening it
// beside other ones is an error that says which differs.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
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

struct Resources;  // walker/network/resources.h

inline constexpr RunKind kWalkerRun{.name = "walker", .command = "train", .parts = {"walker"}};

// A file of questions (dialogue/questions/question.h) to learn listening from.
struct QuestionFile {
  std::string name;
  std::filesystem::path path;
  double weight = 1;  // share of a batch, relative to other files'
};

struct TrainOptions {
  std::filesystem::path database;
  std::filesystem::path run;
  std::filesystem::path text;           // folder or run of the frozen text encoder; empty = none
  std::vector<QuestionFile> questions;  // need config.listen.on
  WalkerConfig config;
  std::uint64_t seed = 1;
};

// Trains stage 1, resuming an interrupted run, and returns the trainer's report (for the prior, which has
// nothing to train, an empty one). Throws as trainer's train(); StoreError and ConfigError as the parts do.
TrainReport train_walker(const TrainOptions& options, Reporter& reporter, const StopFlag& stop);

// A run that holds a walker, read once: of this stage, or one of another kind whose own folder opened it.
struct WalkerRun {
  // FormatError when the run's training was stopped before it began, ConfigError when its configuration does
  // not fit.
  explicit WalkerRun(RunFolder from, std::string prefix = "");
  RunFolder folder;
  WalkerConfig config;
  std::string weight_prefix;  // of the walker's tensors in the checkpoints
};
// Opens a run of `kgwalk train`; FormatError when it is no such run. rl/training/run.h opens runs of either
// stage.
[[nodiscard]] WalkerRun open_walker_run(const std::filesystem::path& run);

// Of what a run walks by: its best weights; of a prior, which has none, its options.
[[nodiscard]] std::string checksum_of_walker(const WalkerRun& run);

struct OpenOptions {
  std::filesystem::path text = {};  // folder of the text encoder; empty = the one that the run remembers
  std::string checkpoint = "best";
  // Both above 0: a walker without one gets a comparison with the goal, whose weights are fresh, over tables
  // of these sizes (scoring.goal_width and goal_rank), for stage 2 to begin with.
  int goal_width = 0, goal_rank = 0;
  bool goal_exact = false;  // turns scoring.goal_exact on, for stage 2 to begin with from a run without it
  // The store may hold another graph than the one trained on (walker/training/other_graph.h); the run of the
  // training graph is then opened as ever.
  bool other_graph = false;
};
// Whether a walker of this configuration needs a text encoder.
[[nodiscard]] bool hears_text(const WalkerConfig& config);
// The walker of a run, on compute_device() (runtime/tensor/device.h). FormatError when it has no such
// checkpoint, or belongs to another graph, table, text encoder or training data.
[[nodiscard]] std::unique_ptr<WalkModel> open_walker(const graph::Store& store, const WalkerRun& run,
                                                     const OpenOptions& options = {});
// The encoder that a run's walker hears through, NoText when it hears none; `text` as in OpenOptions.
[[nodiscard]] std::shared_ptr<TextSource> open_text_of_run(const graph::Store& store, const WalkerRun& run,
                                                           const std::filesystem::path& text = {});
// As open_walker(), hearing through `text`, which others may share; FormatError when it is not the encoder of
// the run's training.
[[nodiscard]] std::unique_ptr<WalkModel> open_walker_hearing(const graph::Store& store, const WalkerRun& run,
                                                             std::shared_ptr<const TextSource> text,
                                                             const OpenOptions& options = {});

// Several runs as one ensemble; one run as itself. ConfigError for none.
[[nodiscard]] std::unique_ptr<WalkModel> open_walkers(const graph::Store& store,
                                                      std::span<const WalkerRun> runs,
                                                      const OpenOptions& options = {});

// The frozen text encoder of a folder behind its cache, without its `trained` last layers; NoText when
// `hears` is false. ConfigError when text is wanted and `folder` is empty. The stores may be null and are
// borrowed.
[[nodiscard]] std::shared_ptr<TextSource> open_text(bool hears, const std::filesystem::path& folder,
                                                    const graph::Store* read, graph::Store* write,
                                                    int trained = 0);
// A database to train from: open for writing, for text states to be cached in it, when `writable` is asked
// for and nobody else writes; for reading otherwise. `writable` says which it became.
[[nodiscard]] graph::Store open_for_training(const std::filesystem::path& database, bool& writable,
                                             Reporter& reporter);
// What a run remembers of `resources`: checksums of the graph, of the tables as the store has them, of the
// training dialogues and of the text encoder, by name.
[[nodiscard]] Json checksums_of(const Resources& resources);
// FormatError that names what differs between the checksums that a run remembers and those of what lies
// beside it now. Runs of before remember none of the stored tables, which are then taken as they are.
void check_belongs(const RunFolder& run, const Json& here);

// An absolute path for a manifest; empty stays empty.
[[nodiscard]] std::filesystem::path remembered_path(const std::filesystem::path& path);

}  // namespace kgwalk::walker
