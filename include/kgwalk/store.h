// The database of one knowledge graph: a folder (RocksDB) with names, edges, dialogues and the tables made
// from them, and beside them the snapshot of the graph, which is mapped into memory.
//
// Example:
//   using kgwalk::graph::Store;
//   Store store = Store::open("kg.db", Store::Mode::kReadWrite);
//   const auto graph = store.load_graph();
//   const std::vector<float> degrees(graph.num_entities(), 1.0F);
//   store.put_table("my/degrees", degrees, 1, {{"graph_checksum", graph.checksum()}});
//   if (const auto table = store.get_table("my/degrees")) std::cout << table->rows << " rows\n";
//   for (const std::string& split : store.splits())
//     std::cout << split << ": " << store.dialogues(split).size() << " dialogues\n";
//
// A database is made by kgwalk/ingest.h, which is atomic: a crash at any point leaves either the whole
// database or one that open() refuses. Graph and dialogues never change afterwards; tables and blobs may be
// added, replaced and removed. Layout: docs/reference/formats/graph.md.
//
// Processes: one may have a database open for writing, any number for reading at the same time. A reader sees
// what was there when it opened.
//
// Threads: const functions may be called from any number of threads. put_ and remove_ need a store opened for
// writing (StoreError otherwise) and may run beside readers, but one at a time.
//
// Errors: every function throws StoreError when what it reads is damaged (all values are checksummed) and
// IoError when the system refuses (disk full, permission). Opening throws BusyError (busy_error.h) where
// another process writes, for writing at once, for reading where the files change at each of many tries. What
// is not there is std::nullopt or empty, no error, unless said.
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

// The version of databases that this program writes; it reads those of version 1 too, and open() refuses
// others.
inline constexpr int kSchemaVersion = 2;

// A dense row-major float32 table.
struct Table {
  std::int64_t rows = 0;       // 0 or more
  std::int64_t columns = 0;    // 1 or more
  std::vector<float> values;   // [rows, columns]
  Json meta = Json::object();  // what made it, seed, graph checksum, losses: whatever put_table() was given
};

class Store {
 public:
  enum class Mode { kReadOnly, kReadWrite };

  // path: the folder. kReadOnly never writes into it; kReadWrite locks it against other writers until the
  // store is destroyed.
  //
  // StoreError when there is no database, it is half ingested, locked by another writer, damaged or of
  // another schema version.
  [[nodiscard]] static Store open(const std::filesystem::path& path, Mode mode);

  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  [[nodiscard]] const std::filesystem::path& path() const;  // as open() was given it
  // What ingestion noted: {"schema", "counts": {...}, "sources": {file: checksum}, "graph_checksum", ...}
  [[nodiscard]] Json meta() const;
  [[nodiscard]] std::string graph_checksum() const;  // KnowledgeGraph::checksum() of its graph

  // The graph over the snapshot that ingestion stored: mapped, in milliseconds whatever its size. Where the
  // database has edits that no compaction took in, or is of schema 1, the graph is made in memory. It does
  // not depend on the store, which may be closed.
  [[nodiscard]] KnowledgeGraph load_graph() const;

  // Dialogues of a split ("train", "dev", ...) in file order. StoreError when there is no such split; it
  // names those there are.
  [[nodiscard]] std::vector<Dialogue> dialogues(std::string_view split) const;
  [[nodiscard]] std::vector<std::string> splits() const;  // ascending; empty when no dialogues were ingested

  // Tables under a name, e.g. "transe/384/entities". A name is not empty and without NUL bytes.
  //
  // put_table() replaces what the name held. It is atomic: after a crash the old or the new table is there,
  // whole. values: [rows, columns], row-major; their number must be a multiple of `columns` (StoreError),
  // which is 1 or more. meta: any json object, kept beside it; keep the graph's checksum there where rows
  // follow its ids.
  //
  // remove_table() does nothing when there is no such table. table_names() is ascending.
  void put_table(std::string_view name, std::span<const float> values, std::int64_t columns,
                 const Json& meta);
  [[nodiscard]] std::optional<Table> get_table(std::string_view name) const;
  [[nodiscard]] std::optional<Json> table_meta(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> table_names() const;
  void remove_table(std::string_view name);

  // Opaque byte values under a name (indexes, cached text states), with the guarantees of tables. The graph's
  // own details are one: they can be read, but writing or removing them is a StoreError.
  void put_blob(std::string_view name, std::string_view bytes, const Json& meta);
  [[nodiscard]] std::optional<std::string> get_blob(std::string_view name) const;
  [[nodiscard]] std::optional<Json> blob_meta(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> blob_names() const;
  void remove_blob(std::string_view name);

  // For a look at few entities, without the whole graph in memory: a disk access each.
  // The out-edges of an entity in the order of KnowledgeGraph::out_edges(); empty for an unknown id.
  [[nodiscard]] std::vector<Edge> read_edges(EntityId entity) const;
  // The entity under this name, compared as KnowledgeGraph::find_entity() does; nullopt when there is none.
  [[nodiscard]] std::optional<EntityId> read_entity(std::string_view name) const;

  // Reads every value and compares checksums; the first damage is a StoreError. Takes as long as reading the
  // folder.
  void verify() const;

 private:
  friend struct StoreAccess;  // the loader and the ingestion
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace kgwalk::graph
