// Golden files by name: ours, and those of another reading of the papers where they are there. A test runs
// once for each.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/seq2seq/golden.h"

namespace kgwalk::seq2seq::testing {

inline std::string own_golden(const std::string& name) {
  return (source_dir() / "tests/golden" / name).string();
}

// Files of the other reading: one, or none. A test over these alone does not exist where they are not.
inline std::vector<std::string> other_readings(const std::string& name) {
  const auto shared = shared_golden(name);
  return shared ? std::vector<std::string>{shared->string()} : std::vector<std::string>{};
}

inline std::vector<std::string> all_readings(const std::string& name) {
  std::vector<std::string> files = other_readings(name);
  files.insert(files.begin(), own_golden(name));
  return files;
}

inline std::string reading_name(const ::testing::TestParamInfo<std::string>& file) {
  return file.param.starts_with(own_golden("")) ? "Own" : "Another";
}

}  // namespace kgwalk::seq2seq::testing
