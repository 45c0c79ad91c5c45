#include "kgwalk/store.h"

#include <fcntl.h>
#include <rocksdb/iterator.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <thread>

#include "graph/changes/edited_graph.h"
#include "graph/details.h"
#include "graph/knowledge_graph_impl.h"
#include "graph/names.h"
#include "graph/store/dialogue_codec.h"
#include "graph/store/packed_edges.h"
#include "graph/store/store_impl.h"
#include "kgwalk/busy_error.h"
#include "kgwalk/error.h"
#include "runtime/files.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

namespace fs = std::filesystem;

Remedy reingest(const fs::path& path) { return {Remedy::kReingest, path.string()}; }

// The ingestion of which `folder` holds what was asked for; without its files where that cannot be read.
Remedy ingest_again(const fs::path& path, const fs::path& folder) {
  Remedy remedy{Remedy::kIngest, path.string()};
  const Json request = Json::parse(read_file(folder / kRequestFile), nullptr, false);
  if (!request.is_array()) return remedy;
  for (const Json& argument : request)
    if (argument.is_array() && argument.size() == 2 && argument[0].is_string() && argument[1].is_string())
      remedy.arguments.emplace_back(argument[0].get<std::string>(), argument[1].get<std::string>());
  return remedy;
}

[[noreturn]] void refuse_missing(const fs::path& path) {
  const fs::path half = ingesting_path(path);
  std::error_code ignored;
  if (!fs::exists(half, ignored))
    throw StoreError(path.string() + ": there is no database", Remedy{Remedy::kIngest, path.string()});
  throw StoreError(path.string() + ": there is no database: an ingestion was interrupted or still runs (" +
                       half.string() + ")",
                   fs::exists(half / kRequestFile, ignored) ? ingest_again(path, half)
                                                            : Remedy{Remedy::kIngest, path.string()});
}

constexpr int kOpenAttempts = 16;
constexpr int kLongestPauseMs = 100;

bool misses_file(const rocksdb::Status& status) {
  return !status.ok() && status.ToString().find("No such file") != std::string::npos;
}

// The list of files that is current, and its length: they change with every file that joins or leaves.
std::string file_list_state(const fs::path& path) {
  std::ifstream in(path / "CURRENT");
  std::string name;
  std::getline(in, name);
  std::error_code ignored;
  return name + ' ' + std::to_string(fs::file_size(path / name, ignored));
}

// Who opens a database to write lets files join and leave it: its log becomes a file. Readers open side by
// side, and while one does no next writer opens, so that one that edits and comes again cannot keep a reader
// out. Where the file system has no such locks, reading again is all there is.
class OpeningLock {
 public:
  OpeningLock(const fs::path& marker, bool alone) : fd_(::open(marker.c_str(), O_RDONLY | O_CLOEXEC)) {
    while (fd_ >= 0 && ::flock(fd_, alone ? LOCK_EX : LOCK_SH) != 0 && errno == EINTR) {
    }
  }
  ~OpeningLock() {
    if (fd_ >= 0) ::close(fd_);
  }
  OpeningLock(const OpeningLock&) = delete;
  OpeningLock& operator=(const OpeningLock&) = delete;

 private:
  int fd_;
};

void check_schema(const fs::path& path, int schema) {
  if (schema >= kOldestSchema && schema <= kSchemaVersion) return;
  throw StoreError(path.string() + ": the database has schema version " + std::to_string(schema) +
                       ", this program reads versions " + std::to_string(kOldestSchema) + " to " +
                       std::to_string(kSchemaVersion) +
                       (schema > kSchemaVersion ? "; use a newer kgwalk or make the database again" : ""),
                   reingest(path));
}

void check_marker(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) refuse_missing(path);
  if (!fs::is_directory(path, ignored))
    throw StoreError(path.string() + ": not a folder; a database is a folder that ingestion makes");
  const fs::path marker = path / kMarkerFile;
  if (!fs::exists(marker, ignored)) {
    if (fs::exists(path / kRequestFile, ignored))
      throw StoreError(path.string() + ": this ingestion did not finish", ingest_again(path, path));
    throw StoreError(path.string() + ": not a kgwalk database (no file " + kMarkerFile + ")",
                     Remedy{Remedy::kIngest, ""});
  }
  const Json json = Json::parse(read_file(marker), nullptr, false);
  if (!json.is_object() || !json.contains("schema") || !json["schema"].is_number_integer())
    throw StoreError(marker.string() + ": damaged", reingest(path));
  check_schema(path, json["schema"].get<int>());
}

}  // namespace

fs::path ingesting_path(const fs::path& database) {
  fs::path plain = database;
  if (!plain.has_filename()) plain = plain.parent_path();  // "kg.db/" is "kg.db"
  return plain.string() + ".ingesting";
}

std::string split_prefix(std::string_view split) { return std::string(split) + '\0'; }

std::string dialogue_key(std::string_view split, std::uint32_t index) {
  std::string key = split_prefix(split);
  append_be32(key, index);
  return key;
}

Store::Impl::~Impl() { close(); }

void Store::Impl::close() {
  if (!db) return;
  for (rocksdb::ColumnFamilyHandle* handle : handles) db->DestroyColumnFamilyHandle(handle);
  handles.clear();
  db->Close();
  db.reset();
}

rocksdb::Status Store::Impl::open_once() {
  rocksdb::DB* raw = nullptr;
  const rocksdb::DBOptions options = database_options();
  rocksdb::Status status =
      mode == Mode::kReadOnly
          ? rocksdb::DB::OpenForReadOnly(options, path.string(), family_descriptors(), &handles, &raw)
          : rocksdb::DB::Open(options, path.string(), family_descriptors(), &handles, &raw);
  db.reset(raw);
  return status;
}

void Store::Impl::read_meta() {
  const std::optional<std::string> text = get(Family::kMeta, kMetaKey);
  if (!text) throw StoreError(path.string() + ": its meta record is missing", reingest(path));
  meta = Json::parse(*text, nullptr, false);
  if (!meta.is_object() || !meta.contains("schema") || !meta["schema"].is_number_integer() ||
      !meta.contains("graph_checksum") || !meta["graph_checksum"].is_string())
    throw StoreError(path.string() + ": its meta record is damaged", reingest(path));
  check_schema(path, meta["schema"].get<int>());
}

bool Store::Impl::map_snapshot() {
  if (meta["schema"].get<int>() == kOldestSchema) return true;
  const fs::path file = path / snapshot_name();
  std::error_code ignored;
  try {
    snapshot = std::make_shared<const SealedFile>(file, reingest(path));
  } catch (const IoError&) {
    if (fs::exists(file, ignored)) throw;
    return false;
  }
  if (snapshot->tag() != meta["graph_checksum"].get<std::string>())
    throw StoreError(file.string() + ": is the snapshot of another graph; put back the one that belongs here",
                     reingest(path));
  return true;
}

// RocksDB reads the list of files and then the log. When another process lets files join or leave in between,
// the log tells of pieces in files that were not read: such a state is read again, as is one whose files are
// gone.
void Store::Impl::open(const fs::path& where, Mode how) {
  check_marker(where);
  path = where;
  mode = how;
  const bool writes = how == Mode::kReadWrite;
  const OpeningLock lock(where / kMarkerFile, writes);
  for (int i = 0;; ++i) {
    const std::string files = writes ? "" : file_list_state(where);
    const rocksdb::Status status = open_once();
    const bool changed = !writes && file_list_state(where) != files;
    if (!changed && (writes || !misses_file(status))) {
      check(status, where, "open");
      read_meta();
      if (map_snapshot()) break;
    }
    if (writes || i >= kOpenAttempts) {
      if (changed)
        throw BusyError(where.string() + ": another process writes this database without a pause; try again");
      check(status, where, "open");
      throw StoreError((path / snapshot_name()).string() + ": is missing, and the graph with it",
                       reingest(where));
    }
    close();
    std::this_thread::sleep_for(std::chrono::milliseconds(std::min(5 << std::min(i, 8), kLongestPauseMs)));
  }
  if (how == Mode::kReadWrite) mend_notice();
}

std::optional<std::string> Store::Impl::get(Family which, std::string_view key) const {
  std::string value;
  const rocksdb::Status status = db->Get(rocksdb::ReadOptions(), family(which), slice(key), &value);
  if (status.IsNotFound()) return std::nullopt;
  check(status, path, "read");
  return value;
}

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Store Store::open(const fs::path& path, Mode mode) {
  auto impl = std::make_unique<Impl>();
  impl->open(path, mode);
  return Store(std::move(impl));
}

const fs::path& Store::path() const { return impl_->path; }
Json Store::meta() const { return impl_->meta; }
std::string Store::graph_checksum() const { return impl_->meta["graph_checksum"].get<std::string>(); }

std::vector<std::string> Store::splits() const {
  std::vector<std::string> names;
  for (const auto& item : impl_->meta["splits"].items()) names.push_back(item.key());
  return names;
}

std::vector<Dialogue> Store::dialogues(std::string_view split) const {
  const Json& splits = impl_->meta["splits"];
  if (!splits.contains(std::string(split))) {
    std::string known;
    for (const std::string& name : this->splits()) known += (known.empty() ? "" : ", ") + name;
    const std::string what = path().string() + ": no split '" + std::string(split) + "'; there are: ";
    if (!known.empty()) throw StoreError(what + known);
    throw StoreError(
        what + "none",
        Remedy{Remedy::kReingest, path().string(), {{"dialogues", std::string(split) + "=FILE"}}});
  }
  const auto expected = splits[std::string(split)].get<std::size_t>();
  std::vector<Dialogue> all;
  all.reserve(expected);
  rocksdb::ReadOptions options;
  options.fill_cache = false;
  const std::string prefix = split_prefix(split);
  const std::unique_ptr<rocksdb::Iterator> it(
      impl_->db->NewIterator(options, impl_->family(Family::kDialogues)));
  for (it->Seek(prefix); it->Valid() && it->key().starts_with(prefix); it->Next())
    all.push_back(decode_dialogue(view(it->value())));
  check(it->status(), path(), "read dialogues");
  if (all.size() != expected)
    throw StoreError(path().string() + ": split '" + std::string(split) + "' has " +
                         std::to_string(all.size()) + " dialogues instead of " + std::to_string(expected) +
                         "; the database is damaged",
                     reingest(path()));
  return all;
}

std::vector<Edge> Store::read_edges(EntityId entity) const {
  if (impl_->last_edit() > 0) {
    const KnowledgeGraph graph = load_graph();
    if (entity >= graph.num_entities()) return {};
    const std::span<const Edge> row = graph.out_edges(entity);
    return {row.begin(), row.end()};
  }
  std::string key;
  append_be32(key, entity);
  rocksdb::PinnableSlice value;
  const rocksdb::Status status =
      impl_->db->Get(rocksdb::ReadOptions(), impl_->family(Family::kAdjacency), slice(key), &value);
  if (status.IsNotFound()) return {};
  check(status, path(), "read edges");
  std::vector<Edge> edges;
  unpack_edges(view(value), edges);
  return edges;
}

std::optional<EntityId> Store::read_entity(std::string_view name) const {
  if (invalid_utf8_at(name)) return std::nullopt;
  if (impl_->last_edit() > 0) return load_graph().find_entity(name);
  const std::string folded = fold_name(name);
  for (const std::string& key : {"E" + name_key(name), "E" + folded, "F" + folded})
    if (const auto id = impl_->get(Family::kNames, key)) return read_be32(*id);
  return std::nullopt;
}

void Store::verify() const {
  check(impl_->db->VerifyChecksum(), path(), "verify");
  for (const StoredKind kind : {StoredKind::kTable, StoredKind::kBlob})
    for (const std::string& name : impl_->value_names(kind)) {
      const Json header = *impl_->header(kind, name);
      std::string bytes(header["bytes"].get<std::size_t>(), '\0');
      impl_->read_pieces(kind, name, header, bytes.data());
    }
  if (impl_->snapshot) impl_->snapshot->check_all();
  (void)load_graph();
}

KnowledgeGraph Store::Impl::load_snapshot() const {
  if (snapshot) return GraphAccess::make(snapshot);
  const std::string blob = graph_blob(kSnapshotBlob);
  const auto head = header(StoredKind::kBlob, blob);
  if (!head) throw StoreError(path.string() + ": the graph is missing", reingest(path));
  AlignedBytes bytes((*head)["bytes"].get<std::size_t>());
  read_pieces(StoredKind::kBlob, blob, *head, bytes.data());
  return GraphAccess::make(std::move(bytes), meta["graph_checksum"].get<std::string>());
}

KnowledgeGraph Store::Impl::load_base() const {
  KnowledgeGraph graph = load_snapshot();
  const std::string said = graph_blob(kDetailsBlob);
  if (const auto given = header(StoredKind::kBlob, said)) {
    AlignedBytes details((*given)["bytes"].get<std::size_t>());
    read_pieces(StoredKind::kBlob, said, *given, details.data());
    GraphAccess::set_details(graph, std::move(details));
  }
  if (const Compaction made = compaction(); made.edit > 0)
    GraphAccess::set_last_edit(graph, made.edit, made.ingested, made.renamed);
  return graph;
}

KnowledgeGraph Store::load_graph() const {
  KnowledgeGraph base = impl_->load_base();
  const std::uint64_t in_base = impl_->compaction().edit, last = impl_->last_edit();
  if (last == in_base) return base;
  Delta delta(base);
  for (std::uint64_t number = in_base + 1; number <= last; ++number)
    for (const Change& change : decode_changes(impl_->edit(number).changes)) delta.apply(change);
  return edited_graph(delta, last);
}

}  // namespace kgwalk::graph
