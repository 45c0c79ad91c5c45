// Reads all files that say what is in a graph, in the order that gives entities with facts the low ids.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

#include "graph/details.h"
#include "graph/graph_builder.h"
#include "graph/ingest/formats/id_map.h"
#include "graph/ingest/input_text.h"
#include "graph/ingest/source_files.h"
#include "graph/ingest/statements.h"
#include "runtime/input_bytes.h"

namespace kgwalk::graph {

class TableReader;
class TableSet;

class FactReader {
 public:
  // All must outlive the object.
  FactReader(const IngestOptions& options, SourceFiles& files, IngestReport& report);

  void read_all(const StopFlag& stop);
  [[nodiscard]] GraphBuilder& builder() noexcept { return statements_.builder(); }
  [[nodiscard]] Values values() const { return statements_.give_values(); }
  // What the files said beside names and edges, of the graph that the builder made.
  void give_details(DetailsMaker& maker) const { statements_.give_details(maker); }
  [[nodiscard]] std::size_t num_told_apart() const noexcept { return statements_.num_told_apart(); }

 private:
  // A file of statements: what it held is added to the report. Gives the number of statements and bad lines.
  std::size_t read_statements(const std::filesystem::path& file, FileKind kind,
                              const std::function<void(const InputText&, StatementSink&)>& read,
                              const OpenedBytes* bytes = nullptr);
  void count(const FileReport& counts);
  // `bytes`: of a file that is open already, or null.
  void read_graph_file(const std::filesystem::path& file, const InputBytes* bytes, const ObjectPlan& objects);
  void read_sparql(const StopFlag& stop);
  void read_tables(const TableSet& tables, TableReader& reader);
  void read_id_maps(const StopFlag& stop);
  // The table of entities; false when `entities` is a list of names.
  bool read_entities_if_table(const StopFlag& stop);
  void read_names(const std::filesystem::path& file, FileKind kind);
  void read_annotation_only();
  [[nodiscard]] bool list_has_empty_name(const StopFlag& stop) const;

  const IngestOptions& options_;
  SourceFiles& files_;
  IngestReport& report_;
  Statements statements_;
  std::unique_ptr<InputBytes> entity_bytes_, relation_bytes_;
  std::unique_ptr<IdMap> entity_ids_, relation_ids_;
  bool names_are_ids_ = false;
  std::size_t num_blank_files_ = 0;  // that may have blank nodes
};

}  // namespace kgwalk::graph
