#include "kgwalk/export.h"

#include <optional>
#include <vector>

#include "graph/export/graph_text.h"
#include "graph/export/rdf_terms.h"
#include "graph/ingest/iri_names.h"
#include "kgwalk/error.h"
#include "kgwalk/graph_details.h"
#include "kgwalk/values.h"
#include "runtime/atomic_file.h"

namespace kgwalk::graph {
namespace {

constexpr const char* kLabelIri = "<http://www.w3.org/2000/01/rdf-schema#label>";
constexpr const char* kCommentIri = "<http://www.w3.org/2000/01/rdf-schema#comment>";
constexpr const char* kAliasIri = "<http://www.w3.org/2004/02/skos/core#altLabel>";

// One file on its way; each format says how a graph begins, ends, and what a node and a fact look like.
class Exporter {
 public:
  Exporter(const Store& store, const std::filesystem::path& path, const GraphExportOptions& options)
      : graph_(store.load_graph()),
        details_(details(graph_)),
        values_(Values::load(store)),
        options_(options),
        terms_(graph_, options.base),
        file_(path) {
    if (options.format != GraphFormat::kNQuads) return;
    default_graph_ = options.graph_iri;
    if (default_graph_.empty() && !details_.has_sources()) default_graph_ = options.base + "graph";
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
    for (std::uint64_t edge = 0; edge < graph_.num_edges(); ++edge) fact(edge);
    if (options_.format == GraphFormat::kGraphMl) file_.write("  </graph>\n</graphml>\n");
    file_.commit();
    return report_;
  }

 private:
  [[nodiscard]] bool is_rdf() const {
    return options_.format == GraphFormat::kNTriples || options_.format == GraphFormat::kNQuads;
  }

  void begin() {
    if (options_.format == GraphFormat::kCsv) {
      file_.write("head,relation,tail");
      if (details_.has_ids()) file_.write(",head_id,tail_id");
      if (details_.has_weights()) file_.write(",weight");
      if (details_.has_sources()) file_.write(",source");
      file_.write("\n");
    }
    if (options_.format == GraphFormat::kGraphMl) begin_graphml();
  }

  void begin_graphml() {
    const auto key = [&](const char* name, const char* of, const char* type) {
      file_.write(std::string("  <key id=\"") + name + "\" for=\"" + of + "\" attr.name=\"" + name +
                  "\" attr.type=\"" + type + "\"/>\n");
    };
    file_.write(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml "
        "xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
    key("name", "node", "string");
    if (details_.has_ids()) key("id", "node", "string");
    key("relation", "edge", "string");
    if (details_.has_weights()) key("weight", "edge", "double");
    if (details_.has_sources()) key("source", "edge", "string");
    file_.write("  <graph id=\"kg\" edgedefault=\"directed\">\n");
  }

  static std::string data(const char* key, std::string_view text) {
    return std::string("<data key=\"") + key + "\">" + xml_text(text) + "</data>";
  }

  void node(EntityId id) {
    ++report_.entities;
    const std::string_view name = graph_.entity_name(id), given = details_.id(id);
    if (options_.format == GraphFormat::kGraphMl)
      file_.write("    <node id=\"n" + std::to_string(id) + "\">" + data("name", name) +
                  (given.empty() ? std::string() : data("id", given)) + "</node>\n");
    if (is_rdf() && !given.starts_with('"')) texts_of(id);
  }

  // What stands behind a name to tell it apart is no part of the source's label.
  void texts_of(EntityId id) {
    const std::string_view given = details_.id(id);
    const std::string_view told_apart = details_.label(id);
    const std::string label(told_apart.empty() ? graph_.entity_name(id) : told_apart);
    const std::string iri = terms_.entity(id);
    bool labeled =
        !given.empty() && label == (given.starts_with("_:") ? std::string(given) : entity_name_of_id(given));
    for (const ValueRole role :
         {ValueRole::kLabel, ValueRole::kAlias, ValueRole::kDescription, ValueRole::kValue})
      for (const Value& value : values_ ? values_->of(id, role) : std::vector<Value>()) {
        literal(iri, value);
        labeled = labeled || (role == ValueRole::kLabel && name_text(value.text) == label);
      }
    if (!labeled) statement(iri, kLabelIri, literal_text(label, {}, {}), "");
  }

  void literal(const std::string& subject, const Value& value) {
    if (value.role == ValueRole::kValue) ++report_.values;
    statement(subject, predicate_iri(value), literal_text(value.text, value.language, value.datatype),
              value.source);
  }

  void label_relations() {
    for (RelationId id = 0; id < graph_.num_relations(); ++id) {
      const std::string_view name = graph_.relation_name(id);
      if (name.starts_with('~')) continue;
      if (values_)
        for (const Value& value : values_->of_relation(id)) literal(terms_.relation(id), value);
      if (details_.relation_id(id).empty())
        statement(terms_.relation(id), kLabelIri, literal_text(name, {}, {}), "");
    }
  }

  void fact(std::uint64_t number) {
    while (graph_.offsets()[head_ + 1] <= number) ++head_;
    const Edge& edge = graph_.edges()[number];
    if (graph_.relation_name(edge.relation).starts_with('~')) return;
    ++report_.facts;
    std::vector<std::string_view> sources = details_.sources(number);
    if (details_.without_source(number)) sources.insert(sources.begin(), "");
    const bool has_source = options_.format == GraphFormat::kCsv || options_.format == GraphFormat::kNQuads;
    if (!has_source && options_.format != GraphFormat::kGraphMl) sources.resize(1);
    if (options_.format == GraphFormat::kGraphMl) return graphml_fact(number, sources);
    for (const std::string_view source : sources)
      is_rdf()
          ? statement(terms_.entity(head_), terms_.relation(edge.relation), terms_.entity(edge.tail), source)
          : row(number, source);
  }

  void graphml_fact(std::uint64_t number, const std::vector<std::string_view>& sources) {
    const Edge& edge = graph_.edges()[number];
    std::string line = "    <edge source=\"n" + std::to_string(head_) + "\" target=\"n" +
                       std::to_string(edge.tail) + "\">" +
                       data("relation", graph_.relation_name(edge.relation));
    if (const auto weight = details_.given_weight(number)) line += data("weight", number_text(*weight));
    std::string all;
    for (const std::string_view source : sources)
      if (!source.empty()) all.append(all.empty() ? "" : "; ").append(source);
    if (!all.empty()) line += data("source", all);
    file_.write(line += "</edge>\n");
  }

  // A fact in csv or as triples.
  void row(std::uint64_t number, std::string_view source) {
    const Edge& edge = graph_.edges()[number];
    const bool csv = options_.format == GraphFormat::kCsv;
    const std::string_view names[3] = {label_of(head_, csv), graph_.relation_name(edge.relation),
                                       label_of(edge.tail, csv)};
    std::string line;
    for (const std::string_view& name : names) {
      if (&name != names) line += csv ? ',' : '\t';
      if (!csv && name.find_first_of("\t\n\r") != std::string_view::npos)
        throw ConfigError("the name '" + std::string(name) + "' has a tab or line feed; export csv instead");
      line += csv ? csv_field(name) : std::string(name);
    }
    if (csv && details_.has_ids())
      (line += ',') += csv_field(details_.id(head_)) + ',' + csv_field(details_.id(edge.tail));
    if (csv && details_.has_weights()) {
      const auto weight = details_.given_weight(number);
      (line += ',') += weight ? number_text(*weight) : "";
    }
    if (csv && details_.has_sources()) (line += ',') += csv_field(source);
    file_.write(line += '\n');
  }

  // In csv, whose ids tell entities of one name apart, the name that the source gave.
  [[nodiscard]] std::string_view label_of(EntityId id, bool csv) const {
    const std::string_view label = csv && !details_.id(id).empty() ? details_.label(id) : std::string_view();
    return label.empty() ? graph_.entity_name(id) : label;
  }

  void statement(const std::string& subject, const std::string& predicate, const std::string& object,
                 std::string_view source) {
    std::string line = subject + ' ' + predicate + ' ' + object;
    if (options_.format == GraphFormat::kNQuads) {
      if (source.empty()) source = default_graph_;
      if (source.starts_with("_:"))
        (line += ' ') += source;
      else if (!source.empty())
        line += " <" +
                (is_iri(source) ? std::string(source) : options_.base + "graph/" + percent_coded(source)) +
                '>';
    }
    file_.write(line += " .\n");
  }

  [[nodiscard]] std::string predicate_iri(const Value& value) const {
    if (is_iri(value.predicate)) return '<' + std::string(value.predicate) + '>';
    return value.role == ValueRole::kLabel         ? kLabelIri
           : value.role == ValueRole::kAlias       ? kAliasIri
           : value.role == ValueRole::kDescription ? kCommentIri
                                                   : terms_.relation_named(value.name);
  }

  KnowledgeGraph graph_;
  const GraphDetails& details_;
  std::optional<Values> values_;
  const GraphExportOptions& options_;
  RdfTerms terms_;
  AtomicFile file_;
  std::string default_graph_;  // of nquads; empty: none
  EntityId head_ = 0;          // of the fact that is written
  GraphExportReport report_;
};

}  // namespace

GraphExportReport export_graph(const Store& store, const std::filesystem::path& file,
                               const GraphExportOptions& options, Reporter& reporter, const StopFlag& stop) {
  return Exporter(store, file, options).run(reporter, stop);
}

}  // namespace kgwalk::graph
