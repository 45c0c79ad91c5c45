// A directed graph of GraphML.
#include <string>

#include "graph/export/graph_text.h"
#include "graph/export/writer.h"

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
    if (job_.details.has_weights()) key("weight", "edge", "double");
    if (job_.details.has_sources()) key("source", "edge", "string");
    job_.file.write("  <graph id=\"kg\" edgedefault=\"directed\">\n");
  }

  void node(EntityId id) override {
    const std::string_view given = job_.details.id(id);
    job_.file.write("    <node id=\"n" + std::to_string(id) + "\">" +
                    data("name", job_.graph.entity_name(id)) +
                    (given.empty() ? std::string() : data("id", given)) + "</node>\n");
  }

  void fact(EntityId head, std::uint64_t number) override {
    const Edge& edge = job_.graph.edge(number);
    std::string line = "    <edge source=\"n" + std::to_string(head) + "\" target=\"n" +
                       std::to_string(edge.tail) + "\">" +
                       data("relation", job_.graph.relation_name(edge.relation));
    if (const auto weight = job_.details.given_weight(number)) line += data("weight", number_text(*weight));
    std::string all;
    for (const std::string_view source : job_.details.sources(number))
      all.append(all.empty() ? "" : "; ").append(source);
    if (!all.empty()) line += data("source", all);
    job_.file.write(line += "</edge>\n");
  }

  void end() override { job_.file.write("  </graph>\n</graphml>\n"); }

 private:
  void key(const char* name, const char* of, const char* type) {
    job_.file.write(std::string("  <key id=\"") + name + "\" for=\"" + of + "\" attr.name=\"" + name +
                    "\" attr.type=\"" + type + "\"/>\n");
  }
};

}  // namespace

std::unique_ptr<GraphWriter> make_graphml_writer(const ExportJob& job) {
  return std::make_unique<GraphMlWriter>(job);
}

}  // namespace kgwalk::graph
