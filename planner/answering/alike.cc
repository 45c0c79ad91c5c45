#include "planner/answering/alike.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "dialogue/linking/name_index.h"
#include "forms/rows.h"

namespace kgwalk {
namespace {

using graph::EntityId;

constexpr std::size_t kMostThere = 4000;  // things that a step leads back to
constexpr std::size_t kMostVisited = 400'000;

bool have_common(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](std::uint32_t type) { return std::binary_search(b.begin(), b.end(), type); });
}

}  // namespace

std::vector<graph::Triple> shared_facts(const listening::Lexicon& lexicon, EntityId a, EntityId b) {
  const graph::KnowledgeGraph& graph = lexicon.graph();
  std::vector<std::pair<std::size_t, graph::Triple>> shared;
  for (const graph::Edge& edge : graph.out_edges(a))
    if (edge.tail != b && (lexicon.is_askable(edge.relation) || lexicon.tells_types(edge.relation)) &&
        graph.has_edge({b, edge.relation, edge.tail}))
      shared.emplace_back(forms::row(graph, edge.tail, graph.inverse(edge.relation)).size(),
                          graph::Triple{a, edge.relation, edge.tail});
  std::sort(shared.begin(), shared.end());
  std::vector<graph::Triple> facts;
  facts.reserve(shared.size());
  for (const auto& [there, fact] : shared) facts.push_back(fact);
  return facts;
}

std::vector<AlikeThing> alike_things(const listening::Lexicon& lexicon, EntityId of,
                                     std::optional<std::uint32_t> type, std::size_t most) {
  const graph::KnowledgeGraph& graph = lexicon.graph();
  struct Shared {
    double rare;
    graph::Triple fact;
  };
  std::unordered_map<EntityId, std::vector<Shared>> shared;
  std::size_t visited = 0;
  const double all = static_cast<double>(std::max<std::size_t>(graph.num_entities(), 2));
  for (const graph::Edge& edge : graph.out_edges(of)) {
    if (!lexicon.is_askable(edge.relation) || lexicon.is_type_relation(edge.relation) || edge.tail == of ||
        lexicon.values().kind(edge.tail) != graph::ValueKind::kThing)
      continue;
    const auto there = forms::row(graph, edge.tail, graph.inverse(edge.relation));
    if (there.size() < 2 || there.size() > kMostThere) continue;
    if ((visited += there.size()) > kMostVisited) break;
    const double rare = std::log(all / static_cast<double>(there.size()));
    for (const graph::Edge& back : there)
      if (back.tail != of) shared[back.tail].push_back({rare, {back.tail, edge.relation, edge.tail}});
  }
  const std::vector<std::uint32_t>& types = lexicon.types_of(of);
  const listening::EndKind kind = lexicon.kind_of(of);
  const std::string name(dialogue::plain_name(graph.entity_name(of)));
  std::vector<AlikeThing> alike;
  for (auto& [entity, facts] : shared) {
    const bool fits =
        type ? std::binary_search(lexicon.types_of(entity).begin(), lexicon.types_of(entity).end(), *type)
        : types.empty() ? kind == listening::EndKind::kUnknown || lexicon.kind_of(entity) == kind ||
                              lexicon.kind_of(entity) == listening::EndKind::kUnknown
                        : have_common(lexicon.types_of(entity), types);
    if (!fits || dialogue::plain_name(graph.entity_name(entity)) == name) continue;
    std::sort(facts.begin(), facts.end(), [](const Shared& a, const Shared& b) {
      return std::pair(-a.rare, a.fact) < std::pair(-b.rare, b.fact);
    });
    AlikeThing thing{entity, 0, {}};
    for (const Shared& each : facts) {
      thing.shared += each.rare;
      thing.facts.push_back(each.fact);
    }
    alike.push_back(std::move(thing));
  }
  std::sort(alike.begin(), alike.end(), [](const AlikeThing& a, const AlikeThing& b) {
    return std::pair(-a.shared, a.entity) < std::pair(-b.shared, b.entity);
  });
  alike.resize(std::min(alike.size(), most));
  return alike;
}

}  // namespace kgwalk
