#include "kgwalk/plan_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "kgwalk/error.h"
#include "planner/formats/plan_parts.h"
#include "runtime/config.h"

namespace kgwalk {
namespace {

std::string distance_text(const Plan& plan, const PlannedPath& path) {
  if (!plan.request.goal) return "";
  if (!path.distance_to_goal) return "goal unreachable";
  return fmt::format("{} to goal", *path.distance_to_goal);
}

// Nodes of the dot graph are prefixes, so that two paths share what they have in common.
class DotWriter {
 public:
  explicit DotWriter(const Plan& plan) : plan_(plan) {}

  std::string write() {
    out_ = "digraph plan {\n" + std::string(kDotHead);
    out_ += fmt::format("  n0 [label={}, style=\"rounded,bold\"];\n", dot_string(plan_.request.start));
    ids_[""] = 0;
    for (const PlannedPath& path : plan_.paths) add(path.hops, false);
    for (const PlanBranch& branch : plan_.branches) {
      const std::size_t shown = std::min<std::size_t>(branch.candidates.size(), 5);
      for (std::size_t i = 0; i < shown; ++i) {
        std::vector<PlannedHop> hops = branch.prefix;
        hops.push_back(branch.candidates[i]);
        add(hops, true);
      }
    }
    return out_ + "}\n";
  }

 private:
  void add(const std::vector<PlannedHop>& hops, bool rejected) {
    std::string key;
    int from = 0;
    for (const PlannedHop& hop : hops) {
      key += '\n' + hop.relation + '\t' + hop.tail;
      const auto [it, fresh] = ids_.try_emplace(key, static_cast<int>(ids_.size()));
      if (fresh) {
        out_ += fmt::format("  n{} [label={}{}];\n", it->second, dot_string(hop.tail),
                            rejected ? kDotRejected : "");
        out_ += fmt::format("  n{} -> n{} [{}];\n", from, it->second, dot_edge_attributes(hop, rejected));
      }
      from = it->second;
    }
  }

  const Plan& plan_;
  std::string out_;
  std::map<std::string, int> ids_;
};

}  // namespace

std::string plan_as_text(const Plan& plan) {
  std::string out;
  if (plan.paths.empty())
    out = fmt::format("'{}' has no out-edges: no path can be planned.\n", plan.request.start);
  if (plan.request.goal) out += goal_as_text(plan) + '\n';
  int rank = 0;
  for (const PlannedPath& path : plan.paths) {
    out += fmt::format("{:2}. {:6.2f} %  {}", ++rank, 100 * std::exp(path.log_prob), path.to_string());
    std::string per_hop;
    for (const PlannedHop& hop : path.hops) per_hop += fmt::format("{:.1f} % · ", 100 * hop.probability);
    out += fmt::format("   [{}stop {:.1f} %]", per_hop, 100 * path.stop_probability);
    const std::string distance = distance_text(plan, path);
    out += distance.empty() ? "\n" : "   " + distance + "\n";
  }
  return out;
}

std::string plan_as_json(const Plan& plan) {
  Json json = {{"start", plan.request.start}};
  if (plan.request.goal) {
    json["goal"] = *plan.request.goal;
    json["start_to_goal"] = plan.start_to_goal ? Json(*plan.start_to_goal) : Json(nullptr);
    json["goal_note"] = goal_as_text(plan);
  }
  json["history"] = Json::array();
  for (const Utterance& u : plan.request.history)
    json["history"].push_back({{"speaker", u.speaker}, {"text", u.text}});
  json["paths"] = Json::array();
  for (const PlannedPath& path : plan.paths) {
    Json row = {{"hops", hops_as_json(path.hops)},
                {"log_prob", path.log_prob},
                {"probability", std::exp(path.log_prob)},
                {"stop_probability", path.stop_probability}};
    if (plan.request.goal)
      row["distance_to_goal"] = path.distance_to_goal ? Json(*path.distance_to_goal) : Json(nullptr);
    json["paths"].push_back(std::move(row));
  }
  json["branches"] = Json::array();
  for (const PlanBranch& branch : plan.branches) {
    json["branches"].push_back({{"at", branch.at},
                                {"prefix", hops_as_json(branch.prefix)},
                                {"stop_probability", branch.stop_probability},
                                {"num_candidates", branch.num_candidates},
                                {"candidates", hops_as_json(branch.candidates)}});
  }
  return json.dump(2) + "\n";
}

std::string plan_as_dot(const Plan& plan) { return DotWriter(plan).write(); }

std::string format_plan(const Plan& plan, std::string_view format) {
  if (format == "text") return plan_as_text(plan);
  if (format == "json") return plan_as_json(plan);
  if (format == "dot") return plan_as_dot(plan);
  if (format == "html") return plan_as_html(plan);
  throw ConfigError(fmt::format("format '{}' is unknown; use text, json, dot or html", format));
}

}  // namespace kgwalk
