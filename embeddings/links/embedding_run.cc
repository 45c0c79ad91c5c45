#include "embeddings/links/embedding_run.h"

#include <filesystem>
#include <string>

#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/files.h"

namespace kgwalk::embeddings {
namespace {

// All there is in the checkpoint: no state.json, which RunFolder::has_checkpoint() looks for.
std::filesystem::path state_file(const RunFolder& run) {
  return run.checkpoint("last") / "embedding.safetensors";
}

}  // namespace

void save(EmbeddingTraining& training, const RunFolder& run) {
  write_folder_atomically(run.checkpoint("last"), [&](const std::filesystem::path& folder) {
    training.save(folder / state_file(run).filename());
  });
}

bool resume(EmbeddingTraining& training, const RunFolder& run) {
  if (!std::filesystem::exists(state_file(run))) return false;
  training.load(state_file(run));
  return true;
}

std::string checksum_of_saved(const RunFolder& run) { return checksum_of_file(state_file(run)); }

void save_and_stop(EmbeddingTraining& training, const RunFolder* run) {
  const std::string when = "stopped after " + std::to_string(training.epochs_done()) + " whole epochs; ";
  if (!run) throw Stopped(when + "nothing was kept, since there is no run folder");
  save(training, *run);
  throw Interrupted(when + "saved in " + run->checkpoint("last").string());
}

}  // namespace kgwalk::embeddings
