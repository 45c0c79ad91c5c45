// The options of verbs whose work can be cut into shards: --shard, --part and --parts.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/frame/command.h"
#include "kgwalk/shards.h"

namespace kgwalk::cli {

void add_shards(CLI::App& app, Shards& shards);
// When the verb runs: with the command that parts note, for 'kgwalk merge'.
[[nodiscard]] Shards shards_of(const Shards& parsed, const Common& common);

}  // namespace kgwalk::cli
