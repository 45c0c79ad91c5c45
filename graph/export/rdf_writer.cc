// N-Triples and N-Quads: entities and relations under the IRIs of their source, with all that it said of
// them.
#include <algorithm>
#include <cctype>
#include <string>

#include "graph/export/graph_text.h"
#include "graph/export/writer.h"
#include "graph/ingest/iri_names.h"

namespace kgwalk::graph {
namespace {

constexpr const char* kLabelIri = "<http://www.w3.org/2000/01/rdf-schema#label>";
constexpr const char* kCommentIri = "<http://www.w3.org/2000/01/rdf-schema#comment>";
constexpr const char* kAliasIri = "<http://www.w3.org/2004/02/skos/core#altLabel>";
constexpr ValueRole kRoles[] = {ValueRole::kLabel, ValueRole::kAlias, ValueRole::kDescription,
                                ValueRole::kValue, ValueRole::kResource};

bool may_stand_in_iri(char c) {
  return static_cast<unsigned char>(c) > 0x20 &&
         std::string_view("<>\"{}|^`\\").find(c) == std::string_view::npos;
}

// A scheme and nothing that an IRI must not have.
bool is_iri(std::string_view id) {
  const std::size_t colon = id.find(':');
  if (colon == std::string_view::npos || colon == 0 || std::isalpha(static_cast<unsigned char>(id[0])) == 0)
    return false;
  return std::all_of(id.begin(), id.end(), may_stand_in_iri);
}

class RdfWriter final : public GraphWriter {
 public:
  RdfWriter(const ExportJob& job, bool has_graphs) : GraphWriter(job), has_graphs_(has_graphs) {
    if (!has_graphs) return;
    default_graph_ = job.options.graph_iri;
    if (default_graph_.empty() && !job.details.has_sources()) default_graph_ = job.options.base + "graph";
  }

  // What stands behind a name to tell it apart is no part of the source's label.
  void node(EntityId id) override {
    const std::string_view given = job_.details.id(id);
    if (given.starts_with('"')) return;
    const std::string_view told_apart = job_.details.label(id);
    const std::string label(told_apart.empty() ? job_.graph.entity_name(id) : told_apart);
    const std::string iri = entity_iri(id);
    bool labeled =
        !given.empty() && label == (given.starts_with("_:") ? std::string(given) : entity_name_of_id(given));
    for (const ValueRole role : kRoles)
      for (const Value& value : job_.values ? job_.values->of(id, role) : std::vector<Value>()) {
        text(iri, value);
        labeled = labeled || (role == ValueRole::kLabel && name_text(value.text) == label);
      }
    if (!labeled) statement(iri, kLabelIri, literal_text(label, {}, {}), "");
  }

  void relations() override {
    for (RelationId id = 0; id < job_.graph.num_relations(); ++id) {
      const std::string_view name = job_.graph.relation_name(id);
      if (name.starts_with('~')) continue;
      if (job_.values)
        for (const Value& value : job_.values->of_relation(id))
          text(is_iri(value.subject) ? '<' + std::string(value.subject) + '>' : relation_iri(id), value);
      if (job_.details.relation_id(id).empty())
        statement(relation_iri(id), kLabelIri, literal_text(name, {}, {}), "");
    }
  }

  void fact(EntityId head, std::uint64_t number) override {
    const Edge& edge = job_.graph.edges()[number];
    for (const std::string_view source : sources(number)) {
      statement(entity_iri(head), relation_iri(edge.relation), entity_iri(edge.tail), source);
      if (!has_graphs_) return;
    }
  }

 private:
  void text(const std::string& subject, const Value& value) {
    if (value.role == ValueRole::kValue || value.role == ValueRole::kResource) ++job_.report.values;
    const bool blank = value.text.starts_with("_:");
    const std::string object = value.role != ValueRole::kResource
                                   ? literal_text(value.text, value.language, value.datatype)
                               : blank ? std::string(value.text)
                                       : '<' + std::string(value.text) + '>';
    statement(subject, predicate_iri(value), object, value.source);
  }

  void statement(const std::string& subject, const std::string& predicate, const std::string& object,
                 std::string_view source) {
    std::string line = subject + ' ' + predicate + ' ' + object;
    if (has_graphs_) {
      if (source.empty()) source = default_graph_;
      if (source.starts_with("_:"))
        (line += ' ') += source;
      else if (!source.empty())
        line +=
            " <" +
            (is_iri(source) ? std::string(source) : job_.options.base + "graph/" + percent_coded(source)) +
            '>';
    }
    job_.file.write(line += " .\n");
  }

  [[nodiscard]] std::string entity_iri(EntityId id) const {
    const std::string_view given = job_.details.id(id);
    if (given.starts_with("_:") || given.starts_with('"')) return std::string(given);
    if (is_iri(given)) return '<' + std::string(given) + '>';
    return '<' + job_.options.base + "entity/" +
           percent_coded(given.empty() ? job_.graph.entity_name(id) : given) + '>';
  }
  [[nodiscard]] std::string relation_iri(RelationId id) const {
    const std::string_view given = job_.details.relation_id(id);
    return is_iri(given) ? '<' + std::string(given) + '>' : relation_iri(job_.graph.relation_name(id));
  }
  [[nodiscard]] std::string relation_iri(std::string_view name) const {
    return '<' + job_.options.base + "relation/" + percent_coded(name) + '>';
  }
  [[nodiscard]] std::string predicate_iri(const Value& value) const {
    if (is_iri(value.predicate)) return '<' + std::string(value.predicate) + '>';
    return value.role == ValueRole::kLabel         ? kLabelIri
           : value.role == ValueRole::kAlias       ? kAliasIri
           : value.role == ValueRole::kDescription ? kCommentIri
                                                   : relation_iri(value.name);
  }

  bool has_graphs_;
  std::string default_graph_;  // of nquads; empty: none
};

}  // namespace

std::unique_ptr<GraphWriter> make_ntriples_writer(const ExportJob& job) {
  return std::make_unique<RdfWriter>(job, false);
}

std::unique_ptr<GraphWriter> make_nquads_writer(const ExportJob& job) {
  return std::make_unique<RdfWriter>(job, true);
}

}  // namespace kgwalk::graph
