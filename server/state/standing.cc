#include "server/state/standing.h"

#include "planner/conversation/typed.h"
#include "planner/formats/plan_parts.h"

namespace kgwalk::server {

std::string shown(const Conversation::Reply& reply) { return reply.text; }

std::string said(const Conversation::Reply& reply) {
  return reply.said.empty() ? std::string(trimmed(reply.text)) : reply.said;
}

Json standing_as_json(const Standing& standing) {
  return {{"at", standing.at.empty() ? Json(nullptr) : Json(standing.at)},
          {"goal", standing.goal ? Json(*standing.goal) : Json(nullptr)},
          {"distance", standing.distance ? Json(*standing.distance) : Json(nullptr)},
          {"offered", standing.offered},
          {"taken", standing.taken ? Json(*standing.taken) : Json(nullptr)},
          {"steps", standing.steps},
          {"plan", standing.plan ? plan_json(*standing.plan) : Json(nullptr)},
          {"answered", standing.answered}};
}

Json plan_json(const Plan& plan) { return json_of_plan(plan); }

}  // namespace kgwalk::server
