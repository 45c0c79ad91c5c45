// The weights of a training's last evaluations, kept in a folder to be averaged: UPDATE.safetensors
// with twelve digits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "kgwalk/choice.h"
#include "runtime/tensor/tensor_io.h"

namespace kgwalk::seq2seq {

// Weights of a finished model: the mean of the last evaluations', or those of the best one.
enum class KeptWeights { kAverage, kBest };
constexpr auto choice_names(KeptWeights) { return choices_in_order<KeptWeights>("average", "best"); }

class Snapshots {
 public:
  // Keeps the newest `count`.
  Snapshots(std::filesystem::path folder, int count) : folder_(std::move(folder)), count_(count) {}
  // Writes the weights of update `step` and removes those that are not kept.
  void write(const torch::nn::Module& model, std::int64_t step) const;
  // The newest up to update `step`, oldest first. Later ones are left from a run that went further before it
  // was set back: not counted.
  [[nodiscard]] std::vector<std::filesystem::path> newest(std::int64_t step) const;

 private:
  std::filesystem::path folder_;
  int count_;
};

}  // namespace kgwalk::seq2seq
