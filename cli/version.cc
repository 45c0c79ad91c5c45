// kgwalk version: the program and the libraries it runs with.
#include <fmt/format.h>
#include <rocksdb/version.h>
#include <torch/version.h>

#include <cstdio>

#include "cli/commands.h"

namespace kgwalk::cli {

Verb add_version(CLI::App&, Common& common) {
  return [&common] {
    const Json versions = {
        {"kgwalk", KGWALK_VERSION},
        {"libtorch", TORCH_VERSION},
        {"rocksdb", fmt::format("{}.{}.{}", ROCKSDB_MAJOR, ROCKSDB_MINOR, ROCKSDB_PATCH)},
        {"compiler", __VERSION__},
    };
    for (const auto& item : versions.items())
      std::printf("%-10s %s\n", item.key().c_str(), item.value().get<std::string>().c_str());
    common.write_json(versions);
  };
}

}  // namespace kgwalk::cli
