// Helpers of these tests: fixtures, scratch folders, lines.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "runtime/files.h"

namespace kgwalk::seq2seq::test {

inline std::filesystem::path fixture(const std::string& name) {
  return std::filesystem::path(KGWALK_SOURCE_DIR) / "tests/seq2seq_text/fixtures" / name;
}

inline std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::vector<std::string> lines;
  std::ifstream in(file, std::ios::binary);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// A folder that goes away with the object.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "kgwalk-text-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

template <class Items>
std::string join(const Items& items) {
  std::string out;
  for (const auto& item : items) {
    if (!out.empty()) out += ' ';
    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(item)>>)
      out += std::to_string(item);
    else
      out += item;
  }
  return out;
}

}  // namespace kgwalk::seq2seq::test
