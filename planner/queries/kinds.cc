#include "planner/queries/kinds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "dialogue/questions/bank.h"
#include "dialogue/questions/wording_text.h"
#include "kgwalk/graph_details.h"

namespace kgwalk {
namespace {

using graph::EntityId;
using graph::RelationId;

constexpr std::size_t kMostTypes = 1000;  // types told apart; rarer ones are of no kind
constexpr std::size_t kKindExamples = 3;

// In the order of dialogue::Kind; a thing is anything.
constexpr std::array<const char*, 4> kBankKinds{"person", "work", "place", "organization"};

}  // namespace

EntityKinds::EntityKinds(const graph::KnowledgeGraph& graph) : graph_(graph) {
  if (const auto type = graph::details(graph).type_relation()) {
    read_types(*type);
  } else {
    read_relations();
  }
}

void EntityKinds::read_types(RelationId type) {
  std::map<EntityId, std::size_t> having;
  std::size_t typed = 0;
  const auto types_of = [&](EntityId entity, auto&& each) {
    bool any = false;
    for (const graph::Edge& edge : graph_.out_edges(entity))
      if (edge.relation == type) any = true, each(edge.tail);
    return any;
  };
  for (EntityId e = 0; e < graph_.num_connected(); ++e)
    typed += types_of(e, [&](EntityId tail) { ++having[tail]; }) ? 1 : 0;
  std::vector<std::pair<std::size_t, EntityId>> order;
  for (const auto& [tail, count] : having)
    if (having.size() == 1 || 10 * count < 9 * typed) order.emplace_back(count, tail);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (order.size() > kMostTypes) order.resize(kMostTypes);
  std::map<EntityId, std::uint32_t> places;  // the lower, the more have it
  for (const auto& [count, tail] : order) {
    places.emplace(tail, static_cast<std::uint32_t>(names_.size()));
    names_.emplace_back(graph_.entity_name(tail));
  }
  of_type_.assign(graph_.num_connected(), 0);
  for (EntityId e = 0; e < graph_.num_connected(); ++e)
    types_of(e, [&](EntityId tail) {
      const auto found = places.find(tail);
      if (found != places.end() && (of_type_[e] == 0 || found->second < of_type_[e]))
        of_type_[e] = found->second;
    });
}

void EntityKinds::read_relations() {
  for (const char* name : kBankKinds) names_.emplace_back(name);
  std::map<std::string, dialogue::Kind> heads;
  for (const dialogue::Family& family : dialogue::builtin_bank().families)
    for (const std::string& relation : family.relations) {
      const bool back = relation.starts_with('~');
      const std::string plain = back ? relation.substr(1) : relation;
      heads.emplace(dialogue::relation_key(plain), back ? family.tail : family.head);
      heads.emplace(dialogue::relation_key("~" + plain), back ? family.head : family.tail);
    }
  for (RelationId r = 0; r < graph_.num_relations(); ++r) {
    const auto found = heads.find(dialogue::relation_key(graph_.relation_name(r)));
    of_relation_.push_back(found == heads.end() ? 0 : static_cast<std::uint32_t>(found->second) + 1);
  }
}

// Relations that tell of a thing (a year, a genre) speak against the kinds. Many facts of one relation count
// for more than one, but not for as much as several relations do: "Author" has thousands of authors and is,
// by one fact, an author himself.
std::size_t EntityKinds::place_of(EntityId entity) const {
  if (entity >= graph_.num_connected()) return 0;
  if (!of_type_.empty()) return of_type_[entity];
  std::array<double, kBankKinds.size() + 2> voices{};  // of relations that tell nothing, of kinds, of things
  const auto edges = graph_.out_edges(entity);
  for (auto begin = edges.begin(); begin != edges.end();) {
    const auto end =
        std::upper_bound(begin, edges.end(), begin->relation,
                         [](RelationId r, const graph::Edge& edge) { return r < edge.relation; });
    voices[of_relation_[begin->relation]] += std::log2(1 + static_cast<double>(end - begin));
    begin = end;
  }
  const auto most = std::max_element(voices.begin() + 1, voices.end());
  return *most == 0 || most + 1 == voices.end() ? 0 : static_cast<std::size_t>(most - voices.begin());
}

std::string_view EntityKinds::of(EntityId entity) const { return names_[place_of(entity)]; }

std::vector<KindCount> EntityKinds::counts() const {
  std::vector<KindCount> counts(names_.size());
  std::vector<std::vector<EntityId>> examples(names_.size());
  const auto more = [this](EntityId a, EntityId b) {
    return graph_.out_edges(a).size() > graph_.out_edges(b).size();
  };
  for (EntityId e = 0; e < graph_.num_connected(); ++e) {
    const std::size_t place = place_of(e);
    if (place == 0) continue;
    ++counts[place].entities;
    std::vector<EntityId>& known = examples[place];
    known.insert(std::upper_bound(known.begin(), known.end(), e, more), e);
    if (known.size() > kKindExamples) known.pop_back();
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    counts[i].kind = names_[i];
    for (const EntityId e : examples[i]) counts[i].examples.emplace_back(graph_.entity_name(e));
  }
  std::erase_if(counts, [](const KindCount& count) { return count.entities == 0; });
  std::stable_sort(counts.begin(), counts.end(),
                   [](const auto& a, const auto& b) { return a.entities > b.entities; });
  return counts;
}

}  // namespace kgwalk
