#include "kgwalk/export.h"

#include <algorithm>
#include <iterator>

#include "graph/export/writer.h"
#include "graph/ingest/iri_names.h"
#include "graph/store/written_forms.h"
#include "kgwalk/error.h"

namespace kgwalk::graph {
namespace {

constexpr GraphFormatRow kRows[] = {
    {GraphFormat::kTriples, "txt tsv text/plain", make_triples_writer},
    {GraphFormat::kCsv, "csv text/csv", make_csv_writer},
    {GraphFormat::kNTriples, "nt application/n-triples", make_ntriples_writer},
    {GraphFormat::kNQuads, "nq application/n-quads", make_nquads_writer},
    {GraphFormat::kGraphMl, "graphml application/graphml+xml", make_graphml_writer},
    {GraphFormat::kJsonLd, "jsonld application/ld+json", make_jsonld_writer},
};

std::unique_ptr<GraphWriter> writer_of(const ExportJob& job) {
  const auto row = std::find_if(std::begin(kRows), std::end(kRows),
                                [&](const GraphFormatRow& r) { return job.options.format == r.format; });
  return row->make(job);
}

// What is neither a name nor a fact.
std::uint64_t num_beside_facts(const ExportJob& job) {
  std::uint64_t count = job.details.all_qualifiers().size() / 2;  // an inverse has them too
  const auto add = [&](const Value& value, std::string_view name) {
    const bool is_name = value.role == ValueRole::kLabel && name_text(value.text) == name;
    count += is_name || value.role == kWrittenRole ? 0 : 1;
  };
  for (EntityId id = 0; job.values && id < job.graph.num_entities(); ++id)
    for (const ValueRole role : {ValueRole::kValue, ValueRole::kDescription, ValueRole::kLabel,
                                 ValueRole::kAlias, ValueRole::kResource})
      for (const Value& value : job.values->of(id, role)) add(value, entity_name(job, id));
  for (RelationId id = 0; job.values && id < job.graph.num_relations(); ++id)
    for (const Value& value : job.values->of_relation(id)) add(value, relation_name(job, id));
  return count;
}

// Their number.
std::uint64_t write_facts(GraphWriter& writer, const KnowledgeGraph& graph) {
  std::uint64_t count = 0;
  for (EntityId head = 0; head < graph.num_entities(); ++head)
    for (const Edge& edge : graph.out_edges(head)) {
      if (graph.relation_name(edge.relation).starts_with('~')) continue;
      writer.fact(head, graph.number_of(edge));
      ++count;
    }
  return count;
}

}  // namespace

std::span<const GraphFormatRow> graph_formats() noexcept { return kRows; }

GraphFormat graph_format_of(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  if (extension.size() < 2) return GraphFormat::kTriples;
  return graph_format_named(extension).value_or(GraphFormat::kTriples);
}

std::optional<GraphFormat> graph_format_named(std::string_view word) {
  std::string wanted(word.starts_with('.') ? word.substr(1) : word);
  for (char& c : wanted) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  if (Choice<GraphFormat> choice = GraphFormat::kTriples; choice.assign(wanted)) return choice;
  for (const GraphFormatRow& row : kRows)
    for (std::string_view words = row.names; !words.empty();) {
      const std::size_t end = std::min(words.find(' '), words.size());
      if (wanted == words.substr(0, end)) return row.format;
      words.remove_prefix(std::min(end + 1, words.size()));
    }
  return std::nullopt;
}

GraphExportReport export_graph(const Store& store, const std::filesystem::path& file,
                               const GraphExportOptions& options, Reporter& reporter, const StopFlag& stop) {
  const KnowledgeGraph graph = store.load_graph();
  const std::optional<Values> values = Values::load(store);
  AtomicFile out(file);
  GraphExportReport report;
  const ExportJob job{graph, details(graph), values, options, out, report};
  const std::unique_ptr<GraphWriter> writer = writer_of(job);
  const auto progress = reporter.start("exporting", graph.num_entities(), "entities");
  writer->begin();
  for (EntityId entity = 0; entity < graph.num_entities(); ++entity) {
    if (stop.requested()) throw Stopped("the export was stopped; nothing was written");
    // What was merged into another has nothing left.
    const bool is_gone = graph.entity_name(entity).empty() && graph.out_edges(entity).empty();
    report.entities += is_gone ? 0 : 1;
    if (!is_gone) writer->node(entity);
    progress->add(1);
  }
  writer->relations();
  report.facts = write_facts(*writer, graph);
  writer->end();
  if (!writer->says_all()) report.left_out = num_beside_facts(job);
  out.commit();
  return report;
}

}  // namespace kgwalk::graph
