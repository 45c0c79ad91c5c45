// Another run of the same task whose vocabulary and best weights a training begins with, under a schedule of
// its own
// (--from): what a model would reach by as many passes more, for instance.
#pragma once

#include <filesystem>

#include "runtime/run_folder.h"
#include "runtime/tensor/torch.h"

namespace kgwalk::seq2seq {

class StartingRun {
 public:
  // FormatError when it is no run of `kind` or has no checkpoint yet.
  StartingRun(const std::filesystem::path& run, const RunKind& kind);
  // A file of its best checkpoint, where its vocabulary lies.
  [[nodiscard]] std::filesystem::path file(const char* name) const { return checkpoint_ / name; }
  // The state of groups of heads is left behind. ConfigError, naming every difference, unless all weights of
  // `model` are there in the same shapes.
  void copy_to(torch::nn::Module& model) const;

 private:
  std::filesystem::path run_, checkpoint_;
};

// ConfigError when a training is to begin with both.
void check_starts(const std::filesystem::path& pillars_of, const std::filesystem::path& from);

}  // namespace kgwalk::seq2seq
