#include "server/doors/answer_parts.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace kgwalk::server {
namespace {

// Read forward: "~directed_by" is told as directed_by the other way round.
Json fact_json(const std::string& head, const std::string& relation, const std::string& tail,
               const std::vector<std::string>& sources) {
  const bool inverse = relation.starts_with('~');
  return {{"head", inverse ? tail : head},
          {"relation", inverse ? relation.substr(1) : relation},
          {"tail", inverse ? head : tail},
          {"sources", sources}};
}

void add_fact(Json& facts, Json fact) {
  if (std::find(facts.begin(), facts.end(), fact) == facts.end()) facts.push_back(std::move(fact));
}

template <class Hop>
void add_facts(Json& facts, const std::vector<Hop>& hops) {
  for (const Hop& hop : hops) add_fact(facts, fact_json(hop.head, hop.relation, hop.tail, hop.sources));
}

std::string_view kind_text(AnswerKind kind) {
  switch (kind) {
    case AnswerKind::kOne:
      return "one";
    case AnswerKind::kList:
      return "list";
    case AnswerKind::kYes:
      return "yes";
    case AnswerKind::kNo:
      return "no";
    case AnswerKind::kNotSaid:
      return "not said";
    case AnswerKind::kNothingAsked:
      return "path";
  }
  return "";
}

void take_answer(const PlanAnswer& answer, Json& parts) {
  parts["kind"] = kind_text(answer.kind);
  if (!answer.heard.empty()) parts["relation"] = answer.heard.front().relation;
  const bool yes = answer.kind == AnswerKind::kYes, no = answer.kind == AnswerKind::kNo;
  parts["known"] = answer.kind != AnswerKind::kNotSaid;
  if (yes || no) {
    parts["truth"] = yes;
    if (answer.fact) add_facts(parts["facts"], std::vector{*answer.fact});
    return;
  }
  if (answer.kind != AnswerKind::kOne && answer.kind != AnswerKind::kList) return;
  for (const AnsweredEntity& found : answer.entities) {
    if (found.hops.empty()) continue;
    if (answer.kind == AnswerKind::kOne && !parts["entities"].empty()) break;
    parts["entities"].push_back({{"name", found.entity}, {"probability", found.probability}});
    add_facts(parts["facts"], found.hops);
  }
  parts["count"] = parts["entities"].size();
}

// Nothing was asked: where the talk turns to.
void take_path(const Plan& plan, std::size_t taken, Json& parts) {
  parts["kind"] = "path";
  if (taken >= plan.paths.size()) return;
  const PlannedPath& path = plan.paths[taken];
  double probability = path.stop_probability;
  for (const PlannedHop& hop : path.hops) probability *= hop.probability;
  parts["entities"].push_back({{"name", path.hops.back().tail}, {"probability", probability}});
  parts["relation"] = path.hops.back().relation;
  add_facts(parts["facts"], path.hops);
}

}  // namespace

Json answer_parts(const Standing& standing, bool planned, const std::string& sentence,
                  const std::string& question) {
  Json parts = {{"sentence", sentence}, {"question", question},      {"kind", "none"},
                {"known", false},       {"entities", Json::array()}, {"facts", Json::array()}};
  if (!standing.at.empty()) parts["at"] = standing.at;
  if (standing.goal) parts["goal"] = *standing.goal;
  if (standing.distance) parts["distance"] = *standing.distance;
  if (planned && standing.plan) {
    const Plan& plan = *standing.plan;
    parts["start"] = plan.request.start;
    parts["known"] = true;
    const bool asked = plan.answer && plan.answer->kind != AnswerKind::kNothingAsked;
    asked ? take_answer(*plan.answer, parts) : take_path(plan, standing.taken.value_or(0), parts);
  }
  if (!parts["entities"].empty()) parts["probability"] = parts["entities"][0]["probability"];
  parts["sources"] = Json::array();
  for (const Json& fact : parts["facts"])
    for (const Json& source : fact["sources"]) add_fact(parts["sources"], source);
  return parts;
}

}  // namespace kgwalk::server
