// kgwalk version: the program and the libraries it runs with.
#include <fmt/format.h>
#include <rocksdb/version.h>
#include <torch/version.h>

#include "cli/commands.h"
#include "cli/print.h"

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
      print("{:<10} {}\n", item.key(), item.value().get<std::string>());
    common.write_json(versions);
  };
}

}  // namespace kgwalk::cli
