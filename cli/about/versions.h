// The versions that `kgwalk version` tells. Only what the headers of the libraries say: nothing is loaded for
// it.
#pragma once

#include <fmt/format.h>
#include <rocksdb/version.h>
#include <torch/version.h>

#include <cstdio>

#include "kgwalk/json.h"

namespace kgwalk::cli {

inline Json versions() {
  return {
      {"kgwalk", KGWALK_VERSION},
      {"libtorch", TORCH_VERSION},
      {"rocksdb", fmt::format("{}.{}.{}", ROCKSDB_MAJOR, ROCKSDB_MINOR, ROCKSDB_PATCH)},
      {"compiler", __VERSION__},
  };
}

inline void print_versions() {
  const Json all = versions();
  for (const auto& item : all.items())
    std::fputs(fmt::format("{:<10} {}\n", item.key(), item.value().get<std::string>()).c_str(), stdout);
}

}  // namespace kgwalk::cli
