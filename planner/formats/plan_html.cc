#include <fmt/format.h>

#include <cmath>

#include "kgwalk/plan_formats.h"
#include "planner/formats/plan_parts.h"
#include "planner/formats/walk_tree.h"
#include "runtime/plot.h"

namespace kgwalk {
namespace {

std::string dialogue_html(const Plan& plan) {
  std::string out;
  for (const Utterance& u : plan.request.history) out += said_as_html(u);
  if (!plan.sentence.empty()) out += said_as_html({.speaker = "assistant", .text = plan.sentence});
  return out.empty() ? "<p class=\"who\">Nothing was said yet.</p>" : out;
}

std::string table_html(const Plan& plan) {
  const bool goal = plan.request.goal.has_value();
  std::string out = "<table><tr><th>#</th><th>probability</th><th>path</th>";
  out += goal ? "<th>hops to goal</th></tr>" : "</tr>";
  int rank = 0;
  for (const PlannedPath& path : plan.paths) {
    out += fmt::format("<tr><td class=\"n\">{}</td><td class=\"n\">{:.2f} %</td><td>{}</td>", ++rank,
                       100 * std::exp(path.log_prob), escape_xml(path.to_string()));
    if (goal)
      out += fmt::format("<td class=\"n\">{}</td>",
                         path.distance_to_goal ? std::to_string(*path.distance_to_goal) : "unreachable");
    out += "</tr>";
  }
  return out + "</table>";
}

std::string heading(const Plan& plan) {
  std::string out = "From " + plan.request.start;
  if (plan.request.goal) out += " towards " + *plan.request.goal;
  return out;
}

}  // namespace

std::string plan_as_html(const Plan& plan) {
  const std::string title = heading(plan), goal = goal_as_text(plan);
  const std::string body = fmt::format(
      "<main><section><h1>Dialogue</h1><h2>what was said</h2>{}</section>\n<section><h1>{}</h1>{}<h2>edge "
      "width is probability; faded branches were weighed and not taken</h2>{}{}</section></main>",
      dialogue_html(plan), escape_xml(title), goal.empty() ? "" : "<h2>" + escape_xml(goal) + "</h2>",
      walk_tree_svg(WalkTree::of(plan, 3)), table_html(plan));
  return html_page(title, body);
}

}  // namespace kgwalk
