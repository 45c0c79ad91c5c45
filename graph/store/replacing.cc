#include "graph/store/replacing.h"

#include <rocksdb/env.h>

#include "graph/store/store_impl.h"
#include "kgwalk/error.h"

namespace kgwalk::graph {
namespace {

namespace fs = std::filesystem;

// StoreError when a process has the database open for writing.
void refuse_in_use(const fs::path& database) {
  const std::string lock_file = (database / "LOCK").string();
  rocksdb::FileLock* lock = nullptr;
  const rocksdb::Status status = rocksdb::Env::Default()->LockFile(lock_file, &lock);
  check(status, database, "replace");
  check(rocksdb::Env::Default()->UnlockFile(lock), database, "replace");
}

}  // namespace

void refuse_existing(const fs::path& database, bool replace) {
  std::error_code ignored;
  if (!fs::exists(database, ignored)) return;
  if (!replace)
    throw StoreError(database.string() + ": exists already", Remedy{Remedy::kReplace, database.string()});
  if (!fs::is_directory(database, ignored))
    throw StoreError(database.string() + ": is a file, not a database");
  const bool ours =
      fs::exists(database / kMarkerFile, ignored) || fs::exists(database / kRequestFile, ignored);
  if (!ours && !fs::is_empty(database, ignored))
    throw StoreError(database.string() +
                     ": is not a kgwalk database and will not be replaced; choose another place");
  if (fs::exists(database / "LOCK", ignored)) refuse_in_use(database);
}

}  // namespace kgwalk::graph
