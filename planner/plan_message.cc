#include "planner/plan_message.h"

#include <algorithm>

#include "dialogue/turn_example.h"
#include "kgwalk/error.h"

namespace kgwalk {
namespace {

using dialogue::Message;
using dialogue::MessageKind;

dialogue::Way way_of(const std::vector<NamedHop>& hops) {
  dialogue::Way way;
  for (const NamedHop& hop : hops) way.push_back({hop.head, hop.relation, hop.tail});
  return way;
}

void take_path(const Plan& plan, std::size_t path, Message& message) {
  if (path >= plan.paths.size() && (path > 0 || !plan.paths.empty()))
    throw ConfigError("the plan has " + std::to_string(plan.paths.size()) + " paths, none with the place " +
                      std::to_string(path));
  message.kind = plan.paths.empty() ? MessageKind::kNothing : MessageKind::kPath;
  if (plan.paths.empty()) return;
  message.ways.emplace_back();
  for (const PlannedHop& hop : plan.paths[path].hops)
    message.ways.back().push_back({hop.head, hop.relation, hop.tail});
}

// Entities whose way the search cut away rest on nothing and are not said.
void take_entities(const PlanAnswer& answer, Message& message) {
  const bool list = answer.kind == AnswerKind::kList;
  for (const AnsweredEntity& entity : answer.entities) {
    if (entity.hops.empty() || (!list && !message.ways.empty())) continue;
    message.ways.push_back(way_of(entity.hops));
  }
  message.kind = message.ways.empty() ? MessageKind::kNotSaid : list ? MessageKind::kList : MessageKind::kOne;
}

void take_answer(const PlanAnswer& answer, Message& message) {
  if (!answer.heard.empty()) message.asked = answer.heard.front().relation;
  switch (answer.kind) {
    case AnswerKind::kOne:
    case AnswerKind::kList:
      take_entities(answer, message);
      break;
    case AnswerKind::kYes:
    case AnswerKind::kNo:
      // It was asked whether something is so, of nothing that was named.
      if (answer.claim.empty()) {
        message.kind = MessageKind::kNotSaid;
        message.instead = answer.has;
        break;
      }
      message.kind = answer.kind == AnswerKind::kYes ? MessageKind::kYes : MessageKind::kNo;
      message.claim = answer.claim;
      if (answer.fact) message.ways = {way_of({*answer.fact})};
      break;
    case AnswerKind::kNotSaid:
    case AnswerKind::kNothingAsked:
      message.kind = MessageKind::kNotSaid;
      message.instead = answer.has;
      break;
  }
}

}  // namespace

Message message_of(const Plan& plan, std::size_t path) {
  Message message;
  message.start = plan.request.start;
  message.goal = plan.request.goal.value_or("");
  const auto& history = plan.request.history;
  const std::size_t said = std::min(history.size(), dialogue::kContextUtterances);
  for (std::size_t i = history.size() - said; i < history.size(); ++i)
    message.context.push_back(
        {history[i].speaker == "user" ? graph::Speaker::kUser : graph::Speaker::kAssistant, history[i].text});
  const bool asked = plan.answer && plan.answer->kind != AnswerKind::kNothingAsked;
  // Another path than the likeliest was asked for by its number.
  if (asked && path == 0) {
    take_answer(*plan.answer, message);
  } else {
    take_path(plan, path, message);
  }
  return message;
}

}  // namespace kgwalk
