// Whether a database may be written where something lies already.
#pragma once

#include <filesystem>

namespace kgwalk::graph {

// StoreError when there is something at `database` and `replace` is not set, when it is neither a database
// (whole or half made) nor an empty folder, and when a process has it open for writing.
void refuse_existing(const std::filesystem::path& database, bool replace);

}  // namespace kgwalk::graph
