// A conversation from outside: where it stands as values, where it begins, and a hop taken by a click.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kgwalk/knowledge_graph.h"
#include "planner/conversation/talk.h"

namespace kgwalk {

void Talk::begin(graph::EntityId start, graph::EntityId goal) {
  now_ = {};
  now_.situation.start = start;
  now_.situation.goal = goal;
  now_.placed = true;
  earlier_.clear();
  choice_ = {};
}

Standing Talk::standing() const {
  Standing out;
  const walker::Example& s = now_.situation;
  if (now_.placed) out.at = name(s.start);
  if (s.goal) out.goal = name(*s.goal);
  if (now_.placed && s.goal) {
    const graph::Distance hops = distances().distance(s.start, *s.goal);
    if (hops != graph::kUnreachable) out.distance = hops;
  }
  if (now_.found) {
    out.plan = named(graph(), *now_.found);
    if (now_.taken != kNoPath && now_.taken < now_.found->paths.size()) out.taken = now_.taken;
  }
  for (const graph::EntityId entity : choice_.entities) out.offered.push_back(name(entity));
  out.answered = now_.answered;
  out.steps = earlier_.size();
  return out;
}

// A hop that was weighed at the first point, as a path.
std::optional<FoundPath> Talk::weighed_path(const Findings& found, const graph::Edge& edge) const {
  const std::vector<FoundHop>& weighed = found.branches.front().candidates;
  const auto hop = std::find_if(weighed.begin(), weighed.end(), [&](const FoundHop& candidate) {
    return candidate.triple.relation == edge.relation && candidate.triple.tail == edge.tail;
  });
  if (hop == weighed.end()) return std::nullopt;
  FoundPath path{{*hop}, std::log(hop->probability), 1, {}};
  if (found.goal) {
    const graph::Distance hops = distances().distance(edge.tail, *found.goal);
    if (hops != graph::kUnreachable) path.distance_to_goal = hops;
  }
  return path;
}

std::string Talk::take_weighed(const NamedHop& hop) {
  choice_ = {};
  if (!now_.found || now_.found->branches.empty()) return "Nothing was planned yet.\n";
  const auto relation = graph().find_relation(hop.relation);
  const auto tail = graph().find_entity(hop.tail);
  const std::vector<FoundPath>& paths = now_.found->paths;
  const auto planned = std::find_if(paths.begin(), paths.end(), [&](const FoundPath& path) {
    const graph::Triple& first = path.hops.front().triple;
    return path.hops.size() == 1 && relation == first.relation && tail == first.tail;
  });
  if (planned != paths.end()) return walk_instead(static_cast<std::size_t>(planned - paths.begin()));
  std::optional<FoundPath> path;
  if (relation && tail && graph().find_entity(hop.head) == now_.found->start)
    path = weighed_path(*now_.found, {*relation, *tail});
  if (path) return walk_instead(paths.size(), &*path);
  return fmt::format("{} -[{}]-> {} was not weighed at the last turn.\n", hop.head, hop.relation, hop.tail);
}

}  // namespace kgwalk
