#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <string>

#include "kgwalk/error.h"
#include "kgwalk/plan_formats.h"
#include "planner/formats/plan_parts.h"
#include "planner/formats/walk_tree.h"
#include "runtime/plot.h"

namespace kgwalk {
namespace {

constexpr std::size_t kRejectedShown = 3;  // a turn

std::string heading(const Trajectory& t) {
  return fmt::format("From {} to {}", t.request.start, t.request.goal);
}

// How it ended.
std::string outcome(const Trajectory& t) {
  const int taken = static_cast<int>(t.turns.size());
  if (!t.reached())
    return fmt::format("not reached: {} taken, {} left", hops_as_text(taken),
                       hops_as_text(t.distance_left()));
  return fmt::format("reached in {}{}", hops_as_text(taken),
                     taken == t.start_to_goal ? ", the fewest possible"
                                              : fmt::format("; the fewest possible are {}", t.start_to_goal));
}

std::span<const PlannedHop> rejected(const TrajectoryTurn& turn) {
  const std::span<const PlannedHop> all = turn.branch.candidates;
  return all.subspan(1, std::min(kRejectedShown, all.size() - 1));
}

WalkTree tree_of(const TrajectoryTurn& turn) {
  WalkTree tree;
  tree.root.hop.tail = turn.branch.at;
  tree.root.chosen = true;
  tree.root.children.push_back({turn.hop, true, {}});
  for (const PlannedHop& hop : rejected(turn)) tree.root.children.push_back({hop, false, {}});
  return tree;
}

std::string turn_html(const TrajectoryTurn& turn, int number, int farthest) {
  const std::string said = turn.said.empty() ? "<p class=\"who\">nothing was said</p>"
                                             : said_as_html({.speaker = "user", .text = turn.said});
  const std::string answer =
      turn.sentence.empty() ? "" : said_as_html({.speaker = "assistant", .text = turn.sentence});
  const std::string left = turn.distance_to_goal == 0
                               ? std::string("<span class=\"reached\">the goal</span>")
                               : fmt::format("{} left<div class=\"bar\" style=\"width:{}%\"></div>",
                                             hops_as_text(turn.distance_to_goal),
                                             100 * turn.distance_to_goal / std::max(farthest, 1));
  return fmt::format(
      "<div class=\"turn\"><div><div class=\"who\">turn {}</div>{}{}</div><div>{}</div><div "
      "class=\"left\">{}<br>{} candidates</div></div>\n",
      number, said, answer, walk_tree_svg(tree_of(turn)), left, turn.branch.num_candidates);
}

}  // namespace

std::string trajectory_as_text(const Trajectory& t) {
  std::string out =
      fmt::format("goal: {}, {} from {}\n", t.request.goal, hops_as_text(t.start_to_goal), t.request.start);
  int number = 0;
  for (const TrajectoryTurn& turn : t.turns) {
    if (!turn.said.empty()) out += fmt::format("    user: {}\n", turn.said);
    out += fmt::format("{:2}. {} -[{}]-> {}   [{:.1f} % of {}]   {} to goal\n", ++number, turn.hop.head,
                       turn.hop.relation, turn.hop.tail, 100 * turn.hop.probability,
                       turn.branch.num_candidates, turn.distance_to_goal);
    if (!turn.sentence.empty()) out += fmt::format("    assistant: {}\n", turn.sentence);
    if (turn.answers) out += fmt::format("    answers the question; on from {}\n", turn.on_from);
  }
  return out + outcome(t) + "\n";
}

std::string trajectory_as_json(const Trajectory& t) {
  Json json = {
      {"start", t.request.start},           {"goal", t.request.goal}, {"start_to_goal", t.start_to_goal},
      {"turns_allowed", t.request.turns},   {"seed", t.request.seed}, {"reached", t.reached()},
      {"distance_left", t.distance_left()}, {"turns", Json::array()}};
  for (const TrajectoryTurn& turn : t.turns) {
    json["turns"].push_back({{"said", turn.said},
                             {"hop", hop_as_json(turn.hop)},
                             {"distance_to_goal", turn.distance_to_goal},
                             {"answers", turn.answers},
                             {"on_from", turn.on_from},
                             {"stop_probability", turn.branch.stop_probability},
                             {"num_candidates", turn.branch.num_candidates},
                             {"candidates", hops_as_json(turn.branch.candidates)}});
    if (!turn.sentence.empty()) json["turns"].back()["sentence"] = turn.sentence;
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string trajectory_as_dot(const Trajectory& t) {
  std::string out = "digraph trajectory {\n" + std::string(kDotHead);
  const auto node = [&](int id, const std::string& name, std::string_view more) {
    out += fmt::format("  n{} [label={}{}];\n", id, dot_string(name), more);
  };
  int last = 0, here = 0;
  std::map<std::string, int> places{
      {t.request.start, 0}};  // after a question the walk may go on from an earlier one
  std::string at = t.request.start;
  node(0, fmt::format("{} ({} to goal)", t.request.start, t.start_to_goal), ", style=\"rounded,bold\"");
  for (const TrajectoryTurn& turn : t.turns) {
    if (turn.branch.at != at) {
      const auto [place, added] = places.try_emplace(turn.branch.at, last + 1);
      if (added) node(++last, turn.branch.at, "");
      here = place->second;
    }
    for (const PlannedHop& hop : rejected(turn)) {
      node(++last, hop.tail, kDotRejected);
      out += fmt::format("  n{} -> n{} [{}];\n", here, last, dot_edge_attributes(hop, true));
    }
    node(++last, fmt::format("{} ({} to goal)", turn.hop.tail, turn.distance_to_goal),
         turn.distance_to_goal == 0 ? ", style=\"rounded,bold\"" : "");
    out += fmt::format("  n{} -> n{} [{}];\n", here, last, dot_edge_attributes(turn.hop, false));
    here = last;
    places[at = turn.hop.tail] = here;
  }
  return out + "}\n";
}

std::string trajectory_as_html(const Trajectory& t) {
  int farthest = t.start_to_goal, number = 0;
  for (const TrajectoryTurn& turn : t.turns) farthest = std::max(farthest, turn.distance_to_goal);
  std::string rows;
  for (const TrajectoryTurn& turn : t.turns) rows += turn_html(turn, ++number, farthest);
  const std::string body = fmt::format(
      "<main class=\"turns\"><section><h1>{}</h1><h2>{} away; {}. Dialogue left, walk right: edge width is "
      "probability, faded branches were weighed and not taken.</h2>\n{}</section></main>",
      escape_xml(heading(t)), hops_as_text(t.start_to_goal), outcome(t), rows);
  return html_page(heading(t), body);
}

std::string format_trajectory(const Trajectory& t, std::string_view format) {
  if (format == "text") return trajectory_as_text(t);
  if (format == "json") return trajectory_as_json(t);
  if (format == "dot") return trajectory_as_dot(t);
  if (format == "html") return trajectory_as_html(t);
  throw ConfigError(fmt::format("format '{}' is unknown; use text, json, dot or html", format));
}

}  // namespace kgwalk
