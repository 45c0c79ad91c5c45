// What statements say beside names and facts: values, ids and other names.
#include <algorithm>
#include <compare>

#include "graph/ingest/iri_names.h"
#include "graph/ingest/term_graph.h"

namespace kgwalk::graph {
namespace {

constexpr const char* kLabelPredicate = "http://www.w3.org/2000/01/rdf-schema#label";

ValueRole value_role(KeptText::Role role) {
  switch (role) {
    case KeptText::Role::kDescription:
      return ValueRole::kDescription;
    case KeptText::Role::kLabel:
      return ValueRole::kLabel;
    case KeptText::Role::kAlias:
      return ValueRole::kAlias;
    case KeptText::Role::kResource:
      return ValueRole::kResource;
    default:
      return ValueRole::kValue;
  }
}

}  // namespace

// A plain rdfs:label that is the name itself: export makes it of the name.
bool TermGraph::is_implied(const KeptText& kept) const {
  if (kept.role != Role::kLabel || kept.language != 0 || kept.datatype != 0 || kept.source != 0) return false;
  const TermId subject = kept.subject;
  if (entities_[subject] == kNoName || g_.terms.text(kept.predicate) != kLabelPredicate) return false;
  if (has_more_labels_[subject] || name_text(g_.text_of(kept)) != g_.text_of(kept)) return false;
  return entity_name_of_id(g_.terms.text(subject)) != label_of(subject);
}

Values TermGraph::give_values() const {
  struct Place {
    bool of_relation;
    std::uint32_t owner;
    std::size_t kept;
    auto operator<=>(const Place&) const = default;
  };
  std::vector<Place> order;
  for (std::size_t i = 0; i < g_.kept.size(); ++i) {
    const KeptText& kept = g_.kept[i];
    if (kept.predicate == kNoName || kept.role == Role::kPerhapsName) continue;
    const auto relation = relations_.find(relation_term(kept.subject));
    if (entities_[kept.subject] != kNoName) {
      if (!is_implied(kept)) order.push_back({false, entities_[kept.subject], i});
    } else if (relation != relations_.end()) {
      order.push_back({true, relation->second, i});
    }
  }
  std::sort(order.begin(), order.end());
  Values values;
  for (const Place& place : order) {
    const KeptText& kept = g_.kept[place.kept];
    const std::string_view predicate = g_.terms.text(kept.predicate);
    const auto named = relation_names_.find(kept.predicate);
    const bool is_name = g_.terms.kind(kept.predicate) == TermKind::kName;
    Value value{.name = {},
                .text = g_.text_of(kept),
                .language = g_.terms.word_text(kept.language),
                .datatype = g_.terms.word_text(kept.datatype),
                .predicate = is_name ? std::string_view() : predicate,
                .source = g_.terms.word_text(kept.source),
                .role = value_role(kept.role)};
    const std::string words = named == relation_names_.end() ? relation_words_of(predicate) : named->second;
    value.name = words;
    // What describes a property under an IRI of its own.
    if (place.of_relation && relation_term(kept.subject) != kept.subject)
      value.subject = g_.terms.text(kept.subject);
    place.of_relation ? values.add_relation(place.owner, value) : values.add(place.owner, value);
  }
  return values;
}

void TermGraph::give_details(DetailsMaker& maker) const {
  for (TermId term = 0; term < entities_.size(); ++term) {
    const auto relation = relations_.find(term);
    const bool is_relation = relation != relations_.end(), is_entity = entities_[term] != kNoName;
    if (!is_relation && !is_entity) continue;
    const std::string id = given_id(term);
    if (id.empty()) continue;
    const bool blank = id.starts_with("_:");  // what it is has to be kept though its name looks like it
    if (is_entity && (blank || id != entity_names_[term])) maker.set_id(entities_[term], id);
    if (is_relation && id != relation_names_.at(term)) maker.set_relation_id(relation->second, id);
    if (is_relation && id == kRdfType) maker.set_type_relation(relation->second);
  }
  for (const TermId term : told_apart_) maker.set_label(entities_[term], name_of(term, false));
  for (const KeptText& kept : g_.kept) {
    const bool names = kept.role == Role::kAlias || kept.role == Role::kLabel;
    if (names && kept.predicate != kNoName && entities_[kept.subject] != kNoName)
      maker.add_alias(entities_[kept.subject], name_text(g_.text_of(kept)));
  }
}

}  // namespace kgwalk::graph
