#include "graph/export/writer.h"

#include <algorithm>

#include "graph/ingest/iri_names.h"
#include "graph/ingest/vocabulary.h"
#include "graph/names.h"
#include "graph/store/written_forms.h"

namespace kgwalk::graph {
namespace {

// A name, or what ingestion made of it: "Titanic", "Titanic (1997)".
bool begins_with_name(std::string_view name, std::string_view plain) {
  return name.starts_with(plain) &&
         (name.size() == plain.size() || name.substr(plain.size()).starts_with(" ("));
}

}  // namespace

std::string_view entity_name(const ExportJob& job, EntityId id) {
  const std::string_view label = job.details.id(id).empty() ? std::string_view() : job.details.label(id);
  return label.empty() ? job.graph.entity_name(id) : label;
}

std::string relation_name(const ExportJob& job, RelationId id) {
  const std::string name(job.graph.relation_name(id));
  const std::string_view iri = job.details.relation_id(id);
  if (iri.empty()) return name;
  if (job.values)
    for (const Value& value : job.values->of_relation(id))
      if (value.role == ValueRole::kLabel)
        if (std::string label = name_text(value.text); begins_with_name(name, label)) return label;
  std::string plain = relation_name_without_label(iri);
  return begins_with_name(name, plain) ? plain : name;
}

std::vector<std::string_view> GraphWriter::sources(std::uint64_t number) const {
  std::vector<std::string_view> all = job_.details.sources(number);
  if (job_.details.without_source(number)) all.insert(all.begin(), "");
  return all;
}

bool GraphWriter::has_relation_ids() const {
  for (RelationId id = 0; id < job_.graph.num_relations(); ++id)
    if (!job_.details.relation_id(id).empty()) return true;
  return false;
}

const std::vector<Value>& GraphWriter::spellings(EntityId head, const Edge& edge) {
  of_fact_.clear();
  if (!job_.values || !job_.details.id(edge.tail).starts_with('"')) return of_fact_;
  if (!spelled_of_ || *spelled_of_ != head) {
    spelled_ = job_.values->of(head, kWrittenRole);
    spelled_of_ = head;
  }
  const std::string_view iri = job_.details.relation_id(edge.relation);
  const std::string_view name = job_.graph.relation_name(edge.relation);
  for (const Value& value : spelled_) {
    const bool same_relation =
        iri.empty() ? value.predicate.empty() && value.name == name : value.predicate == iri;
    if (same_relation && name_key(name_text(value.text)) == name_key(job_.graph.entity_name(edge.tail)))
      of_fact_.push_back(value);
  }
  return of_fact_;
}

}  // namespace kgwalk::graph
