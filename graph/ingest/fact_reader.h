// Reads files of triples in every format, and lists of names, into a graph builder.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/details.h"
#include "graph/graph_builder.h"
#include "graph/ingest/formats/id_map.h"
#include "graph/ingest/formats/input_bytes.h"
#include "graph/ingest/formats/table_reader.h"
#include "graph/ingest/source_files.h"
#include "graph/ingest/statements.h"

namespace kgwalk::graph {

class FactReader {
 public:
  FactReader(const IngestOptions& options, SourceFiles& files, IngestReport& report);

  // All of the options' files, in the order that gives entities with facts the low ids.
  void read_all(const StopFlag& stop);
  [[nodiscard]] GraphBuilder& builder() noexcept { return builder_; }
  [[nodiscard]] Values values() const { return statements_.give_values(); }
  // What the files said beside names and edges, of the graph that the builder made.
  void give_details(DetailsMaker& maker) const;
  [[nodiscard]] std::size_t num_told_apart() const noexcept { return statements_.num_told_apart(); }

 private:
  struct Fields {
    std::string_view head, relation, tail;
    std::string_view head_id = {}, tail_id = {}, source = {};
    std::optional<float> weight = {};
  };
  struct NotedFact {  // one with a weight or source
    Triple triple;
    std::optional<float> weight;
    std::uint32_t source;  // place in noted_sources_
  };

  void read_id_maps(const StopFlag& stop);
  void read_triples(const std::filesystem::path& file);
  void read_plain(const OpenSource& source);
  void read_table(const OpenSource& source, InputFormat format);
  void read_statements(const OpenSource& source, InputFormat format, const std::filesystem::path& file);
  void read_names(const std::filesystem::path& file, FileKind kind);
  // The table of entities; false when `entities` is a list of names.
  bool read_entities_if_table(const StopFlag& stop);
  void read_annotation_only();
  [[nodiscard]] bool list_has_empty_name(const StopFlag& stop) const;

  [[nodiscard]] InputFormat format_of_file(const std::filesystem::path& file) const;
  // False, and the reason logged, when the line is no fact; all three names are checked before any is taken.
  [[nodiscard]] bool split_triple(std::string_view line, std::size_t number, ProblemLog& log,
                                  Fields& out) const;
  [[nodiscard]] bool names_are_good(const Fields& fields, std::size_t line, ProblemLog& log) const;
  [[nodiscard]] bool look_up_ids(Fields& fields, std::size_t line, ProblemLog& log) const;
  // Whether the optional fields of a row can be used; fills them in.
  [[nodiscard]] bool take_more(const std::vector<std::string>& row, const MoreColumns& columns,
                               std::size_t line, ProblemLog& log, Fields& fields) const;
  // A fact of a table or of triples: checked, and taken where it is good.
  void take(Fields& fields, std::size_t line, const OpenSource& source);
  void take_statement(const Fields& fields, std::size_t line, const OpenSource& source);
  void add(const Fields& fields, FileReport& counts);

  const IngestOptions& options_;
  SourceFiles& files_;
  IngestReport& report_;
  GraphBuilder builder_;
  Statements statements_;
  std::unique_ptr<InputBytes> entity_bytes_, relation_bytes_;
  std::unique_ptr<IdMap> entity_ids_, relation_ids_;
  // How triples and tables name entities: by ids of a table of entities, through it by names, or directly.
  enum class Naming { kDirect, kByNames, kByIds };
  Naming naming_ = Naming::kDirect;
  std::vector<NotedFact> noted_;
  StringSet noted_sources_;
  std::size_t num_rdf_files_ = 0;
  bool listed_empty_name_ = false;
};

}  // namespace kgwalk::graph
