#include "kgwalk/plan_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

// What facts were taken from, in brackets; empty where nobody said.
std::string told_sources(const std::vector<std::string>& sources) {
  return sources.empty() ? "" : fmt::format(" [{}]", fmt::join(sources, ", "));
}

std::string listed(const std::vector<AnsweredEntity>& entities) {
  std::string text;
  for (const AnsweredEntity& entity : entities)
    text.append(text.empty() ? "" : ", ").append(entity.entity).append(told_sources(sources_of(entity.hops)));
  return text;
}

std::string not_said(const Plan& plan, const PlanAnswer& answer) {
  std::string text = "the graph does not say: ";
  text.append(plan.request.start).append(" has no ");
  text.append(answer.heard.empty() ? "such fact" : answer.heard.front().relation).append(" here");
  std::string has;
  for (const std::string& relation : answer.has)
    has.append(has.empty() ? "; it has " : ", ").append(relation);
  return text + has;
}

std::string decided(const PlanAnswer& answer) {
  std::string text(answer.kind == AnswerKind::kYes ? "yes" : "no");
  if (answer.fact)
    text += fmt::format(": {} -[{}]-> {}{}", answer.fact->head, answer.fact->relation, answer.fact->tail,
                        told_sources(answer.fact->sources));
  return text;
}

Json answer_as_json(const PlanAnswer& answer) {
  constexpr std::array<const char*, 6> kKinds{"nothing asked", "one", "list", "yes", "no", "not said"};
  Json json = {{"kind", kKinds[static_cast<std::size_t>(answer.kind)]},
               {"asked", answer.asked},
               {"missing", answer.missing}};
  json["heard"] = Json::array();
  for (const AskedRelation& heard : answer.heard)
    json["heard"].push_back({{"relation", heard.relation}, {"probability", heard.probability}});
  json["entities"] = Json::array();
  for (const AnsweredEntity& entity : answer.entities) {
    json["entities"].push_back({{"entity", entity.entity}, {"probability", entity.probability}});
    if (auto sources = sources_of(entity.hops); !sources.empty())
      json["entities"].back()["sources"] = std::move(sources);
  }
  if (!answer.claim.empty()) json["claim"] = answer.claim;
  if (answer.fact) json["fact"] = {answer.fact->head, answer.fact->relation, answer.fact->tail};
  if (answer.fact && !answer.fact->sources.empty()) json["sources"] = answer.fact->sources;
  if (!answer.has.empty()) json["has"] = answer.has;
  return json;
}

}  // namespace

std::string answer_as_text(const Plan& plan) {
  if (!plan.answer || plan.answer->kind == AnswerKind::kNothingAsked) return "";
  const PlanAnswer& answer = *plan.answer;
  const std::string relation = answer.heard.empty() ? "?" : answer.heard.front().relation;
  std::string text = fmt::format("asked: {}, of {}", relation, plan.request.start);
  if (!answer.claim.empty()) text += fmt::format(": {}?", answer.claim);
  text += "\nanswer: ";
  switch (answer.kind) {
    case AnswerKind::kNothingAsked:
      break;
    case AnswerKind::kOne:
      text += answer.entities.front().entity + told_sources(sources_of(answer.entities.front().hops));
      break;
    case AnswerKind::kList:
      text += fmt::format("{}: {}", answer.entities.size(), listed(answer.entities));
      break;
    case AnswerKind::kYes:
    case AnswerKind::kNo:
      text += decided(answer);
      break;
    case AnswerKind::kNotSaid:
      text += not_said(plan, answer);
      break;
  }
  return text + "\n";
}

std::string plan_as_text(const Plan& plan) {
  std::string out;
  if (plan.paths.empty())
    out = fmt::format("'{}' has no out-edges: no path can be planned.\n", plan.request.start);
  if (plan.request.goal) out += goal_as_text(plan) + '\n';
  if (!plan.sentence.empty()) out += "assistant: " + plan.sentence + "\n";
  out += answer_as_text(plan);
  int rank = 0;
  for (const PlannedPath& path : plan.paths) {
    out += fmt::format("{:2}. {:6.2f} %  {}", ++rank, 100 * std::exp(path.log_prob), path.to_string());
    std::string per_hop;
    for (const PlannedHop& hop : path.hops) per_hop += fmt::format("{:.1f} % · ", 100 * hop.probability);
    out += fmt::format("   [{}stop {:.1f} %]", per_hop, 100 * path.stop_probability);
    const std::string distance = distance_text(plan, path);
    out += (distance.empty() ? "" : "   " + distance) + told_sources(sources_of(path.hops)) + "\n";
  }
  return out;
}

Json json_of_plan(const Plan& plan) {
  Json json = {{"start", plan.request.start}};
  if (plan.request.goal) {
    json["goal"] = *plan.request.goal;
    json["start_to_goal"] = plan.start_to_goal ? Json(*plan.start_to_goal) : Json(nullptr);
    json["goal_note"] = goal_as_text(plan);
  }
  if (plan.answer) json["answer"] = answer_as_json(*plan.answer);
  if (!plan.starts.empty()) {
    json["starts"] = Json::array();
    for (const StartChoice& start : plan.starts)
      json["starts"].push_back({{"entity", start.entity}, {"probability", start.probability}});
  }
  json["history"] = Json::array();
  for (const Utterance& u : plan.request.history)
    json["history"].push_back({{"speaker", u.speaker}, {"text", u.text}});
  if (!plan.sentence.empty()) json["sentence"] = plan.sentence;
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
  return json;
}

std::string plan_as_json(const Plan& plan) { return json_of_plan(plan).dump(2) + "\n"; }

std::string plan_as_dot(const Plan& plan) { return DotWriter(plan).write(); }

std::string format_plan(const Plan& plan, std::string_view format) {
  if (format == "text") return plan_as_text(plan);
  if (format == "json") return plan_as_json(plan);
  if (format == "dot") return plan_as_dot(plan);
  if (format == "html") return plan_as_html(plan);
  throw ConfigError(fmt::format("format '{}' is unknown; use text, json, dot or html", format));
}

}  // namespace kgwalk
