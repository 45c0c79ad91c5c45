#include "graph/store/rocks.h"

#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <memory>

#include "kgwalk/busy_error.h"
#include "kgwalk/error.h"

namespace kgwalk::graph {
namespace {

// Errors of RocksDB are written nowhere: what matters comes back as a status, and a database holds data only.
class NoLog : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

std::shared_ptr<rocksdb::Cache> shared_cache() {
  static const std::shared_ptr<rocksdb::Cache> cache = rocksdb::NewLRUCache(64 << 20);
  return cache;
}

bool mentions(const std::string& text, std::string_view word) { return text.find(word) != std::string::npos; }

}  // namespace

rocksdb::DBOptions database_options() {
  rocksdb::DBOptions options;
  options.info_log = std::make_shared<NoLog>();
  options.paranoid_checks = true;
  // Blocks are checked where they lie in the system's memory instead of being copied first: a cold read costs
  // a third less. Lengths of files are checked on opening.
  options.allow_mmap_reads = true;
  options.max_background_jobs = 2;
  options.keep_log_file_num = 1;
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  options.skip_stats_update_on_db_open = true;
  options.skip_checking_sst_file_sizes_on_db_open = false;
  return options;
}

rocksdb::ColumnFamilyOptions family_options(Family family) {
  rocksdb::ColumnFamilyOptions options;
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = shared_cache();
  table.checksum = rocksdb::kXXH3;
  table.format_version = 5;
  // A cold read of one row checks its whole block: small blocks make it a quarter cheaper.
  table.block_size = family == Family::kAdjacency ? 1024 : 4096;
  if (family == Family::kNames) table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.compression = family == Family::kDialogues ? rocksdb::kLZ4Compression : rocksdb::kNoCompression;
  options.bottommost_compression = options.compression;
  options.write_buffer_size = 16 << 20;
  // Each put ends in a small file; merging them rewrites the tables beside them, so seldom.
  options.level0_file_num_compaction_trigger = 16;
  options.level0_slowdown_writes_trigger = 64;
  options.level0_stop_writes_trigger = 128;
  return options;
}

std::vector<rocksdb::ColumnFamilyDescriptor> family_descriptors() {
  std::vector<rocksdb::ColumnFamilyDescriptor> all;
  for (std::size_t i = 0; i < kNumFamilies; ++i)
    all.emplace_back(kFamilyNames[i], family_options(static_cast<Family>(i)));
  return all;
}

void check(const rocksdb::Status& status, const std::filesystem::path& path, std::string_view doing) {
  if (status.ok()) return;
  const std::string text = status.ToString();
  const std::string what = path.string() + ": cannot " + std::string(doing) + ": ";
  if (status.IsIOError() && (mentions(text, "LOCK") || mentions(text, "lock ")))
    throw BusyError(what + "another process writes this database (" + text + "); wait for it or stop it");
  if (status.IsNoSpace() || mentions(text, "No space left") || mentions(text, "File too large") ||
      mentions(text, "Disk quota"))
    throw IoError(what + "the disk is full or a size limit is reached (" + text +
                  "); make room and run it again");
  if (status.IsCorruption())
    throw StoreError(what + "the database is damaged (" + text + "), its tables with it",
                     Remedy{Remedy::kReingest, path.string()});
  if (status.IsIOError()) throw IoError(what + text);
  throw StoreError(what + text);
}

void append_be32(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
}

std::uint32_t read_be32(std::string_view bytes) noexcept {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace kgwalk::graph
