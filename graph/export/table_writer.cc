// Facts as lines: triples between tabs, and csv with a header.
#include <string>

#include "graph/export/graph_text.h"
#include "graph/export/writer.h"
#include "kgwalk/error.h"

namespace kgwalk::graph {
namespace {

class TriplesWriter final : public GraphWriter {
 public:
  using GraphWriter::GraphWriter;
  void fact(EntityId head, std::uint64_t number) override {
    const Edge& edge = job_.graph.edge(number);
    const std::string_view names[3] = {job_.graph.entity_name(head), job_.graph.relation_name(edge.relation),
                                       job_.graph.entity_name(edge.tail)};
    std::string line;
    for (const std::string_view name : names) {
      if (name.find_first_of("\t\n\r") != std::string_view::npos)
        throw ConfigError("the name '" + std::string(name) + "' has a tab or line feed; export csv instead");
      (line += name) += '\t';
    }
    line.back() = '\n';
    job_.file.write(line);
  }
};

class CsvWriter final : public GraphWriter {
 public:
  using GraphWriter::GraphWriter;
  void begin() override {
    job_.file.write("head,relation,tail");
    if (job_.details.has_ids()) job_.file.write(",head_id,tail_id");
    if (job_.details.has_weights()) job_.file.write(",weight");
    if (job_.details.has_sources()) job_.file.write(",source");
    job_.file.write("\n");
  }
  void fact(EntityId head, std::uint64_t number) override {
    for (const std::string_view source : sources(number)) row(head, number, source);
  }

 private:
  void row(EntityId head, std::uint64_t number, std::string_view source) {
    const Edge& edge = job_.graph.edge(number);
    std::string line = csv_field(name_of(head)) + ',' + csv_field(job_.graph.relation_name(edge.relation)) +
                       ',' + csv_field(name_of(edge.tail));
    if (job_.details.has_ids())
      (line += ',') += csv_field(job_.details.id(head)) + ',' + csv_field(job_.details.id(edge.tail));
    if (job_.details.has_weights()) {
      const auto weight = job_.details.given_weight(number);
      (line += ',') += weight ? number_text(*weight) : "";
    }
    if (job_.details.has_sources()) (line += ',') += csv_field(source);
    job_.file.write(line += '\n');
  }

  // The ids tell entities of one name apart: the name that the source gave.
  [[nodiscard]] std::string_view name_of(EntityId id) const {
    const std::string_view label = job_.details.id(id).empty() ? std::string_view() : job_.details.label(id);
    return label.empty() ? job_.graph.entity_name(id) : label;
  }
};

}  // namespace

std::unique_ptr<GraphWriter> make_triples_writer(const ExportJob& job) {
  return std::make_unique<TriplesWriter>(job);
}

std::unique_ptr<GraphWriter> make_csv_writer(const ExportJob& job) {
  return std::make_unique<CsvWriter>(job);
}

}  // namespace kgwalk::graph
