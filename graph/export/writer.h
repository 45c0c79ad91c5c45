// How a graph is written: each format says what a file begins with, what a node and a fact look like, and how
// it ends.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
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

 protected:
  // Those of a fact, and an empty one where it stands without a source too.
  [[nodiscard]] std::vector<std::string_view> sources(std::uint64_t number) const {
    std::vector<std::string_view> all = job_.details.sources(number);
    if (job_.details.without_source(number)) all.insert(all.begin(), "");
    return all;
  }
  const ExportJob& job_;
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
