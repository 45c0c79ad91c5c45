// A copy of a database: whole, for a backup, or with less than the original, for what is given to others.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "kgwalk/progress.h"
#include "kgwalk/store.h"

namespace kgwalk::graph {

// What the copy keeps of each kind, by name; null keeps all. The graph itself is always kept, with its edits.
struct StoreCopyChoice {
  std::function<bool(std::string_view)> splits = {}, tables = {}, blobs = {};
  // Files that the original was made from keep their folders, and what was typed to make it is kept; for that
  // all splits must be. Else files are named without their folders.
  bool keeps_origin = false;
};

// Makes the database `to`, a folder that must not exist or is empty, of what `from` holds: the state that was
// there when it was opened, whatever other processes write meanwhile. StoreError where that is damaged, and
// when there is a database at `to`; IoError; Stopped. When it throws, what there is at `to` is no database
// and may be removed.
void copy_store(const Store& from, const std::filesystem::path& to, const StoreCopyChoice& choice,
                Reporter& reporter = silent_reporter(), const StopFlag& stop = never_stop());

}  // namespace kgwalk::graph
