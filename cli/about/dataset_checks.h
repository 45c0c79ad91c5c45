// Which of the public data sets that the commands and benchmarks know are in a folder, and whether
// they are whole.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kgwalk::cli {

struct DatasetCheck {
  std::string name;
  bool present = false;
  std::string counts;    // "train.txt 272,115, valid.txt 17,535, ..."
  std::string problems;  // empty when every file is there with its published count
};

[[nodiscard]] std::vector<DatasetCheck> check_datasets(const std::filesystem::path& folder);

}  // namespace kgwalk::cli
