// The log of edits: records beside the meta record, each whole or not there.
#include <rocksdb/write_batch.h>

#include <cstring>
#include <iterator>
#include <utility>

#include "graph/details.h"
#include "graph/knowledge_graph_impl.h"
#include "graph/store/store_impl.h"
#include "kgwalk/error.h"
#include "runtime/files.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kEditSealBytes = 8;
constexpr const char* kLastEditKey = "last_edit";
constexpr const char* kCompactedKey = "compacted";

[[noreturn]] void damaged_log(const std::filesystem::path& path, std::uint64_t number) {
  throw StoreError(path.string() + ": edit " + std::to_string(number) + " is missing or damaged",
                   Remedy{Remedy::kReingest, path.string()});
}

std::string sealed_edit(const StoredEdit& edit) {
  const std::string header = edit.header.dump();
  const auto header_bytes = static_cast<std::uint32_t>(header.size());
  std::string record(reinterpret_cast<const char*>(&header_bytes), sizeof(header_bytes));
  record += header;
  record += edit.changes;
  return sealed_piece(record);
}

}  // namespace

std::string edit_key(std::uint64_t number) {
  std::string key(kEditPrefix);
  append_be32(key, static_cast<std::uint32_t>(number >> 32));
  append_be32(key, static_cast<std::uint32_t>(number));
  return key;
}

std::uint64_t Store::Impl::last_edit() const {
  const auto text = get(Family::kMeta, kLastEditKey);
  return text ? std::stoull(*text) : 0;
}

StoredEdit Store::Impl::edit(std::uint64_t number) const {
  const auto bytes = get(Family::kMeta, edit_key(number));
  if (!bytes || bytes->size() < kEditSealBytes + sizeof(std::uint32_t)) damaged_log(path, number);
  const std::string_view sealed(*bytes), inside = sealed.substr(0, sealed.size() - kEditSealBytes);
  if (sealed_piece(inside) != *bytes) damaged_log(path, number);
  std::uint32_t header_bytes = 0;
  std::memcpy(&header_bytes, inside.data(), sizeof(header_bytes));
  const std::string_view rest = inside.substr(sizeof(header_bytes));
  if (header_bytes > rest.size()) damaged_log(path, number);
  StoredEdit edit{Json::parse(rest.substr(0, header_bytes), nullptr, false),
                  std::string(rest.substr(header_bytes))};
  if (!edit.header.is_object()) damaged_log(path, number);
  return edit;
}

void Store::Impl::put_edit(const StoredEdit& edit) {
  need_write();
  const std::uint64_t number = last_edit() + 1;
  write_notice(path, number);
  rocksdb::WriteBatch batch;
  const std::string key = edit_key(number), sealed = sealed_edit(edit);
  check(batch.Put(family(Family::kMeta), slice(key), slice(sealed)), path, "write");
  check(batch.Put(family(Family::kMeta), kLastEditKey, std::to_string(number)), path, "write");
  rocksdb::WriteOptions synced;
  synced.sync = true;
  check(db->Write(synced, &batch), path, "write");
  check(db->Flush(rocksdb::FlushOptions(), family(Family::kMeta)), path, "write");
}

void Store::Impl::mend_notice() const {
  const std::uint64_t last = last_edit();
  if (noticed_edit(path) != last) write_notice(path, last);
}

Compaction Store::Impl::compaction() const {
  const auto found = meta.find(kCompactedKey);
  if (found == meta.end()) return {};
  try {
    Compaction made{found->at("edit").get<std::uint64_t>(),
                    {found->at("entities").get<EntityId>(), found->at("connected").get<EntityId>(),
                     found->at("relations").get<RelationId>()},
                    found->at("renamed").get<std::vector<EntityId>>()};
    for (const Json& pair : found->at("joined"))
      made.joined.emplace(pair.at(0).get<EntityId>(), pair.at(1).get<EntityId>());
    return made;
  } catch (const Json::exception&) {
    throw StoreError(path.string() + ": its meta record is damaged",
                     Remedy{Remedy::kReingest, path.string()});
  }
}

std::string Store::Impl::graph_blob(std::string_view name) const {
  const std::uint64_t edit = compaction().edit;
  return edit == 0 ? std::string(name) : std::string(name) + "/" + std::to_string(edit);
}

std::string Store::Impl::snapshot_name() const {
  const std::uint64_t edit = compaction().edit;
  return edit == 0 ? std::string(kSnapshotFile) : std::string(kSnapshotFile) + "." + std::to_string(edit);
}

void write_snapshot(const KnowledgeGraph& graph, const std::filesystem::path& file) {
  SealedFileWriter out(file);
  out.append(GraphAccess::whole_bytes(graph));
  out.finish(graph.checksum());
}

// Snapshot and blobs come first, under names that nobody reads yet; one write then makes them the base, and
// what was the base, or an interrupted compaction left, goes. Rows of edges and names in families of their
// own are those of the ingested graph, which nobody reads once there are edits.
void Store::Impl::put_base(const KnowledgeGraph& graph, const CompactedTexts& texts,
                           std::span<const StoredEdit> log) {
  need_write();
  const std::string_view names[] = {kDetailsBlob, kValuesBlob};
  const std::string_view bytes[] = {GraphAccess::details_bytes(graph), texts.values};
  write_snapshot(graph, path / (std::string(kSnapshotFile) + "." + std::to_string(log.size())));
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (!bytes[i].empty())
      put_value(StoredKind::kBlob, std::string(names[i]) + "/" + std::to_string(log.size()), bytes[i],
                {{"meta", {{"graph_checksum", graph.checksum()}}}});
  const BaseSize& ingested = GraphAccess::base(graph);
  Json changed = meta;
  changed["schema"] = kSchemaVersion;
  changed[kCompactedKey] = {{"edit", log.size()},
                            {"entities", ingested.entities},
                            {"connected", ingested.connected},
                            {"relations", ingested.relations},
                            {"renamed", GraphAccess::renamed(graph)},
                            {"joined", Json::array()}};
  for (const auto& [entity, into] : texts.joined) changed[kCompactedKey]["joined"].push_back({entity, into});
  rocksdb::WriteBatch batch;
  for (std::size_t i = 0; i < log.size(); ++i) {
    const std::string key = edit_key(i + 1), sealed = sealed_edit(log[i]);
    check(batch.Put(family(Family::kMeta), slice(key), slice(sealed)), path, "write");
  }
  check(batch.Put(family(Family::kMeta), kMetaKey, changed.dump()), path, "write");
  rocksdb::WriteOptions synced;
  synced.sync = true;
  check(db->Write(synced, &batch), path, "write");
  check(db->Flush(rocksdb::FlushOptions(), family(Family::kMeta)), path, "write");
  meta = std::move(changed);
  write_marker(path);
  (void)map_snapshot();
  drop_old_bases();
}

void Store::Impl::drop_old_bases() {
  for (const std::string& blob : value_names(StoredKind::kBlob)) {
    if (blob.starts_with(kSnapshotBlob)) remove_value(StoredKind::kBlob, blob);  // of schema 1
    for (const std::string_view name : {kDetailsBlob, kValuesBlob})
      if (blob.starts_with(name) && blob != graph_blob(name)) remove_value(StoredKind::kBlob, blob);
  }
  const std::string current = snapshot_name();
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    const std::string name = entry.path().filename().string();
    std::error_code ignored;  // it is only room on the disk
    if (name.starts_with(kSnapshotFile) && name != current) std::filesystem::remove(entry.path(), ignored);
  }
}

void write_marker(const std::filesystem::path& folder, int schema) {
  const Json marker = {{"format", "kgwalk graph database"}, {"schema", schema}};
  write_file_atomically(folder / kMarkerFile, marker.dump() + "\n");
}

void write_notice(const std::filesystem::path& folder, std::uint64_t edit) {
  write_file_atomically(folder / kNoticeFile, std::to_string(edit) + "\n");
}

std::uint64_t noticed_edit(const std::filesystem::path& database) {
  std::error_code error;
  if (!std::filesystem::exists(database / kNoticeFile, error)) return 0;
  try {
    return std::stoull(read_file(database / kNoticeFile));
  } catch (const std::exception&) {
    return 0;  // swapped in this moment
  }
}

}  // namespace kgwalk::graph
