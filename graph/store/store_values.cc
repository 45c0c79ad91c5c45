// Tables and blobs: values cut into checksummed pieces; a put becomes visible with its header, in one write.
#include <rocksdb/convenience.h>
#include <rocksdb/iterator.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/write_batch.h>

#include <cstring>

#include "graph/details.h"
#include "graph/knowledge_graph_impl.h"
#include "graph/names.h"
#include "graph/store/store_impl.h"
#include "kgwalk/error.h"
#include "kgwalk/store.h"

namespace kgwalk::graph {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSealBytes = 8;

[[noreturn]] void damaged(const fs::path& path, std::string_view name, std::string_view why) {
  throw StoreError(path.string() + ": '" + std::string(name) + "' is damaged (" + std::string(why) +
                       "); make it again the way it was made, or the whole database",
                   Remedy{Remedy::kReingest, path.string()});
}

void check_name(std::string_view name) {
  if (name.empty() || name.find('\0') != std::string_view::npos)
    throw StoreError("a table or blob needs a name without NUL bytes");
}

bool is_of_graph(std::string_view name) {
  return name.starts_with(kSnapshotBlob) || name.starts_with(kDetailsBlob);
}

std::string one_past(std::string prefix) {
  ++prefix.back();  // prefixes end in the NUL behind the name
  return prefix;
}

}  // namespace

std::string header_key(StoredKind kind, std::string_view name) {
  return std::string{'h', static_cast<char>(kind)} + std::string(name);
}

std::string piece_prefix(StoredKind kind, std::string_view name) {
  return std::string{'p', static_cast<char>(kind)} + std::string(name) + '\0';
}

std::string piece_key(StoredKind kind, std::string_view name, std::uint32_t generation, std::uint32_t piece) {
  std::string key = piece_prefix(kind, name);
  append_be32(key, generation);
  append_be32(key, piece);
  return key;
}

std::string sealed_piece(std::string_view bytes) {
  std::string piece(bytes);
  const std::uint64_t hash = hash_bytes(bytes);
  piece.append(reinterpret_cast<const char*>(&hash), kSealBytes);
  return piece;
}

std::size_t num_pieces(std::size_t bytes) { return (bytes + kPieceBytes - 1) / kPieceBytes; }

Json value_header(std::size_t bytes, std::uint32_t generation, const Json& meta) {
  return {{"bytes", bytes}, {"pieces", num_pieces(bytes)}, {"generation", generation}, {"meta", meta}};
}

std::optional<Json> Store::Impl::header(StoredKind kind, std::string_view name) const {
  const auto text = get(Family::kTables, header_key(kind, name));
  if (!text) return std::nullopt;
  Json json = Json::parse(*text, nullptr, false);
  if (!json.is_object() || !json.contains("bytes") || !json.contains("generation") || !json.contains("meta"))
    damaged(path, name, "its header is no json");
  return json;
}

void Store::Impl::read_pieces(StoredKind kind, std::string_view name, const Json& head, char* out) const {
  const auto bytes = head["bytes"].get<std::size_t>();
  const auto generation = head["generation"].get<std::uint32_t>();
  rocksdb::ReadOptions options;
  options.fill_cache = false;
  for (std::size_t begin = 0, i = 0; begin < bytes; begin += kPieceBytes, ++i) {
    const std::size_t length = std::min(kPieceBytes, bytes - begin);
    rocksdb::PinnableSlice value;
    const rocksdb::Status status =
        db->Get(options, family(Family::kTables),
                piece_key(kind, name, generation, static_cast<std::uint32_t>(i)), &value);
    if (status.IsNotFound()) damaged(path, name, "piece " + std::to_string(i) + " is missing");
    check(status, path, "read '" + std::string(name) + "'");
    if (value.size() != length + kSealBytes)
      damaged(path, name, "piece " + std::to_string(i) + " has another length");
    std::uint64_t seal = 0;
    std::memcpy(&seal, value.data() + length, kSealBytes);
    std::memcpy(out + begin, value.data(), length);
    if (hash_bytes({out + begin, length}) != seal)
      damaged(path, name, "the checksum of piece " + std::to_string(i) + " does not match");
  }
}

void Store::Impl::need_write() const {
  if (mode != Mode::kReadWrite)
    throw StoreError(path.string() + ": opened for reading only; open it with Store::Mode::kReadWrite");
}

void Store::Impl::drop_pieces_except(StoredKind kind, std::string_view name,
                                     std::optional<std::uint32_t> kept) {
  const std::string prefix = piece_prefix(kind, name);
  const std::string end = one_past(prefix);
  rocksdb::ReadOptions options;
  const rocksdb::Slice upper = slice(end);
  options.iterate_upper_bound = &upper;
  options.fill_cache = false;
  rocksdb::WriteBatch batch;
  const std::unique_ptr<rocksdb::Iterator> it(db->NewIterator(options, family(Family::kTables)));
  for (it->Seek(prefix); it->Valid();) {
    const std::uint32_t generation = read_be32(view(it->key()).substr(prefix.size()));
    if (kept && generation == *kept) {
      it->Seek(piece_key(kind, name, generation + 1, 0));
    } else {
      batch.Delete(family(Family::kTables), it->key());
      it->Next();
    }
  }
  check(it->status(), path, "read '" + std::string(name) + "'");
  if (batch.Count() > 0) check(db->Write(rocksdb::WriteOptions(), &batch), path, "write");
}

void Store::Impl::put_value(StoredKind kind, std::string_view name, std::string_view bytes, Json fields) {
  need_write();
  check_name(name);
  const std::optional<Json> old = header(kind, name);
  const auto old_generation = old ? std::optional((*old)["generation"].get<std::uint32_t>()) : std::nullopt;
  drop_pieces_except(kind, name, old_generation);  // what an interrupted put left
  const std::uint32_t generation = old_generation ? *old_generation + 1 : 0;
  const fs::path file = path / kPutFile;
  if (!bytes.empty()) {
    // An interrupted put may have left this name on a file that the database took in: writing through it
    // would destroy that table, so the name goes first.
    std::error_code error;
    fs::remove(file, error);
    if (error)
      throw IoError(file.string() + ": cannot remove what an interrupted put left: " + error.message());
    rocksdb::SstFileWriter writer(rocksdb::EnvOptions(),
                                  rocksdb::Options(database_options(), family_options(Family::kTables)));
    check(writer.Open(file.string()), path, "write '" + std::string(name) + "'");
    for (std::size_t begin = 0, i = 0; begin < bytes.size(); begin += kPieceBytes, ++i)
      check(writer.Put(piece_key(kind, name, generation, static_cast<std::uint32_t>(i)),
                       sealed_piece(bytes.substr(begin, kPieceBytes))),
            path, "write '" + std::string(name) + "'");
    check(writer.Finish(), path, "write '" + std::string(name) + "'");
    rocksdb::IngestExternalFileOptions ingest;
    ingest.move_files = true;
    check(db->IngestExternalFile(family(Family::kTables), {file.string()}, ingest), path,
          "write '" + std::string(name) + "'");
    std::error_code ignored;
    fs::remove(file, ignored);
  }
  fields.update(value_header(bytes.size(), generation, fields["meta"]));
  rocksdb::WriteOptions synced;
  synced.sync = true;
  check(db->Put(synced, family(Family::kTables), header_key(kind, name), fields.dump()), path,
        "write '" + std::string(name) + "'");
  drop_pieces_except(kind, name, generation);
  flush();
}

// A damaged log loses its records without a word when it is read again; a damaged table file is refused.
void Store::Impl::flush() const {
  check(db->Flush(rocksdb::FlushOptions(), family(Family::kTables)), path, "write");
}

void Store::Impl::remove_value(StoredKind kind, std::string_view name) {
  need_write();
  rocksdb::WriteOptions synced;
  synced.sync = true;
  check(db->Delete(synced, family(Family::kTables), header_key(kind, name)), path,
        "remove '" + std::string(name) + "'");
  drop_pieces_except(kind, name, std::nullopt);
  flush();
}

std::vector<std::string> Store::Impl::value_names(StoredKind kind) const {
  const std::string prefix = header_key(kind, "");
  std::vector<std::string> names;
  const std::unique_ptr<rocksdb::Iterator> it(
      db->NewIterator(rocksdb::ReadOptions(), family(Family::kTables)));
  for (it->Seek(prefix); it->Valid() && it->key().starts_with(prefix); it->Next())
    names.emplace_back(view(it->key()).substr(prefix.size()));
  check(it->status(), path, "list tables");
  return names;
}

void Store::put_table(std::string_view name, std::span<const float> values, std::int64_t columns,
                      const Json& meta) {
  if (columns <= 0 || values.size() % static_cast<std::size_t>(columns) != 0)
    throw StoreError("table '" + std::string(name) + "': " + std::to_string(values.size()) +
                     " values do not make rows of " + std::to_string(columns));
  const auto rows = static_cast<std::int64_t>(values.size()) / columns;
  impl_->put_value(StoredKind::kTable, name,
                   {reinterpret_cast<const char*>(values.data()), values.size_bytes()},
                   {{"rows", rows}, {"columns", columns}, {"meta", meta}});
}

std::optional<Table> Store::get_table(std::string_view name) const {
  const std::optional<Json> header = impl_->header(StoredKind::kTable, name);
  if (!header) return std::nullopt;
  Table table{
      (*header)["rows"].get<std::int64_t>(), (*header)["columns"].get<std::int64_t>(), {}, (*header)["meta"]};
  table.values.resize(static_cast<std::size_t>(table.rows * table.columns));
  if ((*header)["bytes"].get<std::size_t>() != table.values.size() * sizeof(float))
    damaged(impl_->path, name, "its length is not rows times columns");
  impl_->read_pieces(StoredKind::kTable, name, *header, reinterpret_cast<char*>(table.values.data()));
  return table;
}

std::optional<Json> Store::table_meta(std::string_view name) const {
  const std::optional<Json> header = impl_->header(StoredKind::kTable, name);
  return header ? std::optional<Json>((*header)["meta"]) : std::nullopt;
}

std::vector<std::string> Store::table_names() const { return impl_->value_names(StoredKind::kTable); }
void Store::remove_table(std::string_view name) { impl_->remove_value(StoredKind::kTable, name); }

void Store::put_blob(std::string_view name, std::string_view bytes, const Json& meta) {
  if (is_of_graph(name)) throw StoreError("the graph itself is written by ingestion only");
  impl_->put_value(StoredKind::kBlob, name, bytes, {{"meta", meta}});
}

std::optional<std::string> Store::get_blob(std::string_view name) const {
  const std::optional<Json> header = impl_->header(StoredKind::kBlob, name);
  if (!header) return std::nullopt;
  std::string bytes((*header)["bytes"].get<std::size_t>(), '\0');
  impl_->read_pieces(StoredKind::kBlob, name, *header, bytes.data());
  return bytes;
}

std::optional<Json> Store::blob_meta(std::string_view name) const {
  const std::optional<Json> header = impl_->header(StoredKind::kBlob, name);
  return header ? std::optional<Json>((*header)["meta"]) : std::nullopt;
}

std::vector<std::string> Store::blob_names() const { return impl_->value_names(StoredKind::kBlob); }

void Store::remove_blob(std::string_view name) {
  if (is_of_graph(name)) throw StoreError("the graph itself cannot be removed; delete the database instead");
  impl_->remove_value(StoredKind::kBlob, name);
}

}  // namespace kgwalk::graph
