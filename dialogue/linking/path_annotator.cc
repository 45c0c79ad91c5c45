#include "dialogue/linking/path_annotator.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "dialogue/linking/name_index.h"
#include "kgwalk/error.h"

namespace kgwalk::dialogue {
namespace {

using graph::Edge;
using graph::EntityId;
using graph::Triple;

constexpr double kWordOfRelation = 5;  // times as likely when the message has a word of the relation
constexpr std::size_t kMostEdges =
    3000;  // of an entity in the middle of a path; those of larger hubs are unlikely

std::unordered_set<std::string> word_set(const std::string& text) {
  const std::vector<std::string> words = words_of(text);
  return {words.begin(), words.end()};
}

// Words that relations share with any sentence say nothing.
bool is_telling(const std::string& word) { return word.size() > 3; }

}  // namespace

// All paths between two sets of entities; the best of them and what they sum up to.
struct PathAnnotator::Search {
  const graph::KnowledgeGraph& graph;
  const std::vector<double>& length_shares;
  std::unordered_set<std::string> said;
  EntityId goal;
  std::unordered_map<graph::RelationId, double> favors;
  std::unordered_map<EntityId, std::vector<graph::RelationId>>
      before_goal;  // entities with edges to the goal
  double all = 0, best = 0;
  std::vector<Triple> path;

  Search(const graph::KnowledgeGraph& of, const std::string& text, EntityId to,
         const std::vector<double>& shares)
      : graph(of), length_shares(shares), said(word_set(text)), goal(to) {
    // Every edge has its inverse: those of the goal tell who leads to it.
    for (const Edge& edge : graph.out_edges(goal))
      before_goal[edge.tail].push_back(graph.inverse(edge.relation));
  }

  double favor(graph::RelationId relation) {
    const auto found = favors.find(relation);
    if (found != favors.end()) return found->second;
    const std::vector<std::string> words = words_of(graph.relation_name(relation));
    const bool told = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
      return is_telling(word) && said.contains(word);
    });
    return favors[relation] = told ? kWordOfRelation : 1;
  }

  void found(double share, std::vector<Triple> hops) {
    all += share;
    if (share <= best) return;
    best = share;
    path = std::move(hops);
  }

  // One more hop to the goal from where a path of `hops` ends; `share` is that of the path so far.
  void finish(EntityId at, double share, const std::vector<Triple>& hops) {
    const auto last = before_goal.find(at);
    if (last == before_goal.end()) return;
    const double each = share / static_cast<double>(graph.out_edges(at).size());
    for (const graph::RelationId relation : last->second) {
      std::vector<Triple> whole = hops;
      whole.push_back({at, relation, goal});
      found(each * favor(relation) * length_shares[hops.size()], std::move(whole));
    }
  }

  void walk(EntityId start, int max_hops) {
    finish(start, 1, {});
    if (max_hops < 2 || graph.out_edges(start).size() > kMostEdges) return;
    const double each = 1 / static_cast<double>(graph.out_edges(start).size());
    for (const Edge& edge : graph.out_edges(start)) {
      if (edge.tail == goal || edge.tail == start) continue;
      const double share = each * favor(edge.relation);
      const std::vector<Triple> one{{start, edge.relation, edge.tail}};
      finish(edge.tail, share, one);
      const auto edges = graph.out_edges(edge.tail);
      if (max_hops < 3 || edges.size() > kMostEdges) continue;
      for (const Edge& second : edges) {
        if (second.tail == goal || second.tail == start || second.tail == edge.tail) continue;
        if (!before_goal.contains(second.tail)) continue;
        finish(second.tail, share / static_cast<double>(edges.size()) * favor(second.relation),
               {one[0], {edge.tail, second.relation, second.tail}});
      }
    }
  }
};

PathAnnotator::PathAnnotator(const graph::KnowledgeGraph& graph, const EntityLinker& linker,
                             const AnnotateConfig& config)
    : graph_(graph), linker_(linker), config_(config) {
  if (config.max_hops < 1 || config.max_hops > kMostAnnotatedHops)
    throw ConfigError("paths of an annotation have 1 to " + std::to_string(kMostAnnotatedHops) + " hops");
  if (config.length_shares.size() < static_cast<std::size_t>(config.max_hops) ||
      !std::all_of(config.length_shares.begin(), config.length_shares.end(),
                   [](double share) { return share > 0 && share <= 1; }))
    throw ConfigError("length_shares: must have a share above 0 for each length of a path");
  if (!(config.least >= 0 && config.least <= 1))
    throw ConfigError("the least share of a path is from 0 to 1");
  if (config.messages < 1) throw ConfigError("paths begin in 1 message before or more");
}

std::optional<AnnotatedPath> PathAnnotator::path_to(const std::vector<EntityId>& from, EntityId to,
                                                    const std::string& text) const {
  Search search(graph_, text, to, config_.length_shares);
  for (const EntityId start : from)
    if (start != to) search.walk(start, config_.max_hops);
  if (search.path.empty()) return std::nullopt;
  return AnnotatedPath{std::move(search.path), search.best / search.all};
}

std::vector<EntityId> PathAnnotator::entities_of(const Json& message, std::optional<EntityId> near) const {
  std::vector<EntityId> found;
  const auto add = [&](EntityId entity) {
    if (std::find(found.begin(), found.end(), entity) == found.end()) found.push_back(entity);
  };
  if (message.contains("entities") && message["entities"].is_array()) {
    for (const Json& name : message["entities"])
      if (name.is_string())
        if (const auto entity = graph_.find_entity(name.get_ref<const std::string&>())) add(*entity);
    return found;
  }
  for (const LinkedMention& mention : linker_.mentions(message["text"].get_ref<const std::string&>(), near))
    add(mention.entities.front());
  return found;
}

struct PathAnnotator::Talk {
  std::vector<std::vector<EntityId>> named;  // by message
  std::optional<EntityId> last;              // where the last path ended

  // Where a path may begin: what the last `messages` messages named, and the end of the last path.
  [[nodiscard]] std::vector<EntityId> starts(int messages) const {
    std::vector<EntityId> from;
    const std::size_t first = named.size() - std::min(named.size(), static_cast<std::size_t>(messages));
    for (std::size_t i = named.size(); i-- > first;)
      from.insert(from.end(), named[i].begin(), named[i].end());
    if (last && std::find(from.begin(), from.end(), *last) == from.end()) from.push_back(*last);
    return from;
  }
};

// The likeliest path to an entity that is new in this message.
std::optional<AnnotatedPath> PathAnnotator::new_path(const std::vector<EntityId>& from,
                                                     const std::vector<EntityId>& here,
                                                     const std::string& text) const {
  std::optional<AnnotatedPath> best;
  for (const EntityId entity : here) {
    if (std::find(from.begin(), from.end(), entity) != from.end()) continue;
    auto path = path_to(from, entity, text);
    if (path && (!best || path->weight > best->weight)) best = std::move(path);
  }
  return best;
}

void PathAnnotator::annotate_message(Json& message, Talk& talk, AnnotationCounts& counts) const {
  if (!message.is_object() || !message.contains("text") || !message["text"].is_string())
    throw ConfigError("a message without a \"text\"");
  ++counts.messages;
  std::vector<EntityId> here = entities_of(message, talk.last);
  const std::vector<EntityId> from = talk.starts(config_.messages);
  if (!here.empty()) ++counts.with_entities;
  if (!here.empty() && !message.contains("entities"))
    for (const EntityId entity : here) message["entities"].push_back(graph_.entity_name(entity));
  if (message.contains("path") && message["path"].is_array() && !message["path"].empty()) {
    ++counts.given_paths;
    const Json& hop = message["path"].back();
    if (hop.is_array() && hop.size() == 3 && hop[2].is_string())
      talk.last = graph_.find_entity(hop[2].get_ref<const std::string&>());
  } else if (const auto path = new_path(from, here, message["text"].get_ref<const std::string&>())) {
    if (path->weight < config_.least) {
      ++counts.unlikely;
    } else {
      ++counts.paths;
      message["path"] = Json::array();
      for (const Triple& hop : path->hops)
        message["path"].push_back(
            {graph_.entity_name(hop.head), graph_.relation_name(hop.relation), graph_.entity_name(hop.tail)});
      message["weight"] = std::round(path->weight * 1000) / 1000;
      talk.last = path->hops.back().tail;
    }
  }
  talk.named.push_back(std::move(here));
}

Json PathAnnotator::annotate(const Json& dialogue, AnnotationCounts& counts) const {
  if (!dialogue.is_object() || !dialogue.contains("messages") || !dialogue["messages"].is_array())
    throw ConfigError("not an object with a list \"messages\"");
  Json out = dialogue;
  ++counts.dialogues;
  Talk talk;
  for (Json& message : out["messages"]) annotate_message(message, talk, counts);
  return out;
}

}  // namespace kgwalk::dialogue
