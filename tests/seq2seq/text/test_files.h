// Helpers of these tests: fixtures, scratch folders, lines.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "runtime/files.h"
#include "tests/temp_folder.h"

namespace kgwalk::seq2seq::test {

inline std::filesystem::path fixture(const std::string& name) {
  return std::filesystem::path(KGWALK_SOURCE_DIR) / "tests/seq2seq/text/fixtures" / name;
}

inline std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::vector<std::string> lines;
  std::ifstream in(file, std::ios::binary);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// A folder that goes away with the object.
using kgwalk::test::TempFolder;

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
