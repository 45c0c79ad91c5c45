#include "graph/changes/delta.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "graph/names.h"
#include "kgwalk/error.h"
#include "kgwalk/graph_details.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

[[noreturn]] void does_not_follow(std::string_view what) {
  throw StoreError("the log of edits does not fit the graph (" + std::string(what) + ")",
                   Remedy{Remedy::kReingest, ""});
}

void check_follows(bool follows, std::string_view what) {
  if (!follows) does_not_follow(what);
}

}  // namespace

Delta::Delta(const KnowledgeGraph& base) : base_(base), num_connected_(base.num_connected()) {}

std::uint32_t Delta::num_entities() const noexcept {
  return base_.num_entities() + static_cast<std::uint32_t>(new_names_.size());
}

std::uint32_t Delta::num_relations() const noexcept {
  return base_.num_relations() + static_cast<std::uint32_t>(new_relations_.size());
}

RelationId Delta::inverse(RelationId relation) const noexcept {
  const RelationId first = base_.num_relations();
  return relation < first ? base_.inverse(relation) : first + ((relation - first) ^ 1U);
}

std::string_view Delta::entity_name(EntityId entity) const {
  if (entity >= base_.num_entities()) return new_names_[entity - base_.num_entities()];
  const auto found = renamed_.find(entity);
  return found == renamed_.end() ? base_.entity_name(entity) : std::string_view(found->second);
}

std::string_view Delta::relation_name(RelationId relation) const {
  return relation < base_.num_relations()
             ? base_.relation_name(relation)
             : std::string_view(new_relations_[relation - base_.num_relations()]);
}

std::string_view Delta::entity_id(EntityId entity) const {
  if (entity < base_.num_entities()) return details(base_).id(entity);
  const auto found = new_ids_.find(entity);
  return found == new_ids_.end() ? std::string_view() : std::string_view(found->second);
}

std::optional<EntityId> Delta::find_new(const std::unordered_multimap<std::string, EntityId>& names,
                                        const std::string& key, std::string (*form)(std::string_view)) const {
  std::optional<EntityId> first;
  const auto [begin, end] = names.equal_range(key);
  for (auto at = begin; at != end; ++at)
    if (const std::string_view name = entity_name(at->second); !name.empty() && form(name) == key)
      if (!first || at->second < *first) first = at->second;
  return first;
}

// By key, then by the looser form, then by id, the base before what is new in each.
std::optional<EntityId> Delta::find_entity(std::string_view name) const {
  if (invalid_utf8_at(name)) return std::nullopt;
  const std::string key = name_key(name), folded = fold_name(name);
  const auto of_base = base_.find_entity(name);
  const bool stands = of_base && !renamed_.contains(*of_base);
  if (stands && name_key(base_.entity_name(*of_base)) == key) return of_base;
  if (const auto found = find_new(by_key_, key, name_key)) return found;
  if (stands) return of_base;
  if (const auto found = find_new(by_loose_, folded, fold_name)) return found;
  const auto by_id = by_id_.find(std::string(name));
  if (by_id != by_id_.end() && !entity_name(by_id->second).empty()) return by_id->second;
  return of_base && details(base_).id(*of_base) == name && !entity_name(*of_base).empty() ? of_base
                                                                                          : std::nullopt;
}

std::optional<RelationId> Delta::find_relation(std::string_view name) const {
  if (invalid_utf8_at(name)) return std::nullopt;
  if (const auto found = base_.find_relation(name)) return found;
  const auto found = relation_keys_.find(name_key(relation_spelling(name)));
  return found == relation_keys_.end() ? std::nullopt : std::optional<RelationId>(found->second);
}

bool Delta::base_has(const Triple& fact) const {
  return fact.head < base_.num_entities() && base_.has_edge(fact);
}

bool Delta::has_fact(const Triple& fact) const {
  return added_.contains(fact) || (base_has(fact) && !hidden_.contains(fact));
}

FactNote Delta::note_of(const Triple& fact) const {
  if (const auto found = added_.find(fact); found != added_.end()) return *found->second;
  FactNote note;
  const auto number = edge_number(base_, fact);
  if (!number) return note;
  note.weight = details(base_).given_weight(*number);
  for (const std::string_view source : details(base_).sources(*number)) note.sources.emplace_back(source);
  return note;
}

bool Delta::is_qualified(const Triple& fact) const {
  const auto number = added_.contains(fact) ? std::nullopt : edge_number(base_, fact);
  return number && !details(base_).qualifiers(*number).empty();
}

std::vector<Edge> Delta::edges_of(EntityId head) const {
  std::vector<Edge> edges;
  if (head < base_.num_entities())
    for (const Edge& edge : base_.out_edges(head))
      if (!hidden_.contains({head, edge.relation, edge.tail})) edges.push_back(edge);
  const std::size_t of_base = edges.size();
  for (auto at = added_.lower_bound({head, 0, 0}); at != added_.end() && at->first.head == head; ++at)
    edges.push_back({at->first.relation, at->first.tail});
  std::inplace_merge(edges.begin(), edges.begin() + static_cast<std::ptrdiff_t>(of_base), edges.end());
  return edges;
}

std::vector<std::string> Delta::aliases_of(EntityId entity) const {
  std::vector<std::string> all;
  const auto dropped = dropped_aliases_.find(entity);
  if (entity < base_.num_entities())
    for (const std::string_view alias : details(base_).aliases(entity))
      if (dropped == dropped_aliases_.end() || !dropped->second.contains(std::string(alias)))
        all.emplace_back(alias);
  if (const auto added = aliases_.find(entity); added != aliases_.end())
    all.insert(all.end(), added->second.begin(), added->second.end());
  return all;
}

std::set<EntityId> Delta::called(std::string_view name) const {
  if (!base_alias_keys_) {
    base_alias_keys_.emplace();
    if (const GraphDetails& given = details(base_); given.has_aliases())
      for (EntityId e = 0; e < base_.num_entities(); ++e)
        for (const std::string_view alias : given.aliases(e)) base_alias_keys_->emplace(name_key(alias), e);
  }
  std::set<EntityId> all;
  const std::string key = name_key(name);
  for (const NameKeys* const keys :
       std::initializer_list<const NameKeys*>{&alias_keys_, &*base_alias_keys_}) {
    const auto [begin, end] = keys->equal_range(key);
    for (auto at = begin; at != end; ++at) {
      const std::vector<std::string> now = aliases_of(at->second);
      if (std::any_of(now.begin(), now.end(), [&](const std::string& own) { return name_key(own) == key; }))
        all.insert(at->second);
    }
  }
  return all;
}

std::set<EntityId> Delta::realiased() const {
  std::set<EntityId> all;
  for (const auto& [entity, names] : aliases_) all.insert(entity);
  for (const auto& [entity, names] : dropped_aliases_) all.insert(entity);
  return all;
}

void Delta::name(EntityId entity, const std::string& after) {
  if (entity < base_.num_entities()) {
    if (after == base_.entity_name(entity))
      renamed_.erase(entity);
    else
      renamed_[entity] = after;
  } else if (entity == num_entities()) {
    new_names_.push_back(after);
  } else {
    check_follows(entity < num_entities(), "an entity of a later edit");
    new_names_[entity - base_.num_entities()] = after;
  }
  if (after.empty()) return;
  by_key_.emplace(name_key(after), entity);
  by_loose_.emplace(fold_name(after), entity);
}

void Delta::fact(const Change& change) {
  const Triple& fact = change.fact;
  check_follows(fact.head < num_entities() && fact.tail < num_entities() && fact.relation < num_relations(),
                "a fact of what is not there");
  const Triple back{fact.tail, inverse(fact.relation), fact.head};
  switch (change.kind) {
    case ChangeKind::kAdd:
      check_follows(!added_.contains(fact), "a fact that is there");
      added_.emplace(fact, change.note);
      added_.emplace(back, change.note);
      num_connected_ = std::max({num_connected_, fact.head + 1, fact.tail + 1});
      return;
    case ChangeKind::kDrop:
      check_follows(added_.erase(fact) == 1, "a fact that no edit added");
      added_.erase(back);
      return;
    case ChangeKind::kHide:
      check_follows(base_has(fact) && hidden_.insert(fact).second, "a fact that the base does not have");
      hidden_.insert(back);
      return;
    default:
      check_follows(hidden_.erase(fact) == 1, "a fact that is not hidden");
      hidden_.erase(back);
  }
}

void Delta::apply(const Change& change) {
  switch (change.kind) {
    case ChangeKind::kName:
      return name(change.entity, change.after);
    case ChangeKind::kId:
      check_follows(change.entity >= base_.num_entities() && change.entity < num_entities(),
                    "an id of no new entity");
      new_ids_[change.entity] = change.after;
      by_id_[change.after] = change.entity;
      return;
    case ChangeKind::kRelation:
      for (const std::string& name : {change.after, "~" + change.after}) {
        relation_keys_.emplace(name_key(name), num_relations());
        new_relations_.push_back(name);
      }
      return;
    case ChangeKind::kAlias: {
      const auto dropped = dropped_aliases_.find(change.entity);
      if (dropped != dropped_aliases_.end() && dropped->second.erase(change.after) > 0) {
        if (dropped->second.empty()) dropped_aliases_.erase(dropped);
      } else {
        aliases_[change.entity].push_back(change.after);
        alias_keys_.emplace(name_key(change.after), change.entity);
      }
      return;
    }
    case ChangeKind::kNoAlias: {
      const auto added = aliases_.find(change.entity);
      if (added != aliases_.end() && std::erase(added->second, change.before) > 0) {
        if (added->second.empty()) aliases_.erase(added);
      } else {
        dropped_aliases_[change.entity].insert(change.before);
      }
      return;
    }
    case ChangeKind::kDescribe:
    case ChangeKind::kJoin:
    case ChangeKind::kPart:
      return;  // texts are no part of the graph: Values reads them
    default:
      fact(change);
  }
}

}  // namespace kgwalk::graph
