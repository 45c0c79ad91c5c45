#include "graph/ingest/ingest_writer.h"

#include <fcntl.h>
#include <rocksdb/db.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <functional>
#include <utility>

#include "graph/ingest/ingest_files.h"
#include "graph/store/replacing.h"
#include "kgwalk/error.h"
#include "runtime/files.h"
#include "runtime/parallel.h"

namespace kgwalk::graph {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_io(const fs::path& path, std::string_view doing) {
  throw IoError(path.string() + ": cannot " + std::string(doing) + ": " + std::strerror(errno));
}

void sync_folder(const fs::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) refuse_io(folder, "open");
  const int failed = ::fsync(fd);
  ::close(fd);
  if (failed) refuse_io(folder, "sync");
}

// A new database with our families and nothing in it.
struct EmptyDatabase {
  explicit EmptyDatabase(const fs::path& path) : where(path) {
    rocksdb::DBOptions options = database_options();
    options.create_if_missing = true;
    options.create_missing_column_families = true;
    options.error_if_exists = true;
    rocksdb::DB* raw = nullptr;
    const rocksdb::Status status =
        rocksdb::DB::Open(options, path.string(), family_descriptors(), &handles, &raw);
    db.reset(raw);
    check(status, path, "make the database");
  }
  ~EmptyDatabase() {
    if (!db) return;
    for (rocksdb::ColumnFamilyHandle* handle : handles) db->DestroyColumnFamilyHandle(handle);
    db->Close();
  }
  EmptyDatabase(const EmptyDatabase&) = delete;
  EmptyDatabase& operator=(const EmptyDatabase&) = delete;

  void ingest(Family family, const fs::path& file) {
    rocksdb::IngestExternalFileOptions options;
    options.move_files = true;
    check(db->IngestExternalFile(handles[static_cast<std::size_t>(family)], {file.string()}, options), where,
          "take in " + file.filename().string());
    std::error_code ignored;
    fs::remove(file, ignored);
  }

  fs::path where;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  std::unique_ptr<rocksdb::DB> db;
};

}  // namespace

IngestWriter::IngestWriter(fs::path database, bool replace, const Json& request)
    : database_(std::move(database)), folder_(ingesting_path(database_)) {
  if (!database_.has_filename()) database_ = database_.parent_path();
  if (database_.empty()) throw ConfigError("the database needs a path");
  refuse_existing(database_, replace);
  lock_folder();
  try {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) fs::remove_all(entry.path());
    write_file_atomically(folder_ / kRequestFile, request.dump() + "\n");
  } catch (const fs::filesystem_error& e) {
    ::close(folder_fd_);  // what cannot be cleared is left
    throw IoError(folder_.string() +
                  ": cannot clear what an interrupted ingestion left: " + e.code().message());
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    ::close(folder_fd_);
    throw;
  }
}

void IngestWriter::lock_folder() {
  std::error_code error;
  if (database_.has_parent_path()) fs::create_directories(database_.parent_path(), error);
  for (;;) {
    if (::mkdir(folder_.c_str(), 0777) != 0 && errno != EEXIST) refuse_io(folder_, "make the folder");
    folder_fd_ = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder_fd_ < 0 && errno == ENOENT) continue;  // another ingestion has just ended
    if (folder_fd_ < 0) refuse_io(folder_, "open");
    if (::flock(folder_fd_, LOCK_EX | LOCK_NB) != 0) {
      ::close(folder_fd_);
      throw StoreError(database_.string() + ": another ingestion into it runs (" + folder_.string() +
                       " is locked); wait for it or stop it");
    }
    struct stat opened {
    }, named{};
    if (::fstat(folder_fd_, &opened) == 0 && ::stat(folder_.c_str(), &named) == 0 &&
        opened.st_ino == named.st_ino)
      return;
    ::close(folder_fd_);  // moved away between the two calls
  }
}

IngestWriter::~IngestWriter() {
  std::error_code ignored;
  if (!finished_) fs::remove_all(folder_, ignored);
  ::close(folder_fd_);
}

void IngestWriter::write(const KnowledgeGraph& graph, const Values& values, const Splits& splits, Json meta) {
  const std::array<fs::path, 4> files = {folder_ / "names.sst.tmp", folder_ / "adjacency.sst.tmp",
                                         folder_ / "tables.sst.tmp", folder_ / "dialogues.sst.tmp"};
  std::array<bool, 4> written{};
  const std::array<std::function<bool()>, 4> jobs = {[&] { return write_names(graph, files[0]); },
                                                     [&] { return write_adjacency(graph, files[1]); },
                                                     [&] { return write_blobs(graph, values, files[2]); },
                                                     [&] { return write_dialogues(splits, files[3]); }};
  parallel_for(4, 1, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      written[i] = jobs[i]();
  });
  meta["schema"] = kSchemaVersion;
  meta["graph_checksum"] = graph.checksum();
  meta["splits"] = Json::object();
  for (const auto& [name, dialogues] : splits) meta["splits"][name] = dialogues.size();
  EmptyDatabase database(folder_);
  const std::array<Family, 4> families = {Family::kNames, Family::kAdjacency, Family::kTables,
                                          Family::kDialogues};
  for (std::size_t i = 0; i < files.size(); ++i)
    if (written[i]) database.ingest(families[i], files[i]);
  rocksdb::WriteOptions synced;
  synced.sync = true;
  check(database.db->Put(synced, database.handles[0], kMetaKey, meta.dump()), folder_, "write");
  check(database.db->Flush(rocksdb::FlushOptions(), database.handles[0]), folder_, "write");
}

void IngestWriter::finish() {
  std::error_code ignored;
  fs::remove(folder_ / kRequestFile, ignored);
  write_marker(folder_);
  sync_folder(folder_);
  move_into_place();
}

void IngestWriter::move_into_place() {
  const fs::path parent = database_.has_parent_path() ? database_.parent_path() : fs::path(".");
  if (::rename(folder_.c_str(), database_.c_str()) == 0) {  // works when there is nothing, or an empty folder
    finished_ = true;
    sync_folder(parent);
    return;
  }
  if (errno != ENOTEMPTY && errno != EEXIST) refuse_io(database_, "move the new database into place");
  // Names are swapped in one step, so that the old or the new database is there at every moment.
  if (::renameat2(AT_FDCWD, folder_.c_str(), AT_FDCWD, database_.c_str(), RENAME_EXCHANGE) != 0)
    refuse_io(database_, "swap the new database with the old one");
  finished_ = true;
  sync_folder(parent);
  std::error_code error;
  fs::remove_all(folder_, error);
  if (error)
    throw IoError(folder_.string() +
                  ": the new database is in place, but the old one cannot be removed: " + error.message());
}

}  // namespace kgwalk::graph
