// A directed graph of GraphML.
#include <string>
#include <utility>

#include "graph/export/graph_text.h"
#include "graph/export/writer.h"
#include "graph/ingest/iri_names.h"

namespace kgwalk::graph {
namespace {

std::string data(const char* key, std::string_view text) {
  return std::string("<data key=\"") + key + "\">" + xml_text(text) + "</data>";
}

class GraphMlWriter final : public GraphWriter {
 public:
  using GraphWriter::GraphWriter;

  void begin() override {
    job_.file.write(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml "
        "xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
    key("name", "node", "string");
    if (job_.details.has_ids()) key("id", "node", "string");
    key("relation", "edge", "string");
    if (has_relation_ids_) key("relation_id", "edge", "string");
    if (job_.values) key("literal", "edge", "string");
    if (job_.details.has_weights()) key("weight", "edge", "double");
    if (job_.details.has_sources()) key("source", "edge", "string");
    job_.file.write("  <graph id=\"kg\" edgedefault=\"directed\">\n");
  }

  void node(EntityId id) override {
    const std::string_view given = job_.details.id(id);
    job_.file.write("    <node id=\"n" + std::to_string(id) + "\">" + data("name", entity_name(job_, id)) +
                    (given.empty() ? std::string() : data("id", given)) + "</node>\n");
  }

  void fact(EntityId head, std::uint64_t number) override {
    const Edge& edge = job_.graph.edge(number);
    const std::vector<Value>& written = spellings(head, edge);
    for (const Value& value : written)
      write_edge(head, number, literal_text(value.text, value.language, value.datatype), value.source);
    if (!written.empty()) return;
    std::string all;
    bool is_first = true;  // an empty one stands for the fact without a source
    for (const std::string_view source : sources(number))
      all.append(std::exchange(is_first, false) ? "" : "; ").append(source);
    write_edge(head, number, {}, all);
  }

  void end() override { job_.file.write("  </graph>\n</graphml>\n"); }

 private:
  // `literal`: how the fact writes its tail, where that has several spellings.
  void write_edge(EntityId head, std::uint64_t number, std::string_view literal, std::string_view sources) {
    const Edge& edge = job_.graph.edge(number);
    std::string line = "    <edge source=\"n" + std::to_string(head) + "\" target=\"n" +
                       std::to_string(edge.tail) + "\">" +
                       data("relation", relation_name(job_, edge.relation));
    if (const std::string_view id = job_.details.relation_id(edge.relation); !id.empty())
      line += data("relation_id", id);
    if (!literal.empty()) line += data("literal", literal);
    if (const auto weight = job_.details.given_weight(number)) line += data("weight", number_text(*weight));
    if (!sources.empty()) line += data("source", sources);
    job_.file.write(line += "</edge>\n");
  }

  void key(const char* name, const char* of, const char* type) {
    job_.file.write(std::string("  <key id=\"") + name + "\" for=\"" + of + "\" attr.name=\"" + name +
                    "\" attr.type=\"" + type + "\"/>\n");
  }

  bool has_relation_ids_ = has_relation_ids();
};

}  // namespace

std::unique_ptr<GraphWriter> make_graphml_writer(const ExportJob& job) {
  return std::make_unique<GraphMlWriter>(job);
}

}  // namespace kgwalk::graph
