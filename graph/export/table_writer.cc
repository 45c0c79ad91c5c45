// Facts as lines: triples between tabs, and csv with a header.
#include <string>

#include "graph/export/graph_text.h"
#include "graph/export/writer.h"
#include "graph/ingest/iri_names.h"
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
    if (has_relation_ids_) job_.file.write(",relation_id");
    if (job_.details.has_weights()) job_.file.write(",weight");
    if (job_.details.has_sources()) job_.file.write(",source");
    job_.file.write("\n");
  }
  void fact(EntityId head, std::uint64_t number) override {
    const EntityId tail = job_.graph.edge(number).tail;
    const std::vector<Value>& written = spellings(head, job_.graph.edge(number));
    for (const Value& value : written)
      row(head, number, value.text, literal_text(value.text, value.language, value.datatype), value.source);
    if (!written.empty()) return;
    for (const std::string_view source : sources(number))
      row(head, number, entity_name(job_, tail), job_.details.id(tail), source);
  }

 private:
  void row(EntityId head, std::uint64_t number, std::string_view tail, std::string_view tail_id,
           std::string_view source) {
    const RelationId relation = job_.graph.edge(number).relation;
    std::string line = csv_field(entity_name(job_, head)) + ',' + csv_field(relation_name(job_, relation)) +
                       ',' + csv_field(tail);
    if (job_.details.has_ids()) (line += ',') += csv_field(job_.details.id(head)) + ',' + csv_field(tail_id);
    if (has_relation_ids_) (line += ',') += csv_field(job_.details.relation_id(relation));
    if (job_.details.has_weights()) {
      const auto weight = job_.details.given_weight(number);
      (line += ',') += weight ? number_text(*weight) : "";
    }
    if (job_.details.has_sources()) (line += ',') += csv_field(source);
    job_.file.write(line += '\n');
  }

  bool has_relation_ids_ = has_relation_ids();
};

}  // namespace

std::unique_ptr<GraphWriter> make_triples_writer(const ExportJob& job) {
  return std::make_unique<TriplesWriter>(job);
}

std::unique_ptr<GraphWriter> make_csv_writer(const ExportJob& job) {
  return std::make_unique<CsvWriter>(job);
}

}  // namespace kgwalk::graph
