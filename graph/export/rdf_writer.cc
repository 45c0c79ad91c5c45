#include "graph/export/rdf_writer.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

#include "graph/export/graph_text.h"
#include "graph/ingest/iri_names.h"
#include "graph/names.h"

namespace kgwalk::graph {
namespace {

constexpr const char* kLabelIri = "<http://www.w3.org/2000/01/rdf-schema#label>";
constexpr const char* kCommentIri = "<http://www.w3.org/2000/01/rdf-schema#comment>";
constexpr const char* kAliasIri = "<http://www.w3.org/2004/02/skos/core#altLabel>";
constexpr ValueRole kRoles[] = {ValueRole::kLabel, ValueRole::kAlias, ValueRole::kDescription,
                                ValueRole::kValue, ValueRole::kResource};

std::string rdf(const char* name) {
  return std::string("<http://www.w3.org/1999/02/22-rdf-syntax-ns#") + name + ">";
}

}  // namespace

RdfWriter::RdfWriter(const ExportJob& job, bool has_graphs)
    : GraphWriter(job), has_graphs_(has_graphs), terms_(job.graph, job.options.base) {
  if (!has_graphs) return;
  default_graph_ = job.options.graph_iri;
  if (default_graph_.empty() && !job.details.has_sources()) default_graph_ = job.options.base + "graph";
}

// What stands behind a name to tell it apart is no part of the source's label.
void RdfWriter::node(EntityId id) {
  const std::string_view given = job_.details.id(id);
  if (given.starts_with('"')) return;
  const std::string_view told_apart = job_.details.label(id);
  const std::string label(told_apart.empty() ? job_.graph.entity_name(id) : told_apart);
  const std::string iri = terms_.entity(id);
  bool labeled =
      !given.empty() && label == (given.starts_with("_:") ? std::string(given) : entity_name_of_id(given));
  for (const ValueRole role : kRoles)
    for (const Value& value : job_.values ? job_.values->of(id, role) : std::vector<Value>()) {
      text(iri, value);
      labeled = labeled || (role == ValueRole::kLabel && name_text(value.text) == label);
    }
  if (!labeled) say(iri, kLabelIri, literal_text(label, {}, {}), "");
}

void RdfWriter::relations() {
  for (RelationId id = 0; id < job_.graph.num_relations(); ++id) {
    const std::string_view name = job_.graph.relation_name(id);
    if (name.starts_with('~')) continue;
    if (job_.values)
      for (const Value& value : job_.values->of_relation(id))
        text(is_iri(value.subject) ? '<' + std::string(value.subject) + '>' : terms_.relation(id), value);
    if (job_.details.relation_id(id).empty())
      say(terms_.relation(id), kLabelIri, literal_text(name, {}, {}), "");
  }
}

void RdfWriter::fact(EntityId head, std::uint64_t number) {
  write_fact(head, number);
  for (const std::span<const Qualifier> said : job_.details.qualifiers(number)) qualify(head, number, said);
}

void RdfWriter::write_fact(EntityId head, std::uint64_t number) {
  const Edge& edge = job_.graph.edge(number);
  if (write_spellings(head, edge)) return;
  for (const std::string_view source : sources(number)) {
    say(terms_.entity(head), terms_.relation(edge.relation), terms_.entity(edge.tail), source);
    if (!has_graphs_) return;
  }
}

// What a statement says beside its fact, as RDF's reification has it; ingestion reads it back.
void RdfWriter::qualify(EntityId head, std::uint64_t number, std::span<const Qualifier> said) {
  const Edge& edge = job_.graph.edge(number);
  std::string node;
  do node = "_:fact" + std::to_string(++num_qualified_);
  while (job_.details.find_id(node));
  const auto all = sources(number);
  const std::string_view source = all.empty() ? std::string_view() : all.front();
  say(node, rdf("type"), rdf("Statement"), source);
  say(node, rdf("subject"), terms_.entity(head), source);
  say(node, rdf("predicate"), terms_.relation(edge.relation), source);
  say(node, rdf("object"), terms_.entity(edge.tail), source);
  for (const Qualifier& each : said)
    say(node, terms_.relation(each.relation), terms_.entity(each.value), source);
  job_.report.qualifiers += said.size();
}

// The literals of a fact as they were written; false where that is the id of its tail.
bool RdfWriter::write_spellings(EntityId head, const Edge& edge) {
  std::set<std::string> written;
  for (const Value& value : spellings(head, edge)) {
    const std::string literal = literal_text(value.text, value.language, value.datatype);
    // In another graph it is the same triple.
    if (!written.insert(literal).second && !has_graphs_) continue;
    say(terms_.entity(head), terms_.relation(edge.relation), literal, value.source);
  }
  return !written.empty();
}

void RdfWriter::text(const std::string& subject, const Value& value) {
  if (value.role == ValueRole::kValue || value.role == ValueRole::kResource) ++job_.report.values;
  const bool blank = value.text.starts_with("_:");
  const std::string object = value.role != ValueRole::kResource
                                 ? literal_text(value.text, value.language, value.datatype)
                             : blank ? std::string(value.text)
                                     : '<' + std::string(value.text) + '>';
  say(subject, predicate_iri(value), object, value.source);
}

std::string RdfWriter::graph_term(std::string_view source) const {
  if (source.empty()) source = default_graph_;
  if (source.empty() || source.starts_with("_:")) return std::string(source);
  return '<' + (is_iri(source) ? std::string(source) : job_.options.base + "graph/" + percent_coded(source)) +
         '>';
}

void RdfWriter::say(const std::string& subject, const std::string& predicate, const std::string& object,
                    std::string_view source) {
  statement(subject, predicate, object, has_graphs_ ? graph_term(source) : std::string());
}

std::string RdfWriter::predicate_iri(const Value& value) const {
  if (is_iri(value.predicate)) return '<' + std::string(value.predicate) + '>';
  return value.role == ValueRole::kLabel         ? kLabelIri
         : value.role == ValueRole::kAlias       ? kAliasIri
         : value.role == ValueRole::kDescription ? kCommentIri
                                                 : terms_.relation_named(value.name);
}

namespace {

// N-Triples, and N-Quads where there are graphs.
class LinesWriter final : public RdfWriter {
 public:
  using RdfWriter::RdfWriter;

 private:
  void statement(const std::string& subject, const std::string& predicate, const std::string& object,
                 const std::string& graph) override {
    std::string line = subject + ' ' + predicate + ' ' + object;
    if (!graph.empty()) (line += ' ') += graph;
    job_.file.write(line += " .\n");
  }
};

}  // namespace

std::unique_ptr<GraphWriter> make_ntriples_writer(const ExportJob& job) {
  return std::make_unique<LinesWriter>(job, false);
}

std::unique_ptr<GraphWriter> make_nquads_writer(const ExportJob& job) {
  return std::make_unique<LinesWriter>(job, true);
}

}  // namespace kgwalk::graph
