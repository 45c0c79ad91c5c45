#include "walker/search/answers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "walker/search/search.h"

namespace kgwalk::walker {
namespace {

using graph::EntityId;
constexpr std::size_t kMostReached = 500;

using Way = std::vector<graph::RelationId>;  // relations of a path

Way way_of(const ScoredPath& path) {
  Way way;
  for (int h = 0; h < path.num_hops; ++h) way.push_back(path.hops[static_cast<std::size_t>(h)].relation);
  return way;
}

EntityId end_of(const ScoredPath& path) {
  return path.hops[static_cast<std::size_t>(path.num_hops - 1)].tail;
}

std::vector<AnsweredEntity> by_entity(const std::vector<ScoredPath>& paths, EntityId start) {
  std::vector<AnsweredEntity> entities;
  std::unordered_map<EntityId, std::size_t> places;
  for (const ScoredPath& path : paths) {
    const EntityId end = end_of(path);
    if (end == start) continue;
    const auto [place, added] = places.emplace(end, entities.size());
    if (added) entities.push_back({end, 0, path});
    entities[place->second].probability += std::exp(path.log_prob);
  }
  std::stable_sort(entities.begin(), entities.end(), [](const AnsweredEntity& a, const AnsweredEntity& b) {
    return a.probability > b.probability;
  });
  return entities;
}

// Ways about as likely as the likeliest: those that say what was asked for.
std::vector<Way> likely_ways(const std::vector<ScoredPath>& paths, double same) {
  std::map<Way, double> shares;
  double best = 0;
  for (const ScoredPath& path : paths) {
    double& share = shares[way_of(path)];
    share += std::exp(path.log_prob);
    best = std::max(best, share);
  }
  std::vector<Way> ways;
  for (const auto& [way, share] : shares)
    if (share >= same * best) ways.push_back(way);
  return ways;
}

void follow(const graph::KnowledgeGraph& graph, const Way& way, EntityId start, std::vector<EntityId>& ends,
            std::unordered_map<EntityId, ScoredPath>& found) {
  std::vector<std::pair<EntityId, ScoredPath>> front{{start, ScoredPath{}}};
  for (const graph::RelationId relation : way) {
    std::unordered_map<EntityId, ScoredPath> next;
    std::vector<std::pair<EntityId, ScoredPath>> grown;
    for (const auto& [here, path] : front)
      for (const graph::Edge& edge : graph.out_edges(here)) {
        if (edge.relation != relation || edge.tail == start) continue;
        ScoredPath longer = path;
        longer.hops[static_cast<std::size_t>(longer.num_hops++)] = edge;
        if (next.emplace(edge.tail, longer).second) grown.emplace_back(edge.tail, longer);
      }
    front = std::move(grown);
  }
  for (auto& [end, path] : front)
    if (found.emplace(end, path).second) ends.push_back(end);
}

// The entities of a list come first, likeliest first, those that the beam cut away among them.
void take_list(const graph::KnowledgeGraph& graph, const std::vector<ScoredPath>& paths, EntityId start,
               const AnswerConfig& config, Answer& answer) {
  std::vector<EntityId> ends;
  std::unordered_map<EntityId, ScoredPath> found;
  for (const Way& way : likely_ways(paths, config.same)) follow(graph, way, start, ends, found);
  std::vector<AnsweredEntity> list, others;
  for (AnsweredEntity& entity : answer.entities)
    (found.contains(entity.entity) ? list : others).push_back(entity);
  for (const EntityId end : ends)
    if (std::none_of(list.begin(), list.end(), [&](const AnsweredEntity& e) { return e.entity == end; }))
      list.push_back({end, 0, found.at(end)});
  answer.right = list.size();
  answer.entities = std::move(list);
  answer.entities.insert(answer.entities.end(), others.begin(), others.end());
}

// Ends more than a hop away are many, and a beam sees some of the paths to each: they come in the order in which all paths
// together reach them.
void order_by_reach(const graph::KnowledgeGraph& graph, const std::vector<ScoredPath>& paths, EntityId start,
                    const std::vector<Reached>& reached, const AnswerConfig& config, Answer& answer) {
  if (reached.empty() || reached.front().hops < 2) return;
  std::vector<EntityId> ends;
  std::unordered_map<EntityId, ScoredPath> found;
  for (const AnsweredEntity& entity : answer.entities) found.emplace(entity.entity, entity.path);
  for (const Way& way : likely_ways(paths, config.same))
    if (way.size() > 1) follow(graph, way, start, ends, found);
  std::vector<AnsweredEntity> entities;
  for (const Reached& end : reached)
    if (const auto at = found.find(end.entity); at != found.end() && entities.size() < kMostReached)
      entities.push_back({end.entity, end.probability, at->second});
  answer.entities = std::move(entities);
}

void verify(const graph::KnowledgeGraph& graph, EntityId start, EntityId claim, Answer& answer) {
  double best = 0;
  for (const graph::Edge& edge : graph.out_edges(start)) {
    if (edge.tail != claim) continue;
    const auto heard = std::find_if(answer.hearing.present.begin(), answer.hearing.present.end(),
                                    [&](const HeardRelation& r) { return r.relation == edge.relation; });
    if (heard == answer.hearing.present.end()) continue;
    answer.verified += heard->probability * (1 - answer.hearing.missing);
    if (heard->probability > best) answer.fact = edge;
    best = std::max(best, heard->probability);
  }
}

}  // namespace

Answer answer_of(const graph::KnowledgeGraph& graph, EntityId start, const Hearing& heard,
                 const std::vector<ScoredPath>& paths, const std::vector<Reached>& reached,
                 std::optional<EntityId> claim, const AnswerConfig& config) {
  Answer answer;
  answer.hearing = heard;
  answer.act = static_cast<Act>(std::max_element(heard.acts.begin(), heard.acts.end()) - heard.acts.begin());
  answer.missing = answer.act != Act::kNothing && heard.missing >= config.missing;
  answer.entities = by_entity(paths, start);
  if (answer.act != Act::kNothing) order_by_reach(graph, paths, start, reached, config, answer);
  answer.right = std::min<std::size_t>(1, answer.entities.size());
  if (answer.act == Act::kList) take_list(graph, paths, start, config, answer);
  if (claim) verify(graph, start, *claim, answer);
  return answer;
}

std::vector<Answer> answer(const WalkModel& model, std::span<const Example> examples,
                           std::span<const std::optional<EntityId>> claims, const AnswerConfig& config) {
  SearchTrace trace;
  const std::unique_ptr<Encoded> encoded = model.encode(examples);
  const auto paths =
      beam_paths(model, examples, *encoded, {.beam = config.beam, .max_hops = config.max_hops}, &trace);
  std::vector<Answer> answers;
  if (trace.heard.empty()) return answers;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    std::vector<Reached> reached;
    if (!paths[i].empty() && config.max_hops > 1)
      reached = reach(model.graph(), examples[i].start, model.relation_hearing(*encoded, i),
                      {.max_hops = config.max_hops});
    answers.push_back(answer_of(model.graph(), examples[i].start, trace.heard[i], paths[i], reached,
                                i < claims.size() ? claims[i] : std::nullopt, config));
  }
  return answers;
}

}  // namespace kgwalk::walker
