// How a graph is written: each format says what a file begins with, what a node and a fact look like, and how
// it ends.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/export.h"
#include "kgwalk/graph_details.h"
#include "kgwalk/values.h"
#include "runtime/atomic_file.h"

namespace kgwalk::graph {

// What is written, and where to. All must outlive the writer.
struct ExportJob {
  const KnowledgeGraph& graph;
  const GraphDetails& details;
  const std::optional<Values>& values;
  const GraphExportOptions& options;
  AtomicFile& file;
  GraphExportReport& report;
};

// As the source has it, without what ingestion put behind it to tell namesakes apart: their ids do that. The
// graph's own name where there is no id.
[[nodiscard]] std::string_view entity_name(const ExportJob& job, EntityId id);
[[nodiscard]] std::string relation_name(const ExportJob& job, RelationId id);

class GraphWriter {
 public:
  explicit GraphWriter(const ExportJob& job) : job_(job) {}
  virtual ~GraphWriter() = default;
  GraphWriter(const GraphWriter&) = delete;
  GraphWriter& operator=(const GraphWriter&) = delete;

  virtual void begin() {}
  virtual void node(EntityId) {}
  // Behind the nodes.
  virtual void relations() {}
  // An edge whose relation is no inverse, by its number; in ascending order.
  virtual void fact(EntityId head, std::uint64_t number) = 0;
  virtual void end() {}
  // Whether it has a place for texts and qualifiers.
  [[nodiscard]] virtual bool says_all() const { return false; }

 protected:
  // Those of a fact, and an empty one where it stands without a source too.
  [[nodiscard]] std::vector<std::string_view> sources(std::uint64_t number) const;
  // The literals of a fact as the source wrote them ("cat"@en, "Cat"), each with its source; none where the
  // tail's id is all there is. Valid until the next call.
  [[nodiscard]] const std::vector<Value>& spellings(EntityId head, const Edge& edge);
  [[nodiscard]] bool has_relation_ids() const;

  const ExportJob& job_;

 private:
  std::vector<Value> spelled_, of_fact_;
  std::optional<EntityId> spelled_of_ = {};
};

struct GraphFormatRow {
  GraphFormat format;
  std::string_view names;  // extensions and media types, words between spaces
  std::unique_ptr<GraphWriter> (*make)(const ExportJob& job);
};
[[nodiscard]] std::span<const GraphFormatRow> graph_formats() noexcept;

std::unique_ptr<GraphWriter> make_triples_writer(const ExportJob& job);
std::unique_ptr<GraphWriter> make_csv_writer(const ExportJob& job);
std::unique_ptr<GraphWriter> make_ntriples_writer(const ExportJob& job);
std::unique_ptr<GraphWriter> make_nquads_writer(const ExportJob& job);
std::unique_ptr<GraphWriter> make_jsonld_writer(const ExportJob& job);
std::unique_ptr<GraphWriter> make_graphml_writer(const ExportJob& job);

}  // namespace kgwalk::graph
