// What statements say beside names and facts: values, ids and other names.
#include <algorithm>
#include <compare>

#include "graph/ingest/iri_names.h"
#include "graph/ingest/term_graph.h"
#include "graph/store/written_forms.h"

namespace kgwalk::graph {
namespace {

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
  if (entities_[subject] == kNoName || g_.terms.text(kept.predicate) != kRdfsLabel) return false;
  if (has_more_labels_[subject] || name_text(g_.text_of(kept)) != g_.text_of(kept)) return false;
  return entity_name_of_id(g_.terms.text(subject)) != label_of(subject);
}

std::vector<std::size_t> TermGraph::otherwise_written() const {
  std::vector<TermId> first;  // by entity: the term that its id is of
  for (TermId term = 0; term < entities_.size(); ++term) {
    if (entities_[term] == kNoName || g_.terms.kind(term) == TermKind::kName) continue;
    if (entities_[term] >= first.size()) first.resize(entities_[term] + std::size_t{1}, kNoName);
    if (first[entities_[term]] == kNoName) first[entities_[term]] = term;
  }
  const auto edge_of = [&](const TermFact& fact) {
    return Triple{entities_[fact.subject], relations_.at(fact.predicate), entities_[fact.object]};
  };
  std::vector<Triple> edges;
  for (const TermFact& fact : g_.facts)
    if (g_.terms.is_literal(fact.object) && first[entities_[fact.object]] != fact.object)
      edges.push_back(edge_of(fact));
  if (edges.empty()) return {};
  std::sort(edges.begin(), edges.end());
  std::vector<std::size_t> facts;
  for (std::size_t i = 0; i < g_.facts.size(); ++i)
    if (g_.terms.is_literal(g_.facts[i].object) &&
        std::binary_search(edges.begin(), edges.end(), edge_of(g_.facts[i])))
      facts.push_back(i);
  return facts;
}

Value TermGraph::value_of(const KeptText& kept) const {
  const std::string_view predicate = g_.terms.text(kept.predicate);
  const bool is_name = g_.terms.kind(kept.predicate) == TermKind::kName;
  return {.name = {},
          .text = g_.text_of(kept),
          .language = g_.terms.word_text(kept.language),
          .datatype = g_.terms.word_text(kept.datatype),
          .predicate = is_name ? std::string_view() : predicate,
          .source = g_.terms.word_text(kept.source),
          .role = value_role(kept.role)};
}

Value TermGraph::written_value(std::size_t place) const {
  const TermFact& fact = g_.facts[place];
  const bool is_name = g_.terms.kind(fact.predicate) == TermKind::kName;
  return {.name = relation_names_.at(fact.predicate),
          .text = g_.terms.text(fact.object),
          .language = g_.terms.word_text(g_.terms.language(fact.object)),
          .datatype = g_.terms.word_text(g_.terms.datatype(fact.object)),
          .predicate = is_name ? std::string_view() : g_.terms.text(fact.predicate),
          .source = g_.terms.word_text(g_.notes.source(place)),
          .role = kWrittenRole};
}

Values TermGraph::give_values() const {
  struct Place {
    bool of_relation;
    std::uint32_t owner;
    std::size_t kept;  // behind all kept texts: facts
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
  for (const std::size_t fact : otherwise_written())
    order.push_back({false, entities_[g_.facts[fact].subject], g_.kept.size() + fact});
  std::sort(order.begin(), order.end());
  Values values;
  for (const Place& place : order) {
    if (place.kept >= g_.kept.size()) {
      values.add(place.owner, written_value(place.kept - g_.kept.size()));
      continue;
    }
    const KeptText& kept = g_.kept[place.kept];
    Value value = value_of(kept);
    const auto named = relation_names_.find(kept.predicate);
    const std::string words =
        named == relation_names_.end() ? relation_words_of(g_.terms.text(kept.predicate)) : named->second;
    value.name = words;
    // What describes a property under an IRI of its own.
    if (place.of_relation && relation_term(kept.subject) != kept.subject)
      value.subject = g_.terms.text(kept.subject);
    place.of_relation ? values.add_relation(place.owner, value) : values.add(place.owner, value);
  }
  return values;
}

void TermGraph::give_qualifiers(DetailsMaker& maker) const {
  for (std::size_t i = 0; i < g_.qualifiers.size();) {
    const TermQualifier& first = g_.qualifiers[i];
    std::vector<Qualifier> of_statement;
    for (; i < g_.qualifiers.size() && g_.qualifiers[i].statement == first.statement; ++i)
      of_statement.push_back({relations_.at(g_.qualifiers[i].predicate), entities_[g_.qualifiers[i].value]});
    const TermFact& fact = g_.facts[first.fact];
    maker.add_qualifiers({entities_[fact.subject], relations_.at(fact.predicate), entities_[fact.object]},
                         std::move(of_statement));
  }
}

// What is a thing somewhere is no literal, though a text elsewhere says its name ("capital": "Lima").
void TermGraph::give_details(DetailsMaker& maker) const {
  std::vector<bool> is_thing;
  for (TermId term = 0; term < entities_.size(); ++term) {
    if (entities_[term] == kNoName || g_.terms.is_literal(term)) continue;
    if (entities_[term] >= is_thing.size()) is_thing.resize(entities_[term] + std::size_t{1});
    is_thing[entities_[term]] = true;
  }
  for (TermId term = 0; term < entities_.size(); ++term) {
    const auto relation = relations_.find(term);
    const bool is_relation = relation != relations_.end(), is_entity = entities_[term] != kNoName;
    if (!is_relation && !is_entity) continue;
    const std::string id = given_id(term);
    if (id.empty()) continue;
    if (is_entity && g_.terms.is_literal(term) && entities_[term] < is_thing.size() &&
        is_thing[entities_[term]])
      continue;
    const bool blank = id.starts_with("_:");  // what it is has to be kept though its name looks like it
    if (is_entity && (blank || id != entity_names_[term])) maker.set_id(entities_[term], id);
    if (is_relation && id != relation_names_.at(term)) maker.set_relation_id(relation->second, id);
    if (is_relation && id == kRdfType) maker.set_type_relation(relation->second);
  }
  give_qualifiers(maker);
  for (const TermId term : told_apart_)
    if (!called_.contains(term)) maker.set_label(entities_[term], name_of(term, false));
  for (const auto& [node, name] : called_)  // the source gave it none, nor may export
    if (entities_[node] != kNoName) maker.set_label(entities_[node], given_id(node));
  for (const KeptText& kept : g_.kept) {
    const bool names = kept.role == Role::kAlias || kept.role == Role::kLabel;
    if (names && kept.predicate != kNoName && entities_[kept.subject] != kNoName)
      maker.add_alias(entities_[kept.subject], name_text(g_.text_of(kept)));
  }
  for (const TermFact& fact : g_.facts)
    if (g_.terms.is_literal(fact.object) && tells_part_of_name(fact))
      maker.add_alias(entities_[fact.subject], name_text(g_.terms.text(fact.object)));
}

}  // namespace kgwalk::graph
