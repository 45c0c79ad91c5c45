#include "graph/store/copy_store.h"

#include <rocksdb/iterator.h>
#include <rocksdb/sst_file_writer.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graph/knowledge_graph_impl.h"
#include "graph/store/store_impl.h"
#include "kgwalk/error.h"
#include "kgwalk/store.h"

namespace kgwalk::graph {
namespace {

namespace fs = std::filesystem;

// A new database with its families, closed with the object.
struct EmptyCopy {
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  std::unique_ptr<rocksdb::DB> db;

  explicit EmptyCopy(const fs::path& path) {
    rocksdb::DB* raw = nullptr;
    rocksdb::DBOptions options = database_options();
    options.create_if_missing = options.create_missing_column_families = options.error_if_exists = true;
    const rocksdb::Status status =
        rocksdb::DB::Open(options, path.string(), family_descriptors(), &handles, &raw);
    db.reset(raw);
    check(status, path, "make the database");
  }
  EmptyCopy(const EmptyCopy&) = delete;
  EmptyCopy& operator=(const EmptyCopy&) = delete;
  ~EmptyCopy() {
    if (!db) return;
    for (rocksdb::ColumnFamilyHandle* handle : handles) db->DestroyColumnFamilyHandle(handle);
    db->Close();
  }
};

bool keeps(const std::function<bool(std::string_view)>& choice, std::string_view name) {
  return !choice || choice(name);
}

// Whether the copy has this record.
bool is_chosen(Family family, std::string_view key, const StoreCopyChoice& choice) {
  if (family == Family::kDialogues) return keeps(choice.splits, key.substr(0, key.find('\0')));
  if (family != Family::kTables || key.size() < 2) return true;
  const std::string_view name = key.substr(2, key[0] == 'p' ? key.find('\0', 2) - 2 : std::string::npos);
  if (key[1] == static_cast<char>(StoredKind::kTable)) return keeps(choice.tables, name);
  return name.starts_with(kSnapshotBlob) || keeps(choice.blobs, name);
}

class StoreCopying {
 public:
  StoreCopying(const Store& from, const fs::path& to, const StoreCopyChoice& choice, Reporter& reporter,
               const StopFlag& stop)
      : from_(StoreAccess::impl(from)), to_(to), choice_(choice), stop_(stop), copy_(to) {
    progress_ = reporter.start("copying the database", static_cast<std::int64_t>(num_bytes()), "bytes");
  }

  void copy_all(const Json& meta) {
    for (std::size_t place = 0; place < kNumFamilies; ++place)
      if (static_cast<Family>(place) != Family::kMeta) copy_family(place);
    copy_beside_meta();
    rocksdb::WriteOptions synced;
    synced.sync = true;
    check(copy_.db->Put(synced, copy_.handles[0], kMetaKey, meta.dump()), to_, "write");
    check(copy_.db->Flush(rocksdb::FlushOptions(), copy_.handles[0]), to_, "write");
    copy_snapshot();
    if (const std::uint64_t edit = from_.last_edit(); edit > 0) write_notice(to_, edit);
  }

 private:
  static constexpr std::size_t kToldBytes = 1 << 20;

  // Of all there is, chosen or not.
  [[nodiscard]] std::uint64_t num_bytes() const {
    std::vector<rocksdb::LiveFileMetaData> files;
    from_.db->GetLiveFilesMetaData(&files);
    std::uint64_t bytes = from_.snapshot ? from_.snapshot->bytes().size() : 0;
    for (const rocksdb::LiveFileMetaData& file : files) bytes += file.size;
    return bytes;
  }

  void note(std::size_t bytes) {
    untold_ += bytes;
    if (untold_ < kToldBytes) return;
    if (stop_.requested()) throw Stopped("copying the database was stopped; nothing was written");
    progress_->add(static_cast<std::int64_t>(untold_));
    untold_ = 0;
  }

  // Sorted records go in as one file, which is how a new database has them.
  void copy_family(std::size_t place) {
    const auto family = static_cast<Family>(place);
    const fs::path file = to_ / kPutFile;
    rocksdb::SstFileWriter writer(rocksdb::EnvOptions(),
                                  rocksdb::Options(database_options(), family_options(family)));
    rocksdb::ReadOptions options;
    options.fill_cache = false;
    bool begun = false;
    const std::unique_ptr<rocksdb::Iterator> it(from_.db->NewIterator(options, from_.handles[place]));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      if (!is_chosen(family, view(it->key()), choice_)) continue;
      if (!begun) check(writer.Open(file.string()), to_, "write");
      begun = true;
      check(writer.Put(it->key(), it->value()), to_, "write");
      note(it->key().size() + it->value().size());
    }
    check(it->status(), from_.path, "copy");
    if (!begun) return;
    check(writer.Finish(), to_, "write");
    rocksdb::IngestExternalFileOptions ingest;
    ingest.move_files = true;
    check(copy_.db->IngestExternalFile(copy_.handles[place], {file.string()}, ingest), to_, "write");
    std::error_code ignored;
    fs::remove(file, ignored);
  }

  // The edits, and the number of the last.
  void copy_beside_meta() {
    const std::unique_ptr<rocksdb::Iterator> it(
        from_.db->NewIterator(rocksdb::ReadOptions(), from_.handles[0]));
    for (it->SeekToFirst(); it->Valid(); it->Next())
      if (view(it->key()) != kMetaKey)
        check(copy_.db->Put(rocksdb::WriteOptions(), copy_.handles[0], it->key(), it->value()), to_, "write");
    check(it->status(), from_.path, "copy");
  }

  void copy_snapshot() {
    if (!from_.snapshot) return;
    SealedFileWriter out(to_ / from_.snapshot_name());
    const std::string_view bytes = from_.snapshot->bytes();
    for (std::size_t begin = 0; begin < bytes.size(); begin += kToldBytes) {
      const std::string_view part = bytes.substr(begin, kToldBytes);
      from_.snapshot->check(part.data(), part.size());
      out.append(part);
      note(part.size());
    }
    out.finish(from_.snapshot->tag());
  }

  const StoreAccess::Impl& from_;
  const fs::path& to_;
  const StoreCopyChoice& choice_;
  const StopFlag& stop_;
  EmptyCopy copy_;
  std::unique_ptr<Progress> progress_;
  std::size_t untold_ = 0;
};

Json meta_of_copy(Json meta, const StoreCopyChoice& choice) {
  Json splits = Json::object(), sources = Json::object(), files = Json::object();
  for (const auto& [name, count] : meta["splits"].items())
    if (keeps(choice.splits, name)) splits[name] = count;
  if (meta.contains("sources") && meta["sources"].is_object())
    for (const auto& [file, checksum] : meta["sources"].items())
      sources[fs::path(file).filename().string()] = checksum;
  if (const auto counts = meta.find("counts"); counts != meta.end() && counts->contains("files")) {
    for (const auto& [file, read] : (*counts)["files"].items())
      files[fs::path(file).filename().string()] = read;
    (*counts)["files"] = std::move(files);
  }
  meta["splits"] = std::move(splits);
  meta["sources"] = std::move(sources);
  meta.erase("request");
  meta.erase("command");
  return meta;
}

}  // namespace

void copy_store(const Store& from, const fs::path& to, const StoreCopyChoice& choice, Reporter& reporter,
                const StopFlag& stop) {
  const Json meta = choice.keeps_origin ? from.meta() : meta_of_copy(from.meta(), choice);
  StoreCopying(from, to, choice, reporter, stop).copy_all(meta);
  write_marker(to, meta["schema"].get<int>());
}

}  // namespace kgwalk::graph
