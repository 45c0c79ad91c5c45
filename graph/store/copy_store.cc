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
#include "runtime/files.h"

namespace kgwalk::graph {
namespace {

namespace fs = std::filesystem;

// A database with its families, closed with the object.
struct OpenFamilies {
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  std::unique_ptr<rocksdb::DB> db;

  OpenFamilies() = default;
  OpenFamilies(const OpenFamilies&) = delete;
  OpenFamilies& operator=(const OpenFamilies&) = delete;
  ~OpenFamilies() {
    if (!db) return;
    for (rocksdb::ColumnFamilyHandle* handle : handles) db->DestroyColumnFamilyHandle(handle);
    db->Close();
  }
  void open(const fs::path& path, bool make) {
    rocksdb::DB* raw = nullptr;
    rocksdb::DBOptions options = database_options();
    options.create_if_missing = options.create_missing_column_families = options.error_if_exists = make;
    const rocksdb::Status status =
        make ? rocksdb::DB::Open(options, path.string(), family_descriptors(), &handles, &raw)
             : rocksdb::DB::OpenForReadOnly(options, path.string(), family_descriptors(), &handles, &raw);
    db.reset(raw);
    check(status, path, make ? "make the database" : "open");
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

// Sorted records go in as one file, which is how a new database has them.
void copy_family(const OpenFamilies& from, const OpenFamilies& to, std::size_t place, const fs::path& folder,
                 const StoreCopyChoice& choice) {
  const auto family = static_cast<Family>(place);
  const fs::path file = folder / kPutFile;
  rocksdb::SstFileWriter writer(rocksdb::EnvOptions(),
                                rocksdb::Options(database_options(), family_options(family)));
  rocksdb::ReadOptions options;
  options.fill_cache = false;
  bool begun = false;
  const std::unique_ptr<rocksdb::Iterator> it(from.db->NewIterator(options, from.handles[place]));
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    if (!is_chosen(family, view(it->key()), choice)) continue;
    if (!begun) check(writer.Open(file.string()), folder, "write");
    begun = true;
    check(writer.Put(it->key(), it->value()), folder, "write");
  }
  check(it->status(), folder, "copy");
  if (!begun) return;
  check(writer.Finish(), folder, "write");
  rocksdb::IngestExternalFileOptions ingest;
  ingest.move_files = true;
  check(to.db->IngestExternalFile(to.handles[place], {file.string()}, ingest), folder, "write");
  std::error_code ignored;
  fs::remove(file, ignored);
}

// All that lies beside the meta record.
void copy_edits(const OpenFamilies& from, const OpenFamilies& to, const fs::path& folder) {
  const std::unique_ptr<rocksdb::Iterator> it(from.db->NewIterator(rocksdb::ReadOptions(), from.handles[0]));
  for (it->SeekToFirst(); it->Valid(); it->Next())
    if (view(it->key()) != kMetaKey)
      check(to.db->Put(rocksdb::WriteOptions(), to.handles[0], it->key(), it->value()), folder, "write");
  check(it->status(), folder, "copy");
}

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

void copy_store(const fs::path& from, const fs::path& to, const StoreCopyChoice& choice) {
  const Store store = Store::open(from, Store::Mode::kReadOnly);
  const StoreAccess::Impl& impl = StoreAccess::impl(store);
  const Json meta = meta_of_copy(store.meta(), choice);
  {
    OpenFamilies source, copy;
    source.open(from, false);
    copy.open(to, true);
    for (std::size_t place = 0; place < kNumFamilies; ++place)
      if (static_cast<Family>(place) != Family::kMeta) copy_family(source, copy, place, to, choice);
    rocksdb::WriteOptions synced;
    synced.sync = true;
    copy_edits(source, copy, to);
    check(copy.db->Put(synced, copy.handles[0], kMetaKey, meta.dump()), to, "write");
    check(copy.db->Flush(rocksdb::FlushOptions(), copy.handles[0]), to, "write");
  }
  if (impl.snapshot) {
    impl.snapshot->check_all();
    SealedFileWriter out(to / impl.snapshot_name());
    out.append(impl.snapshot->bytes());
    out.finish(impl.snapshot->tag());
  }
  write_marker(to, meta["schema"].get<int>());
}

}  // namespace kgwalk::graph
