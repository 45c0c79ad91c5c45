#include "walker/search/ways.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_map>

namespace kgwalk::walker {
namespace {

using graph::EntityId;
using graph::RelationId;

std::span<const graph::Edge> edges_of(const graph::KnowledgeGraph& graph, EntityId entity,
                                      RelationId relation) {
  struct ByRelation {
    bool operator()(const graph::Edge& edge, RelationId r) const { return edge.relation < r; }
    bool operator()(RelationId r, const graph::Edge& edge) const { return r < edge.relation; }
  };
  const auto edges = graph.out_edges(entity);
  const auto [first, last] = std::equal_range(edges.begin(), edges.end(), relation, ByRelation{});
  return {first, last};
}

class Walk {
 public:
  Walk(const graph::KnowledgeGraph& graph, EntityId start, const RelationHearing& hearing,
       const WaysConfig& config)
      : graph_(graph), start_(start), hearing_(hearing), config_(config) {}

  std::vector<Way> run() {
    go_on({{}, 1, {{start_, 1, {}}}});
    std::stable_sort(ways_.begin(), ways_.end(),
                     [](const Way& a, const Way& b) { return a.probability > b.probability; });
    double sum = 0;
    for (const Way& way : ways_) sum += way.probability;
    for (Way& way : ways_) way.probability /= sum;
    return std::move(ways_);
  }

 private:
  // Relations that lead on from any of the ends, in order.
  [[nodiscard]] std::vector<RelationId> present_at(const std::vector<WayEnd>& ends) const {
    std::vector<RelationId> present;
    for (const WayEnd& end : ends)
      for (const graph::Edge& edge : graph_.out_edges(end.entity))
        if (edge.tail != start_ && (present.empty() || present.back() != edge.relation))
          present.push_back(edge.relation);
    std::sort(present.begin(), present.end());
    present.erase(std::unique(present.begin(), present.end()), present.end());
    return present;
  }

  // Follows the ways that begin with this one, and gives the share of those that it is alone.
  double go_on(const Way& way) {
    const auto hop = static_cast<int>(way.relations.size());
    if (hop == config_.max_hops) return 1;
    const std::vector<RelationId> present = present_at(way.ends);
    if (present.empty()) return 1;
    const RelationId before = hop == 0 ? graph_.num_relations() : way.relations.back();
    const std::vector<float> row = hearing_(hop, {&before, 1}).front();
    float top = hop > 0 ? row.back() : row[present.front()];
    for (const RelationId relation : present) top = std::max(top, row[relation]);
    const auto weight = [&](float score) { return std::exp(static_cast<double>(score - top)); };
    const double stop = hop > 0 ? weight(row.back()) : 0;
    double all = stop;
    for (const RelationId relation : present) all += weight(row[relation]);
    for (const RelationId relation : present) {
      const double probability = way.probability * weight(row[relation]) / all;
      if (probability >= config_.least || hop == 0) take(way, relation, probability);
    }
    return stop / all;
  }

  void take(const Way& way, RelationId relation, double probability) {
    Way longer{way.relations, probability, ends_after(way.ends, relation)};
    longer.relations.push_back(relation);
    if (probability >= config_.least) longer.probability *= go_on(longer);
    ways_.push_back(std::move(longer));
  }

  [[nodiscard]] std::vector<WayEnd> ends_after(const std::vector<WayEnd>& from, RelationId relation) const {
    std::vector<WayEnd> ends;
    std::unordered_map<EntityId, std::size_t> places;
    for (const WayEnd& at : from) {
      const auto edges = edges_of(graph_, at.entity, relation);
      const auto onward = std::count_if(edges.begin(), edges.end(),
                                        [&](const graph::Edge& edge) { return edge.tail != start_; });
      for (const graph::Edge& edge : edges) {
        if (edge.tail == start_) continue;
        const auto [place, added] = places.emplace(edge.tail, ends.size());
        if (added) {
          ends.push_back({edge.tail, 0, at.path});
          ScoredPath& path = ends.back().path;
          path.hops[static_cast<std::size_t>(path.num_hops++)] = edge;
        }
        ends[place->second].share += at.share / static_cast<double>(onward);
      }
    }
    if (ends.size() > config_.most_ends) {
      std::stable_sort(ends.begin(), ends.end(),
                       [](const WayEnd& a, const WayEnd& b) { return a.share > b.share; });
      ends.resize(config_.most_ends);
    }
    std::sort(ends.begin(), ends.end(), [](const WayEnd& a, const WayEnd& b) { return a.entity < b.entity; });
    return ends;
  }

  const graph::KnowledgeGraph& graph_;
  const EntityId start_;
  const RelationHearing& hearing_;
  const WaysConfig config_;
  std::vector<Way> ways_;
};

}  // namespace

std::vector<Way> ways_heard(const graph::KnowledgeGraph& graph, EntityId start,
                            const RelationHearing& hearing, const WaysConfig& config) {
  return Walk(graph, start, hearing, config).run();
}

}  // namespace kgwalk::walker
