#include "kgwalk/explore.h"

#include <algorithm>
#include <span>

#include "dialogue/linking/name_index.h"
#include "dialogue/linking/spoken_relation.h"
#include "graph/entity_named.h"
#include "kgwalk/distances.h"
#include "kgwalk/error.h"
#include "planner/queries/kinds.h"
#include "planner/queries/names.h"
#include "runtime/text.h"

namespace kgwalk {
namespace {

using graph::Edge;
using graph::EntityId;

// The words of a name, one space between them; of a name without letters and digits its folded form.
std::string searched_form(std::string_view text) {
  std::string out;
  for (const std::string& word : dialogue::words_of(text)) out += (out.empty() ? "" : " ") + word;
  return out.empty() ? fold_name(text) : out;
}

}  // namespace

struct Explorer::Impl {
  struct Place {  // a word of a name
    EntityId entity;
    std::uint32_t begin;  // its first byte in `text`
    std::uint32_t end;    // of the name
    std::uint32_t first;  // byte of the name
  };

  struct Hit {
    NameFit fit;
    std::size_t edges;
    EntityId entity;
  };

  explicit Impl(const graph::KnowledgeGraph& of);
  [[nodiscard]] std::vector<Hit> hits(const std::string& typed) const;
  [[nodiscard]] std::span<const Place> places_of(std::string_view typed) const;
  [[nodiscard]] std::vector<Hit> hits_of_words(const std::string& typed) const;
  [[nodiscard]] static std::vector<Hit> ranked(std::vector<Hit> hits);
  [[nodiscard]] NeighborGroup group(std::span<const Edge> edges, const Around& request) const;
  [[nodiscard]] std::string_view from(const Place& place) const {
    return std::string_view(text).substr(place.begin, place.end - place.begin);
  }
  [[nodiscard]] EntityFound found(EntityId entity, NameFit fit) const {
    return {std::string(graph.entity_name(entity)), graph.out_edges(entity).size(),
            std::string(kinds.of(entity)), fit};
  }

  const graph::KnowledgeGraph& graph;
  EntityKinds kinds;
  std::string text;           // all names
  std::vector<Place> places;  // by what follows in the name
};

Explorer::Impl::Impl(const graph::KnowledgeGraph& of) : graph(of), kinds(of) {
  for (EntityId entity = 0; entity < graph.num_entities(); ++entity) {
    const std::string name = searched_form(graph.entity_name(entity));
    const auto first = static_cast<std::uint32_t>(text.size());
    text += name;
    for (std::size_t i = 0; i < name.size(); ++i)
      if (i == 0 || name[i - 1] == ' ')
        places.push_back(
            {entity, first + static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(text.size()), first});
  }
  std::sort(places.begin(), places.end(), [this](const Place& a, const Place& b) {
    const int order = from(a).compare(from(b));
    return order != 0 ? order < 0 : a.entity < b.entity;
  });
}

Explorer::Explorer(const graph::KnowledgeGraph& graph) : impl_(std::make_unique<const Impl>(graph)) {}
Explorer::Explorer(Explorer&&) noexcept = default;
Explorer& Explorer::operator=(Explorer&&) noexcept = default;
Explorer::~Explorer() = default;

// Where a name goes on with what was typed.
std::span<const Explorer::Impl::Place> Explorer::Impl::places_of(std::string_view typed) const {
  const auto cut = [&](const Place& place) { return from(place).substr(0, typed.size()); };
  const auto begin = std::partition_point(places.begin(), places.end(),
                                          [&](const Place& place) { return cut(place) < typed; });
  const auto end =
      std::partition_point(begin, places.end(), [&](const Place& place) { return cut(place) == typed; });
  return {begin, end};
}

std::vector<Explorer::Impl::Hit> Explorer::Impl::hits(const std::string& typed) const {
  std::vector<Hit> found;
  for (const Place& place : places_of(typed)) {
    const bool whole = place.begin == place.first, same = whole && from(place).size() == typed.size();
    found.push_back({same    ? NameFit::kSame
                     : whole ? NameFit::kBegins
                             : NameFit::kWordBegins,
                     graph.out_edges(place.entity).size(), place.entity});
  }
  return ranked(std::move(found));
}

// Names that have, in this order, words which begin with the words typed: "chris n" for Christopher Nolan.
std::vector<Explorer::Impl::Hit> Explorer::Impl::hits_of_words(const std::string& typed) const {
  const std::size_t end = typed.find(' ');
  if (end == std::string::npos) return {};
  std::vector<Hit> found;
  for (const Place& place : places_of(std::string_view(typed).substr(0, end))) {
    const std::string_view name = from(place);
    std::size_t at = 0;
    bool all = true;
    for (std::size_t word = end + 1; all && word < typed.size();) {
      const std::size_t next = std::min(typed.find(' ', word), typed.size());
      at = name.find(' ' + typed.substr(word, next - word), at);
      all = at != std::string_view::npos;
      if (all) ++at;
      word = next + 1;
    }
    if (all) found.push_back({NameFit::kWordBegins, graph.out_edges(place.entity).size(), place.entity});
  }
  return ranked(std::move(found));
}

// Each entity once, the best first.
std::vector<Explorer::Impl::Hit> Explorer::Impl::ranked(std::vector<Hit> found) {
  // A name may hold several such words: its best fit counts.
  std::sort(found.begin(), found.end(), [](const Hit& a, const Hit& b) {
    return a.entity != b.entity ? a.entity < b.entity : a.fit < b.fit;
  });
  found.erase(std::unique(found.begin(), found.end(),
                          [](const Hit& a, const Hit& b) { return a.entity == b.entity; }),
              found.end());
  std::stable_sort(found.begin(), found.end(), [](const Hit& a, const Hit& b) {
    return a.fit != b.fit ? a.fit < b.fit : a.edges > b.edges;
  });
  return found;
}

std::vector<EntityFound> Explorer::search(std::string_view text, std::size_t count) const {
  if (invalid_utf8_at(text)) return {};
  const std::string typed = searched_form(text);
  if (typed.empty() || count == 0) return {};
  std::vector<EntityFound> out;
  std::vector<Impl::Hit> hits = impl_->hits(typed);
  if (hits.empty()) hits = impl_->hits_of_words(typed);
  for (std::size_t i = 0; i < std::min(count, hits.size()); ++i)
    out.push_back(impl_->found(hits[i].entity, hits[i].fit));
  if (!out.empty()) return out;
  for (const std::string& near : impl_->graph.suggest_entities(text, count))
    out.push_back(impl_->found(*impl_->graph.find_entity(near), NameFit::kNear));
  return out;
}

NeighborGroup Explorer::Impl::group(std::span<const Edge> edges, const Around& request) const {
  std::vector<EntityId> tails;
  for (const Edge& edge : edges) tails.push_back(edge.tail);
  std::stable_sort(tails.begin(), tails.end(), [&](EntityId a, EntityId b) {
    return graph.out_edges(a).size() > graph.out_edges(b).size();
  });
  const std::string relation(graph.relation_name(edges.front().relation));
  NeighborGroup out{relation, dialogue::relation_label(relation), tails.size(), {}};
  for (std::size_t i = request.skip; i < tails.size() && i - request.skip < request.per_relation; ++i)
    out.tails.push_back(found(tails[i], NameFit::kSame));
  return out;
}

Neighborhood Explorer::around(const Around& request) const {
  const graph::KnowledgeGraph& graph = impl_->graph;
  if (request.per_relation < 1) throw ConfigError("per_relation must be at least 1");
  const EntityId entity = graph::entity_named(graph, request.entity);
  const std::optional<graph::RelationId> only =
      request.relation.empty() ? std::nullopt : std::optional(relation_named(graph, request.relation));
  const std::span<const Edge> edges = graph.out_edges(entity);
  Neighborhood out{
      std::string(graph.entity_name(entity)), std::string(impl_->kinds.of(entity)), edges.size(), {}};
  for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
    while (end < edges.size() && edges[end].relation == edges[begin].relation) ++end;
    if (!only || edges[begin].relation == *only)
      out.groups.push_back(impl_->group(edges.subspan(begin, end - begin), request));
  }
  return out;
}

std::vector<KindCount> Explorer::kinds() const { return impl_->kinds.counts(); }

std::vector<RelationCount> Explorer::relations(std::size_t count) const {
  const graph::KnowledgeGraph& graph = impl_->graph;
  std::vector<RelationCount> all(graph.num_relations());
  for (graph::RelationId r = 0; r < graph.num_relations(); ++r) {
    all[r].relation = graph.relation_name(r);
    all[r].label = dialogue::relation_label(all[r].relation);
  }
  for (const Edge& edge : graph.edges()) ++all[edge.relation].facts;
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.facts > b.facts; });
  if (all.size() > count) all.resize(count);
  return all;
}

std::optional<std::vector<NamedHop>> Explorer::way(std::string_view from, std::string_view to) const {
  const graph::KnowledgeGraph& graph = impl_->graph;
  const auto hops = graph::shortest_path(graph, graph::entity_named(graph, from, "start"),
                                         graph::entity_named(graph, to, "goal"));
  if (!hops) return std::nullopt;
  std::vector<NamedHop> out;
  for (const graph::Triple& hop : *hops) out.push_back(named_hop(graph, hop));
  return out;
}

}  // namespace kgwalk
