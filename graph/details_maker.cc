#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <unordered_set>

#include "graph/details.h"
#include "graph/details_layout.h"

namespace kgwalk::graph {
namespace {

// Texts one behind the other with their begins.
struct Pooled {
  std::vector<std::uint64_t> begins{0};
  std::string bytes;
  void add(std::string_view text) {
    bytes.append(text);
    begins.push_back(bytes.size());
  }
};

}  // namespace

void DetailsMaker::set_id(EntityId entity, std::string_view id) {
  if (ids_.empty()) ids_.resize(graph_.num_entities());
  if (ids_[entity].empty()) ids_[entity] = id;
}

void DetailsMaker::set_relation_id(RelationId relation, std::string_view id) {
  if (relation_ids_.empty()) relation_ids_.resize(graph_.num_relations());
  if (relation_ids_[relation].empty()) relation_ids_[relation] = id;
}

void DetailsMaker::set_housekeeping(RelationId relation) {
  housekeeping_.resize(graph_.num_relations());
  housekeeping_[relation] = housekeeping_[graph_.inverse(relation)] = 1;
}

void DetailsMaker::add_fact(const Triple& fact, std::optional<float> weight, std::string_view source) {
  const auto there = edge_number(graph_, fact);
  const auto back = edge_number(graph_, {fact.tail, graph_.inverse(fact.relation), fact.head});
  if (!there || !back) return;
  if (weight) {
    if (weights_.empty()) weights_.assign(graph_.num_edges(), std::numeric_limits<float>::quiet_NaN());
    for (const std::uint64_t edge : {*there, *back})
      if (!(weights_[edge] >= *weight)) weights_[edge] = *weight;
  }
  if (words_.size() == 0) words_.insert("");
  std::uint32_t word = words_.find(source);
  if (word == kNoName) word = words_.insert(source);
  has_source_ = has_source_ || word != 0;
  if (sets_.empty()) sets_.assign(graph_.num_edges(), 0);
  const auto [known, is_new] = joined_.try_emplace({sets_[*there], word}, 0);
  if (is_new) {
    std::vector<std::uint32_t> set = set_words_[sets_[*there]];
    const auto at = std::lower_bound(set.begin(), set.end(), word);
    if (at == set.end() || *at != word) set.insert(at, word);
    const auto [id, fresh] = set_ids_.try_emplace(set, static_cast<std::uint32_t>(set_words_.size()));
    if (fresh) set_words_.push_back(set);
    known->second = id->second;
  }
  sets_[*there] = sets_[*back] = known->second;
}

void DetailsMaker::add_qualifiers(const Triple& fact, std::vector<Qualifier> of_statement) {
  const auto there = edge_number(graph_, fact);
  const auto back = edge_number(graph_, {fact.tail, graph_.inverse(fact.relation), fact.head});
  if (!there || !back || of_statement.empty()) return;
  std::sort(of_statement.begin(), of_statement.end());
  of_statement.erase(std::unique(of_statement.begin(), of_statement.end()), of_statement.end());
  qualifiers_.emplace_back(*there, of_statement);
  qualifiers_.emplace_back(*back, std::move(of_statement));
}

void DetailsMaker::tidy_qualifiers() {
  std::sort(qualifiers_.begin(), qualifiers_.end());
  qualifiers_.erase(std::unique(qualifiers_.begin(), qualifiers_.end()), qualifiers_.end());
}

void DetailsMaker::tidy_aliases() {
  std::stable_sort(aliases_.begin(), aliases_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::unordered_set<std::string> met;
  std::size_t kept = 0;
  EntityId last = kNoName;
  for (auto& [entity, alias] : aliases_) {
    if (entity != last) {
      std::unordered_set<std::string>().swap(met);  // clear() would take as long as the largest was
      met.insert(name_key(graph_.entity_name(entity)));
      if (const auto label = labels_.find(entity); label != labels_.end())
        met.insert(name_key(label->second));
    }
    last = entity;
    if (std::string key = name_key(alias); key.empty() || !met.insert(std::move(key)).second) continue;
    std::string text = std::move(alias);  // its own place may be the one written to
    aliases_[kept++] = {entity, std::move(text)};
  }
  aliases_.resize(kept);
}

AlignedBytes DetailsMaker::bytes() {
  tidy_aliases();
  tidy_qualifiers();
  if (ids_.empty() && relation_ids_.empty() && labels_.empty() && aliases_.empty() && weights_.empty() &&
      housekeeping_.empty() && qualifiers_.empty() && !has_source_)
    return {};
  DetailsParts parts;
  parts.num_entities = graph_.num_entities();
  parts.num_relations = graph_.num_relations();
  parts.num_edges = graph_.num_edges();
  parts.type_relation = type_relation_;
  const auto pool = [&](const auto& texts, Pooled& into, DetailsSection begins, DetailsSection bytes) {
    for (const std::string& text : texts) into.add(text);
    parts.set<std::uint64_t>(begins, into.begins);
    parts.set(bytes, into.bytes);
  };
  Pooled ids, relation_ids, labels, aliases, words;
  std::vector<NameSlot> slots;
  if (!ids_.empty()) {
    pool(ids_, ids, DetailsSection::kIdBegins, DetailsSection::kIds);
    slots = empty_slots(ids_.size());
    for (std::uint32_t id = 0; id < ids_.size(); ++id)
      if (!ids_[id].empty()) insert_slot(slots, hash_bytes(ids_[id]), id);
    parts.set<NameSlot>(DetailsSection::kIdSlots, slots);
  }
  if (!relation_ids_.empty())
    pool(relation_ids_, relation_ids, DetailsSection::kRelationIdBegins, DetailsSection::kRelationIds);
  std::vector<std::uint32_t> label_entities, alias_entities, set_words;
  for (const auto& [entity, label] : labels_) label_entities.push_back(entity), labels.add(label);
  for (const auto& [entity, alias] : aliases_) alias_entities.push_back(entity), aliases.add(alias);
  parts.set<std::uint32_t>(DetailsSection::kLabelEntities, label_entities);
  parts.set<std::uint64_t>(DetailsSection::kLabelBegins, labels.begins);
  parts.set(DetailsSection::kLabels, labels.bytes);
  parts.set<std::uint32_t>(DetailsSection::kAliasEntities, alias_entities);
  parts.set<std::uint64_t>(DetailsSection::kAliasBegins, aliases.begins);
  parts.set(DetailsSection::kAliases, aliases.bytes);
  parts.set<float>(DetailsSection::kWeights, weights_);
  parts.set<std::uint8_t>(DetailsSection::kHousekeeping, housekeeping_);
  std::vector<std::uint64_t> qualified_edges, qualifier_begins{0};
  std::vector<Qualifier> qualifiers;
  for (const auto& [edge, of_statement] : qualifiers_) {
    qualified_edges.push_back(edge);
    qualifiers.insert(qualifiers.end(), of_statement.begin(), of_statement.end());
    qualifier_begins.push_back(qualifiers.size());
  }
  if (!qualifiers.empty()) {
    parts.set<std::uint64_t>(DetailsSection::kQualifiedEdges, qualified_edges);
    parts.set<std::uint64_t>(DetailsSection::kQualifierBegins, qualifier_begins);
    parts.set<Qualifier>(DetailsSection::kQualifiers, qualifiers);
  }
  std::vector<std::uint64_t> set_begins{0};
  if (has_source_) {
    for (const auto& set : set_words_) {
      set_words.insert(set_words.end(), set.begin(), set.end());
      set_begins.push_back(set_words.size());
    }
    for (std::size_t i = 0; i < words_.size(); ++i) words.add(words_.strings()[i]);
    parts.set<std::uint32_t>(DetailsSection::kSourceSets, sets_);
    parts.set<std::uint64_t>(DetailsSection::kSetBegins, set_begins);
    parts.set<std::uint32_t>(DetailsSection::kSetWords, set_words);
    parts.set<std::uint64_t>(DetailsSection::kWordBegins, words.begins);
    parts.set(DetailsSection::kWords, words.bytes);
  }
  return lay_out(parts);
}

}  // namespace kgwalk::graph
