#include "kgwalk/export.h"

#include <optional>

#include "graph/export/graph_text.h"
#include "kgwalk/error.h"
#include "kgwalk/values.h"
#include "runtime/atomic_file.h"

namespace kgwalk::graph {
namespace {

constexpr const char* kLabelIri = "<http://www.w3.org/2000/01/rdf-schema#label>";

// One file on its way; each format says how a graph begins, ends, and what a node and a fact look like.
class Exporter {
 public:
  Exporter(const Store& store, const std::filesystem::path& path, const GraphExportOptions& options)
      : graph_(store.load_graph()), values_(Values::load(store)), options_(options), file_(path) {
    if (options.format == GraphFormat::kNQuads)
      end_ = " <" + (options.graph_iri.empty() ? options.base + "graph" : options.graph_iri) + "> .\n";
  }

  GraphExportReport run(Reporter& reporter, const StopFlag& stop) {
    const auto progress = reporter.start("exporting", graph_.num_entities(), "entities");
    begin();
    for (EntityId head = 0; head < graph_.num_entities(); ++head) {
      if (stop.requested()) throw Stopped("the export was stopped; nothing was written");
      node(head);
      progress->add(1);
    }
    if (is_rdf()) label_relations();
    for (EntityId head = 0; head < graph_.num_connected(); ++head)
      for (const Edge& edge : graph_.out_edges(head))
        if (!graph_.relation_name(edge.relation).starts_with('~')) fact(head, edge);
    if (options_.format == GraphFormat::kGraphMl) file_.write("  </graph>\n</graphml>\n");
    file_.commit();
    return report_;
  }

 private:
  [[nodiscard]] bool is_rdf() const {
    return options_.format == GraphFormat::kNTriples || options_.format == GraphFormat::kNQuads;
  }

  void begin() {
    if (options_.format == GraphFormat::kCsv) file_.write("head,relation,tail\n");
    if (options_.format == GraphFormat::kGraphMl)
      file_.write(
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml "
          "xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
          "  <key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n"
          "  <key id=\"relation\" for=\"edge\" attr.name=\"relation\" attr.type=\"string\"/>\n"
          "  <graph id=\"kg\" edgedefault=\"directed\">\n");
  }

  void node(EntityId id) {
    ++report_.entities;
    const std::string_view name = graph_.entity_name(id);
    if (options_.format == GraphFormat::kGraphMl)
      file_.write("    <node id=\"n" + std::to_string(id) + "\"><data key=\"name\">" + xml_text(name) +
                  "</data></node>\n");
    if (!is_rdf()) return;
    statement(entity_iri(id), kLabelIri, ntriples_literal(name, {}, {}));
    if (!values_) return;
    for (const Value& value : values_->of(id)) {
      statement(entity_iri(id), relation_iri(value.name),
                ntriples_literal(value.text, value.language, value.datatype));
      ++report_.values;
    }
  }

  void label_relations() {
    for (RelationId id = 0; id < graph_.num_relations(); ++id)
      if (const std::string_view name = graph_.relation_name(id); !name.starts_with('~'))
        statement(relation_iri(name), kLabelIri, ntriples_literal(name, {}, {}));
  }

  void fact(EntityId head, const Edge& edge) {
    ++report_.facts;
    const std::string_view names[3] = {graph_.entity_name(head), graph_.relation_name(edge.relation),
                                       graph_.entity_name(edge.tail)};
    if (is_rdf()) return statement(entity_iri(head), relation_iri(names[1]), entity_iri(edge.tail));
    if (options_.format == GraphFormat::kGraphMl)
      return file_.write("    <edge source=\"n" + std::to_string(head) + "\" target=\"n" +
                         std::to_string(edge.tail) + "\"><data key=\"relation\">" + xml_text(names[1]) +
                         "</data></edge>\n");
    const bool csv = options_.format == GraphFormat::kCsv;
    std::string line;
    for (const std::string_view& name : names) {
      if (&name != names) line += csv ? ',' : '\t';
      if (!csv && name.find_first_of("\t\n\r") != std::string_view::npos)
        throw ConfigError("the name '" + std::string(name) + "' has a tab or line feed; export csv instead");
      line += csv ? csv_field(name) : std::string(name);
    }
    file_.write(line += '\n');
  }

  void statement(const std::string& subject, const std::string& predicate, const std::string& object) {
    file_.write(subject + ' ' + predicate + ' ' + object + end_);
  }
  [[nodiscard]] std::string entity_iri(EntityId id) const {
    return '<' + options_.base + "entity/" + percent_coded(graph_.entity_name(id)) + '>';
  }
  [[nodiscard]] std::string relation_iri(std::string_view name) const {
    return '<' + options_.base + "relation/" + percent_coded(name) + '>';
  }

  KnowledgeGraph graph_;
  std::optional<Values> values_;
  const GraphExportOptions& options_;
  AtomicFile file_;
  std::string end_ = " .\n";
  GraphExportReport report_;
};

}  // namespace

GraphExportReport export_graph(const Store& store, const std::filesystem::path& file,
                               const GraphExportOptions& options, Reporter& reporter, const StopFlag& stop) {
  return Exporter(store, file, options).run(reporter, stop);
}

}  // namespace kgwalk::graph
