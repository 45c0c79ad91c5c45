// Inside of Store, for the sources of graph/ only.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/snapshot.h"
#include "graph/store/rocks.h"
#include "kgwalk/store.h"

namespace kgwalk::graph {

// Name of the blob of values (kgwalk/values.h).
inline constexpr std::string_view kValuesBlob = "graph/values";

// The file that says "whole, and of this schema": written last, read first.
inline constexpr const char* kMarkerFile = "KGWALK";
inline constexpr const char* kMetaKey = "meta";
// The snapshot (runtime/sealed_file.h over graph/snapshot.h); that of a compaction has the number of its last
// edit behind the name, "SNAPSHOT.7". Its tag is the graph's checksum.
inline constexpr const char* kSnapshotFile = "SNAPSHOT";
inline constexpr int kOldestSchema = 1;  // its snapshot is a blob
// Edits, in the family of the meta record: this and the number, 8 bytes, big-endian.
inline constexpr std::string_view kEditPrefix = "edit/";
// The number of the last edit as text, for those that watch. It is written first: who sees it looks into the
// database until the edit is there, so none is missed when its writer dies.
inline constexpr const char* kNoticeFile = "EDITED";
[[nodiscard]] std::string edit_key(std::uint64_t number);
// While an ingestion runs, what it was asked for, [[name, value], ...] as in a Remedy; beside DB, in
// DB.ingesting.
inline constexpr const char* kRequestFile = "REQUEST";
// The sorted file of a value being put, until the database takes it in.
inline constexpr const char* kPutFile = "put.sst.tmp";
[[nodiscard]] std::filesystem::path ingesting_path(const std::filesystem::path& database);

// Bytes under a name in the family `tables`, cut into pieces of kPieceBytes.
inline constexpr std::size_t kPieceBytes = 1 << 20;
enum class StoredKind : char { kTable = 't', kBlob = 'b' };

[[nodiscard]] std::string header_key(StoredKind kind, std::string_view name);
[[nodiscard]] std::string piece_prefix(StoredKind kind, std::string_view name);
[[nodiscard]] std::string piece_key(StoredKind kind, std::string_view name, std::uint32_t generation,
                                    std::uint32_t piece);
// A piece as stored: its bytes and then their XXH3 (8 bytes, little-endian).
[[nodiscard]] std::string sealed_piece(std::string_view bytes);
// {"bytes", "pieces", "generation", "meta"} and, for tables, "rows" and "columns".
[[nodiscard]] Json value_header(std::size_t bytes, std::uint32_t generation, const Json& meta);
[[nodiscard]] std::size_t num_pieces(std::size_t bytes);

// Keys of the other families.
[[nodiscard]] std::string split_prefix(std::string_view split);
[[nodiscard]] std::string dialogue_key(std::string_view split, std::uint32_t index);

// The base that a compaction left: edits up to `edit` are in it. Its blobs have names of their own, so that
// the meta record alone says which base counts.
struct Compaction {
  std::uint64_t edit = 0;              // 0: the base is what ingestion made
  BaseSize ingested = {};              // sizes of what ingestion made
  std::vector<EntityId> renamed = {};  // as GraphAccess::renamed()
  // Entities that were merged, each into another: their texts lie apart still, so that a merge is taken back.
  std::map<EntityId, EntityId> joined = {};
};

// An edit as stored: {"author", "time", ...} and encode_changes() of what it does.
struct StoredEdit {
  Json header;
  std::string changes;
};

// The texts of a base that all edits are part of.
struct CompactedTexts {
  std::string values;  // empty: none
  std::map<EntityId, EntityId> joined;
};
[[nodiscard]] CompactedTexts compacted_texts(const Store& store);

struct Store::Impl {
  std::filesystem::path path;
  Mode mode = Mode::kReadOnly;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  std::unique_ptr<rocksdb::DB> db;
  Json meta;
  std::shared_ptr<const SealedFile> snapshot;  // none in databases of schema 1

  ~Impl();
  [[nodiscard]] rocksdb::ColumnFamilyHandle* family(Family which) const {
    return handles[static_cast<std::size_t>(which)];
  }
  void open(const std::filesystem::path& where, Mode how);
  [[nodiscard]] std::optional<std::string> get(Family which, std::string_view key) const;
  [[nodiscard]] std::optional<Json> header(StoredKind kind, std::string_view name) const;
  // Fills `out` with the value the header describes.
  void read_pieces(StoredKind kind, std::string_view name, const Json& header, char* out) const;
  void put_value(StoredKind kind, std::string_view name, std::string_view bytes, Json header_fields);
  void remove_value(StoredKind kind, std::string_view name);
  [[nodiscard]] std::vector<std::string> value_names(StoredKind kind) const;
  void need_write() const;
  // The notice is as the log has it, whatever a writer left that died.
  void mend_notice() const;
  // 0 when there is none. edit(): one from 1 to the last; StoreError when it is damaged.
  [[nodiscard]] std::uint64_t last_edit() const;
  [[nodiscard]] StoredEdit edit(std::uint64_t number) const;
  // Whole, or not at all, whatever happens meanwhile.
  void put_edit(const StoredEdit& edit);
  [[nodiscard]] KnowledgeGraph load_snapshot() const;
  // What the edits behind compaction().edit lie over; those before are kept for log and undo alone.
  [[nodiscard]] KnowledgeGraph load_base() const;
  [[nodiscard]] Compaction compaction() const;
  // What a blob of the graph is called now: "graph/details", or "graph/details/7" once edit 7 is in the base;
  // and the file of the snapshot.
  [[nodiscard]] std::string graph_blob(std::string_view name) const;
  [[nodiscard]] std::string snapshot_name() const;
  // Takes these in place of the base, and `log` in place of the records 1 to its size: whole or not at all.
  void put_base(const KnowledgeGraph& graph, const CompactedTexts& texts, std::span<const StoredEdit> log);

 private:
  [[nodiscard]] rocksdb::Status open_once();
  void read_meta();
  void drop_old_bases();
  [[nodiscard]] bool map_snapshot();  // false: the file is not there
  void close();
  void flush() const;
  void drop_pieces_except(StoredKind kind, std::string_view name, std::optional<std::uint32_t> kept);
};

// Writes kMarkerFile.
void write_marker(const std::filesystem::path& folder, int schema = kSchemaVersion);
// IoError when the disk refuses.
void write_snapshot(const KnowledgeGraph& graph, const std::filesystem::path& file);

// Writes kNoticeFile.
void write_notice(const std::filesystem::path& folder, std::uint64_t edit);
// The number in the notice; 0 when there is none.
[[nodiscard]] std::uint64_t noticed_edit(const std::filesystem::path& database);

// What the rooms of graph/ may reach.
struct StoreAccess {
  using Impl = Store::Impl;
  [[nodiscard]] static Store::Impl& impl(const Store& store) noexcept { return *store.impl_; }
};

}  // namespace kgwalk::graph
