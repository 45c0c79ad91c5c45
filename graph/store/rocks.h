// RocksDB as graph/ uses it: column families, options, statuses as our errors. For the sources
// of graph/ only.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <rocksdb/status.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kgwalk::graph {

enum class Family : std::size_t { kMeta, kNames, kAdjacency, kDialogues, kTables, kCount };
inline constexpr std::size_t kNumFamilies = static_cast<std::size_t>(Family::kCount);
// RocksDB always has a family "default": it is our meta.
inline constexpr std::array<const char*, kNumFamilies> kFamilyNames = {"default", "names", "adjacency",
                                                                       "dialogues", "tables"};

[[nodiscard]] rocksdb::DBOptions database_options();
[[nodiscard]] rocksdb::ColumnFamilyOptions family_options(Family family);
[[nodiscard]] std::vector<rocksdb::ColumnFamilyDescriptor> family_descriptors();

// Does nothing when ok. Otherwise throws: IoError for a full disk or an input/output failure, StoreError for
// damage, a lock held by another process and everything else. `doing` completes "cannot ...".
void check(const rocksdb::Status& status, const std::filesystem::path& path, std::string_view doing);

[[nodiscard]] inline rocksdb::Slice slice(std::string_view text) { return {text.data(), text.size()}; }
[[nodiscard]] inline std::string_view view(const rocksdb::Slice& s) { return {s.data(), s.size()}; }

// Big-endian, so that keys sort as numbers do.
void append_be32(std::string& out, std::uint32_t value);
[[nodiscard]] std::uint32_t read_be32(std::string_view bytes) noexcept;

}  // namespace kgwalk::graph
