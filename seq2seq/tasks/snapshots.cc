#include "seq2seq/tasks/snapshots.h"

#include <algorithm>
#include <string>

namespace kgwalk::seq2seq {

namespace fs = std::filesystem;

namespace {

// Names sort as the numbers of updates do.
std::string snapshot_name(std::int64_t step) {
  const std::string digits = std::to_string(step);
  return std::string(12 - std::min<std::size_t>(12, digits.size()), '0') + digits + ".safetensors";
}

}  // namespace

void Snapshots::write(const torch::nn::Module& model, std::int64_t step) const {
  fs::create_directories(folder_);
  write_tensors(folder_ / snapshot_name(step), state_of(model));
  const std::vector<fs::path> kept = newest(step);
  std::vector<fs::path> old;
  for (const auto& entry : fs::directory_iterator(folder_))
    if (std::find(kept.begin(), kept.end(), entry.path()) == kept.end()) old.push_back(entry.path());
  for (const fs::path& file : old) fs::remove(file);
}

std::vector<fs::path> Snapshots::newest(std::int64_t step) const {
  std::vector<fs::path> files;
  if (!fs::exists(folder_)) return files;
  for (const auto& entry : fs::directory_iterator(folder_))
    if (entry.path().extension() == ".safetensors" && entry.path().filename().string() <= snapshot_name(step))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  const auto wanted = static_cast<std::size_t>(count_);
  if (files.size() > wanted) files.erase(files.begin(), files.end() - static_cast<std::ptrdiff_t>(wanted));
  return files;
}

}  // namespace kgwalk::seq2seq
