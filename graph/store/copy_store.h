// A copy of a database that holds less than the original: for what is given to others.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace kgwalk::graph {

// What the copy keeps of each kind, by name; null keeps all. The graph itself is always kept.
struct StoreCopyChoice {
  std::function<bool(std::string_view)> splits, tables, blobs;
};

// Makes the database `to`, a folder that must not exist, of what `from` holds. Files that the original was
// made from are named there without their folders, and what was typed to make it is left out. StoreError when
// `from` is no whole database; IoError. When it throws, what there is at `to` is no database and may be
// removed.
void copy_store(const std::filesystem::path& from, const std::filesystem::path& to,
                const StoreCopyChoice& choice);

}  // namespace kgwalk::graph
