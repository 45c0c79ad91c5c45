#include "embeddings/links/embedding_run.h"

#include <filesystem>
#include <string>

#include "kgwalk/error.h"
#include "runtime/files.h"

namespace kgwalk::embeddings {
namespace {

constexpr const char* kStateFile = "embedding.safetensors";

}  // namespace

void save(EmbeddingTraining& training, const RunFolder& run) {
  write_folder_atomically(run.checkpoint("last"),
                          [&](const std::filesystem::path& folder) { training.save(folder / kStateFile); });
}

bool resume(EmbeddingTraining& training, const RunFolder& run) {
  if (!run.has_checkpoint("last")) return false;
  training.load(run.checkpoint("last") / kStateFile);
  return true;
}

void save_and_stop(EmbeddingTraining& training, const RunFolder* run) {
  const std::string when = "stopped after " + std::to_string(training.epochs_done()) + " whole epochs; ";
  if (!run) throw Stopped(when + "nothing was kept, since there is no run folder");
  save(training, *run);
  throw Interrupted(when + "saved in " + run->checkpoint("last").string());
}

}  // namespace kgwalk::embeddings
