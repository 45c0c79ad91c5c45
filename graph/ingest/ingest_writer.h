// Writes a new database beside its final place and moves it there whole. For ingestion only.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "graph/store/store_impl.h"
#include "kgwalk/dialogue.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/values.h"

namespace kgwalk::graph {

// Works in DB.ingesting, locked against a second ingestion. Until finish() returns, DB is what it was before.
// When the object is destroyed unfinished the folder is removed; when the process dies the folder stays,
// Store::open refuses it and the next ingestion clears it.
class IngestWriter {
 public:
  // StoreError when DB exists and `replace` is not set, when it is in use by a writer, or when another
  // ingestion into it runs. `request` goes into DB.ingesting/REQUEST.
  IngestWriter(std::filesystem::path database, bool replace, const Json& request);
  ~IngestWriter();
  IngestWriter(const IngestWriter&) = delete;
  IngestWriter& operator=(const IngestWriter&) = delete;

  using Splits = std::map<std::string, std::vector<Dialogue>>;
  // DB.ingesting: what is left there is gone with the object, or cleared by the next ingestion.
  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }
  // Writes everything but the snapshot of the graph, which is in folder() already; `meta` gets schema,
  // graph_checksum and splits added. Empty values leave nothing.
  void write(const KnowledgeGraph& graph, const Values& values, const Splits& splits, Json meta);
  // Syncs, marks as whole, moves into place.
  void finish();

 private:
  void lock_folder();
  void move_into_place();

  std::filesystem::path database_;
  std::filesystem::path folder_;
  int folder_fd_ = -1;
  bool finished_ = false;
};

}  // namespace kgwalk::graph
