// The database of one knowledge graph: RocksDB with column families for names, adjacency, dialogues,
// tables and meta.
//
// Ingestion is atomic: a crash at any point leaves either the whole database or one that open() refuses with
// what to do. One process may write; many may read. Layout: docs/reference/formats/graph.md.
//
// Thread-safe for reading; put_ and remove_ calls need a store opened for writing (StoreError otherwise), one
// at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/dialogue.h"
#include "kgwalk/graph_types.h"
#include "kgwalk/json.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::graph {

inline constexpr int kSchemaVersion = 1;

// A dense row-major float32 table with a json description (what made it, seed, graph checksum, losses).
struct Table {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<float> values;  // [rows, columns]
  Json meta = Json::object();
};

class Store {
 public:
  enum class Mode { kReadOnly, kReadWrite };

  // StoreError when there is no database, it is half ingested, locked by another writer, damaged or of
  // another schema version; the message says what to do.
  [[nodiscard]] static Store open(const std::filesystem::path& path, Mode mode);

  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  [[nodiscard]] const std::filesystem::path& path() const;
  // {"schema", "counts": {...}, "sources": {file: checksum}, "graph_checksum", ...}
  [[nodiscard]] Json meta() const;
  [[nodiscard]] std::string graph_checksum() const;

  // The graph in memory, from the snapshot that ingestion stored; StoreError when it is missing or damaged.
  [[nodiscard]] KnowledgeGraph load_graph() const;

  // Dialogues of the split `name` in file order; StoreError names the splits there are when it is unknown.
  [[nodiscard]] std::vector<Dialogue> dialogues(std::string_view split) const;
  [[nodiscard]] std::vector<std::string> splits() const;

  // Tables, e.g. "transe/384/entities". Large ones are cut into pieces; put is atomic and checksummed, a
  // damaged piece is a StoreError. get returns nullopt when there is no such table.
  void put_table(std::string_view name, std::span<const float> values, std::int64_t columns,
                 const Json& meta);
  [[nodiscard]] std::optional<Table> get_table(std::string_view name) const;
  [[nodiscard]] std::optional<Json> table_meta(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> table_names() const;
  void remove_table(std::string_view name);

  // Opaque byte values under a name (indexes, cached text states); same guarantees as tables.
  void put_blob(std::string_view name, std::string_view bytes, const Json& meta);
  [[nodiscard]] std::optional<std::string> get_blob(std::string_view name) const;
  [[nodiscard]] std::optional<Json> blob_meta(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> blob_names() const;
  void remove_blob(std::string_view name);

  // Out-edges of one entity read from the database itself, without a snapshot in memory; empty for
  // an unknown id.
  [[nodiscard]] std::vector<Edge> read_edges(EntityId entity) const;
  // The entity under this name (compared as KnowledgeGraph::find_entity does), without a snapshot in memory.
  [[nodiscard]] std::optional<EntityId> read_entity(std::string_view name) const;

  // Reads every value and compares checksums; the first damage is a StoreError. For `kgwalk doctor`.
  void verify() const;

 private:
  friend struct StoreAccess;  // the loader and the ingestion
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace kgwalk::graph
