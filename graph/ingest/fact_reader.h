// Reads files of triples in every format, and lists of names, into a graph builder.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "graph/graph_builder.h"
#include "graph/ingest/formats/id_map.h"
#include "graph/ingest/formats/input_bytes.h"
#include "graph/ingest/source_files.h"
#include "graph/ingest/statements.h"

namespace kgwalk::graph {

class FactReader {
 public:
  FactReader(const IngestOptions& options, SourceFiles& files, IngestReport& report);

  // All of the options' files, in the order that gives entities with facts the low ids.
  void read_all(const StopFlag& stop);
  [[nodiscard]] GraphBuilder& builder() noexcept { return builder_; }
  [[nodiscard]] Values values() const { return statements_.give_values(builder_); }

 private:
  struct Fields {
    std::string_view head, relation, tail;
  };

  void read_id_maps(const StopFlag& stop);
  void read_triples(const std::filesystem::path& file);
  void read_plain(const OpenSource& source);
  void read_table(const OpenSource& source, InputFormat format);
  void read_statements(const OpenSource& source, InputFormat format, const std::filesystem::path& file);
  void read_names(const std::filesystem::path& file, FileKind kind);
  void read_annotation_only();
  [[nodiscard]] bool list_has_empty_name(const StopFlag& stop) const;

  [[nodiscard]] InputFormat format_of_file(const std::filesystem::path& file) const;
  // False, and the reason logged, when the line is no fact; all three names are checked before any is taken.
  [[nodiscard]] bool split_triple(std::string_view line, std::size_t number, ProblemLog& log,
                                  Fields& out) const;
  [[nodiscard]] bool names_are_good(const Fields& fields, std::size_t line, ProblemLog& log) const;
  [[nodiscard]] bool look_up_ids(Fields& fields, std::size_t line, ProblemLog& log) const;
  void add(const Fields& fields, FileReport& counts);

  const IngestOptions& options_;
  SourceFiles& files_;
  IngestReport& report_;
  GraphBuilder builder_;
  Statements statements_;
  std::unique_ptr<InputBytes> entity_bytes_, relation_bytes_;
  std::unique_ptr<IdMap> entity_ids_, relation_ids_;
  std::size_t num_rdf_files_ = 0;
  bool listed_empty_name_ = false;
};

}  // namespace kgwalk::graph
