// What terms are called, and what tells those of one name apart.
#include <algorithm>
#include <optional>

#include "graph/ingest/iri_names.h"
#include "graph/ingest/name_finder.h"
#include "graph/ingest/tables/table_names.h"
#include "graph/ingest/term_graph.h"
#include "graph/ingest/vocabulary.h"
#include "graph/names.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kMaxHinted = 8;                      // neighbors looked at
constexpr std::size_t kMaxParts = 6, kMaxPartBytes = 120;  // of what a blank node is called by

// "1997-12-19" -> "1997"; empty for what is no year.
std::string year_in(std::string_view text) {
  if (text.size() < 4 || (text.size() > 4 && text[4] != '-')) return {};
  const bool digits =
      std::all_of(text.begin(), text.begin() + 4, [](char c) { return c >= '0' && c <= '9'; });
  return digits && (text[0] == '1' || text[0] == '2') ? std::string(text.substr(0, 4)) : std::string();
}

// How well what a relation is called tells a year: 0 best, 3 not at all.
int year_rank(std::string_view words) {
  const auto has = [&](std::string_view word) { return words.find(word) != std::string_view::npos; };
  if (words == "year" || has("release") || has("publi") || has("premier")) return 0;
  if (has("birth") || has("born") || has("found")) return 1;
  return has("year") || has("date") ? 2 : 3;
}

// What makes a list or says what a node is tells nobody which one it is.
bool may_call_a_node(std::string_view property) {
  constexpr std::string_view kRdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
  if (!property.starts_with(kRdf)) return true;
  const std::string_view part = property.substr(kRdf.size());
  return part != "type" && part != "first" && part != "rest";
}

bool may_be_a_name(std::string_view text) {
  const std::string key = name_key(text);
  return !key.empty() && key != "~";
}

}  // namespace

std::string_view TermGraph::label_of(TermId term) const {
  return labels_[term] == kNoName ? std::string_view() : g_.text_of(g_.kept[labels_[term]]);
}

std::string TermGraph::name_of(TermId term, bool relation) const {
  const std::string_view text = g_.terms.text(term);
  const TermKind kind = g_.terms.kind(term);
  if (kind == TermKind::kLiteral) return name_text(text);
  std::string_view label = label_of(term);
  if (relation && label.empty())
    if (const auto by = described_by_.find(term); by != described_by_.end()) label = label_of(by->second);
  if (std::string name = name_text(label); !name.empty()) {
    if (relation && kind != TermKind::kName) name.erase(0, name.find_first_not_of("~ "));  // mark of inverses
    if (!name.empty()) return name;
  }
  if (kind == TermKind::kBlank) {
    const auto called = called_.find(term);
    return called == called_.end() ? "_:" + std::string(text) : called->second;
  }
  if (kind == TermKind::kId) {
    std::string name = name_text(text);
    return may_be_a_name(name) ? name : std::string(text);
  }
  return relation ? relation_name_without_label(text) : entity_name_of_id(text);
}

bool TermGraph::tells_part_of_name(const TermFact& fact) const {
  const auto [known, is_new] = name_parts_.try_emplace(fact.predicate, false);
  if (is_new) known->second = is_part_of_name(g_.terms.text(fact.predicate));
  return known->second && name_key(name_text(g_.terms.text(fact.object))) != name_key(label_of(fact.subject));
}

// What a node holds that has no name and that something leads to: "2311 North Los Robles Avenue, Pasadena".
void TermGraph::call_blank_nodes() {
  const auto is_unnamed = [&](TermId term) { return (uses_[term] & kBlank) != 0 && label_of(term).empty(); };
  std::unordered_map<TermId, std::size_t> parts;
  for (const TermFact& fact : g_.facts)
    if (is_unnamed(fact.object) && may_call_a_node(g_.terms.text(fact.predicate)))
      parts.emplace(fact.object, 0);
  if (parts.empty()) return;
  std::unordered_map<TermId, TermId> only;  // the property of a node that holds one thing
  for (const TermFact& fact : g_.facts) {
    const auto node = parts.find(fact.subject);
    if (node == parts.end() || node->second == kMaxParts || (uses_[fact.object] & kBlank) != 0 ||
        !may_call_a_node(g_.terms.text(fact.predicate)))
      continue;
    const std::string part = name_of(fact.object, false);
    std::string& name = called_[fact.subject];
    if (part.empty() || name.size() + part.size() > kMaxPartBytes) continue;
    name += (name.empty() ? "" : ", ") + part;
    if (node->second++ == 0) only[fact.subject] = fact.predicate;
  }
  for (auto& [node, name] : called_) {
    if (parts.at(node) == 1) name = name_of(only.at(node), true) + " " + name;
    if (name.empty()) name = "_:" + std::string(g_.terms.text(node));
  }
}

std::string_view TermGraph::id_of(TermId term) const {
  const TermKind kind = g_.terms.kind(term);
  return kind == TermKind::kLiteral || kind == TermKind::kName ? std::string_view() : g_.terms.text(term);
}

std::string TermGraph::given_id(TermId term) const {
  const std::string_view text = g_.terms.text(term);
  switch (g_.terms.kind(term)) {
    case TermKind::kName:
      return {};
    case TermKind::kBlank:
      return "_:" + std::string(text);
    case TermKind::kLiteral:
      return literal_text(text, g_.terms.word_text(g_.terms.language(term)),
                          g_.terms.word_text(g_.terms.datatype(term)));
    default:
      return std::string(text);
  }
}

void TermGraph::take_year(TermId predicate, std::string_view text, std::pair<int, std::string>& best) const {
  std::string year = year_in(text);
  if (year.empty()) return;
  const int rank = year_rank(name_of(predicate, true));
  if (rank < best.first) best = {rank, std::move(year)};
}

std::vector<Hints> TermGraph::hints_of(std::span<const TermId> terms) {
  std::unordered_map<TermId, std::size_t> places;
  for (std::size_t i = 0; i < terms.size(); ++i) places.emplace(terms[i], i);
  std::vector<Hints> hints(terms.size());
  std::vector<std::pair<int, std::string>> years(terms.size(), {3, ""});
  const TermId type = g_.terms.find_iri(kRdfType);
  const auto hint = [&](const TermFact& fact, TermId of, TermId other) {
    const auto place = places.find(of);
    if (place == places.end()) return;
    Hints& h = hints[place->second];
    ++h.facts;
    if (fact.predicate == type && of == fact.object) h.is_class = true;
    if (of == fact.subject && fact.predicate == type) {
      if (h.type.empty()) h.type = name_of(other, false);
    } else if (g_.terms.is_literal(other)) {
      take_year(fact.predicate, g_.terms.text(other), years[place->second]);
    } else if (g_.terms.kind(other) != TermKind::kBlank && h.neighbors.size() < kMaxHinted) {
      std::string name = name_of(other, false);
      // A row that has no name tells nobody which one is meant.
      if (g_.terms.kind(other) == TermKind::kId && name == name_text(name_of_row(g_.terms.text(other))))
        return;
      // A relation that leads away and the same one that leads here are two.
      h.neighbors.emplace_back(2 * fact.predicate + (of == fact.subject ? 0 : 1), std::move(name));
    }
  };
  for (const TermFact& fact : g_.facts) hint(fact, fact.subject, fact.object);
  for (const TermFact& fact : g_.facts) hint(fact, fact.object, fact.subject);
  for (const KeptText& kept : g_.kept)
    if (const auto place = places.find(kept.subject); place != places.end() && kept.role == Role::kValue)
      take_year(kept.predicate, g_.text_of(kept), years[place->second]);
  for (std::size_t i = 0; i < terms.size(); ++i) hints[i].year = years[i].second;
  return hints;
}

// schema.org stands under http and under https; what both say is of one thing.
TermId TermGraph::same_elsewhere(TermId term) {
  constexpr std::string_view kSecure = "https://schema.org/";
  const std::string_view text = g_.terms.text(term);
  if (g_.terms.kind(term) != TermKind::kIri || !text.starts_with(kSecure)) return kNoName;
  return g_.terms.find_iri("http://schema.org/" + std::string(text.substr(kSecure.size())));
}

std::vector<std::pair<TermId, std::string>> TermGraph::names_of(std::uint8_t uses, bool relations) {
  const auto is_wanted = [&](TermId term) {
    // What is only labeled and serves as a relation is no entity.
    const bool only_labeled = (uses_[term] & (kInFact | kRelation)) == kRelation;
    return (uses_[term] & uses) != 0 && (relations || !only_labeled);
  };
  std::vector<Named> named;
  std::vector<TermId> terms;
  std::vector<std::pair<TermId, TermId>> twins;
  for (TermId term = 0; term < uses_.size(); ++term) {
    if (!is_wanted(term)) continue;
    const TermId twin = same_elsewhere(term);
    if (twin != kNoName && is_wanted(twin) && label_of(term) == label_of(twin)) {
      twins.emplace_back(term, twin);
      continue;
    }
    named.push_back({name_of(term, relations), id_of(term)});
    terms.push_back(term);
  }
  HintsOf hints;
  if (!relations)
    hints = [&](std::span<const std::uint32_t> places) {
      std::vector<TermId> asked;
      for (const std::uint32_t place : places) asked.push_back(terms[place]);
      return hints_of(asked);
    };
  const auto vocabulary = [&](std::string_view id) { return vocabulary_of(id, g_.prefixes); };
  for (const std::uint32_t place : make_unique(named, hints, vocabulary))
    if (!relations) told_apart_.push_back(terms[place]);
  std::vector<std::pair<TermId, std::string>> names;
  names.reserve(terms.size() + twins.size());
  for (std::size_t i = 0; i < terms.size(); ++i) names.emplace_back(terms[i], std::move(named[i].name));
  for (const auto& [term, twin] : twins) {
    const auto at = std::lower_bound(terms.begin(), terms.end(), twin);
    names.emplace_back(term, names[static_cast<std::size_t>(at - terms.begin())].second);
  }
  return names;
}

// A value "yaml" and a thing YAML are one: it is written as the thing is, wherever it stands first.
void TermGraph::spell_values_as_things() {
  const auto key_of = [&](TermId term) { return name_key(entity_names_[term]); };
  std::unordered_map<std::uint64_t, TermId> things;
  for (TermId term = 0; term < entity_names_.size(); ++term)
    if (!entity_names_[term].empty() && g_.terms.kind(term) == TermKind::kName)
      things.emplace(hash_bytes(key_of(term)), term);
  if (things.empty()) return;
  for (TermId term = 0; term < entity_names_.size(); ++term) {
    if (entity_names_[term].empty() || !g_.terms.is_literal(term)) continue;
    const std::string key = key_of(term);
    const auto thing = things.find(hash_bytes(key));
    if (thing != things.end() && key_of(thing->second) == key)
      entity_names_[term] = entity_names_[thing->second];
  }
}

void TermGraph::give_facts(GraphBuilder& builder) {
  entity_names_.resize(uses_.size());
  for (auto& [term, name] : names_of(kInFact | kMentioned, false)) entity_names_[term] = std::move(name);
  for (auto& [term, name] : names_of(kRelation, true)) relation_names_.emplace(term, std::move(name));
  spell_values_as_things();
  entities_.assign(uses_.size(), kNoName);
  const auto entity = [&](TermId term) {
    if (entities_[term] == kNoName) entities_[term] = builder.entity(entity_names_[term]);
    return entities_[term];
  };
  builder.reserve(builder.num_triples() + g_.facts.size());
  for (const TermFact& fact : g_.facts) {
    const EntityId head = entity(fact.subject);
    const auto [relation, is_new] = relations_.try_emplace(fact.predicate, 0);
    if (is_new) relation->second = builder.relation(relation_names_.at(fact.predicate));
    builder.add({head, relation->second, entity(fact.object)});
  }
}

void TermGraph::give_other_entities(GraphBuilder& builder) {
  for (TermId term = 0; term < entity_names_.size(); ++term)
    if (!entity_names_[term].empty() && entities_[term] == kNoName)
      entities_[term] = builder.entity(entity_names_[term]);
  // Relations of values alone that something is said of: a label, a declaration, or that they are asides.
  const auto add = [&](TermId term) {
    const auto name = relation_names_.find(term);
    if (name != relation_names_.end() && entities_[term] == kNoName && !relations_.contains(term))
      relations_.emplace(term, builder.relation(name->second));
  };
  for (const KeptText& kept : g_.kept) {
    add(relation_term(kept.subject));
    if (kept.role == Role::kResource && kept.predicate != kNoName) add(kept.predicate);
  }
  for (const TermQualifier& each : g_.qualifiers) add(each.predicate);
  for (TermId term = 0; term < uses_.size(); ++term)
    if (is_property(term)) add(relation_term(term));
}

}  // namespace kgwalk::graph
