#include "kgwalk/backup.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include "graph/store/copy_store.h"
#include "graph/store/replacing.h"
#include "graph/store/store_impl.h"
#include "kgwalk/error.h"
#include "kgwalk/store.h"
#include "runtime/checksum.h"
#include "runtime/files.h"

namespace kgwalk::graph {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBackupFile = "BACKUP";  // written last
constexpr const char* kBackupFormat = "kgwalk backup";
constexpr int kBackupVersion = 1;
constexpr std::size_t kCopiedBytes = 1 << 20;
// Locks of RocksDB, empty; a process that opens the database makes its own.
constexpr const char* kLockFile = "LOCK";

[[noreturn]] void refuse_backup(const fs::path& folder, const std::string& why) {
  throw StoreError(folder.string() + ": " + why + "; use another backup, or make this one again");
}

void need_places(const BackupOptions& options) {
  if (options.database.empty()) throw ConfigError("the database needs a path");
  if (options.folder.empty()) throw ConfigError("the backup needs a path, a folder");
}

struct BackupManifest {
  BackupReport report;
  Json files = Json::object();  // name: {bytes, checksum}

  void write(const fs::path& folder) const {
    const Json json = {{"format", kBackupFormat},
                       {"version", kBackupVersion},
                       {"graph_checksum", report.graph_checksum},
                       {"last_edit", report.last_edit},
                       {"files", files}};
    write_file_atomically(folder / kBackupFile, json.dump(2) + "\n");
  }
};

// Names lie in the folder itself.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && fs::path(name).filename() == name;
}

BackupManifest read_manifest(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) throw StoreError(folder.string() + ": there is no backup");
  if (!fs::exists(folder / kBackupFile, ignored))
    throw StoreError(folder.string() + ": is no whole backup (no file " + kBackupFile + ")");
  const Json json = Json::parse(read_file(folder / kBackupFile), nullptr, false);
  try {
    if (json.at("format") != kBackupFormat) refuse_backup(folder, "its file BACKUP is of something else");
    if (const int version = json.at("version").get<int>(); version != kBackupVersion)
      refuse_backup(folder, "the backup is of version " + std::to_string(version) + ", this program reads " +
                                std::to_string(kBackupVersion));
    BackupManifest manifest;
    manifest.report.last_edit = json.at("last_edit").get<std::uint64_t>();
    manifest.report.graph_checksum = json.at("graph_checksum").get<std::string>();
    manifest.files = json.at("files");
    for (const auto& [name, facts] : manifest.files.items()) {
      if (!is_plain_name(name) || !facts.at("checksum").is_string())
        refuse_backup(folder, "its file BACKUP is damaged");
      ++manifest.report.files;
      manifest.report.bytes += facts.at("bytes").get<std::uint64_t>();
    }
    return manifest;
  } catch (const Json::exception&) {
    refuse_backup(folder, "its file BACKUP is damaged");
  }
}

// What lies at the place of a new backup is one, or nothing.
void refuse_existing_folder(const fs::path& folder, bool replace) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored) || (fs::is_directory(folder, ignored) && fs::is_empty(folder, ignored)))
    return;
  if (!fs::exists(folder / kBackupFile, ignored))
    throw StoreError(folder.string() + ": is no backup and will not be replaced; choose another place");
  if (!replace)
    throw StoreError(folder.string() +
                     ": there is a backup already; allow it to be replaced or choose another place");
}

BackupManifest list_files(const fs::path& folder) {
  BackupManifest manifest;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name == kLockFile) continue;
    manifest.files[name] = {{"bytes", entry.file_size()}, {"checksum", checksum_of_file(entry.path())}};
    ++manifest.report.files;
    manifest.report.bytes += entry.file_size();
  }
  return manifest;
}

// Copies files out of a backup, compared with what it notes of them.
class Restoring {
 public:
  Restoring(const fs::path& from, const fs::path& to, Progress& progress, const StopFlag& stop)
      : from_(from), to_(to), progress_(progress), stop_(stop) {}

  void copy(const std::string& name, const Json& facts) {
    std::ifstream in(from_ / name, std::ios::binary);
    if (!in) refuse_backup(from_, name + " is missing or cannot be read (" + std::strerror(errno) + ")");
    std::ofstream out(to_ / name, std::ios::binary);
    Checksum sum;
    std::uint64_t bytes = 0;
    do {
      in.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
      const std::string_view part(buffer_.data(), static_cast<std::size_t>(in.gcount()));
      if (stop_.requested()) throw Stopped("restoring was stopped; nothing was written");
      sum.add(part);
      bytes += part.size();
      out.write(part.data(), static_cast<std::streamsize>(part.size()));
      progress_.add(static_cast<std::int64_t>(part.size()));
    } while (in && out);
    out.close();
    if (!out) throw IoError((to_ / name).string() + ": cannot be written: " + std::strerror(errno));
    if (bytes != facts["bytes"].get<std::uint64_t>() || sum.hex() != facts["checksum"].get<std::string>())
      refuse_backup(from_, name + " is damaged or was changed since the backup was made");
  }

 private:
  const fs::path &from_, &to_;
  Progress& progress_;
  const StopFlag& stop_;
  std::string buffer_ = std::string(kCopiedBytes, '\0');
};

}  // namespace

Json BackupReport::to_json() const {
  return {{"files", files}, {"bytes", bytes}, {"last_edit", last_edit}, {"graph_checksum", graph_checksum}};
}

BackupReport back_up(const BackupOptions& options, Reporter& reporter, const StopFlag& stop) {
  need_places(options);
  const Store store = Store::open(options.database, Store::Mode::kReadOnly);
  refuse_existing_folder(options.folder, options.replace);
  BackupReport report;
  write_folder_atomically(options.folder, [&](const fs::path& folder) {
    copy_store(store, folder, {.keeps_origin = true}, reporter, stop);
    BackupManifest manifest = list_files(folder);
    manifest.report.last_edit = StoreAccess::impl(store).last_edit();
    manifest.report.graph_checksum = store.graph_checksum();
    manifest.write(folder);
    report = manifest.report;
  });
  return report;
}

BackupReport restore_backup(const BackupOptions& options, Reporter& reporter, const StopFlag& stop) {
  need_places(options);
  const BackupManifest manifest = read_manifest(options.folder);
  refuse_existing(options.database, options.replace);
  const auto progress =
      reporter.start("restoring", static_cast<std::int64_t>(manifest.report.bytes), "bytes");
  write_folder_atomically(options.database, [&](const fs::path& folder) {
    Restoring restoring(options.folder, folder, *progress, stop);
    for (const auto& [name, facts] : manifest.files.items()) restoring.copy(name, facts);
    const Store store = Store::open(folder, Store::Mode::kReadOnly);
    if (store.graph_checksum() != manifest.report.graph_checksum)
      refuse_backup(options.folder, "its file BACKUP is of another graph");
  });
  return manifest.report;
}

}  // namespace kgwalk::graph
