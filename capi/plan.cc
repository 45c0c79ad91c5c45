#include <utility>

#include "capi/arguments.h"
#include "capi/objects.h"
#include "kgwalk/guide.h"
#include "kgwalk/plan_formats.h"
#include "kgwalk/planner.h"

namespace kgwalk::capi {
namespace {

std::vector<NamedHop> hops_of(const kgwalk_walk& walk) {
  if (walk.num_hops > 0) need(walk.hops, "hops");
  std::vector<NamedHop> hops;
  for (std::size_t i = 0; i < walk.num_hops; ++i)
    hops.push_back({text_of(walk.hops[i].head, "head"), text_of(walk.hops[i].relation, "relation"),
                    text_of(walk.hops[i].tail, "tail")});
  return hops;
}

PlanRequest request_of(const kgwalk_plan_request* given) {
  constexpr std::size_t kFirstSize = offsetof(kgwalk_plan_request, max_hops) + sizeof(int);
  const auto read = struct_of(given, kFirstSize, "request");
  PlanRequest request;
  if (read.num_history > 0) need(read.history, "history");
  for (std::size_t i = 0; i < read.num_history; ++i)
    request.history.push_back(
        {text_of(read.history[i].speaker, "speaker"), text_of(read.history[i].text, "text")});
  if (read.num_walked > 0) need(read.walked, "walked");
  for (std::size_t i = 0; i < read.num_walked; ++i) request.walked.push_back(hops_of(read.walked[i]));
  request.start = text_or_empty(read.start, "start");
  if (read.goal != nullptr) request.goal = text_of(read.goal, "goal");
  if (read.k != 0) request.k = read.k;
  if (read.beam != 0) request.beam = read.beam;
  if (read.max_hops != 0) request.max_hops = read.max_hops;
  return request;
}

}  // namespace

PlanObject::PlanObject(Plan made) : plan(std::move(made)) {
  hops.reserve(plan.paths.size());
  for (const PlannedPath& path : plan.paths) {
    std::vector<kgwalk_hop>& of_path = hops.emplace_back();
    for (const PlannedHop& hop : path.hops)
      of_path.push_back({hop.head.c_str(), hop.relation.c_str(), hop.tail.c_str(), hop.probability});
    paths.push_back({of_path.data(), of_path.size(), path.log_prob, path.stop_probability,
                     path.distance_to_goal.value_or(-1)});
  }
}

}  // namespace kgwalk::capi

using namespace kgwalk::capi;

kgwalk_status kgwalk_model_plan(const kgwalk_model* model, const kgwalk_plan_request* request,
                                kgwalk_plan** plan) {
  if (plan != nullptr) *plan = nullptr;
  return guarded([&] {
    const auto asked = object_of<ModelObject>(model);
    need(plan, "the place for the plan");
    *plan =
        handle_of(std::make_shared<PlanObject>(asked->first->guide().planner().explain(request_of(request))));
  });
}

kgwalk_status kgwalk_plan_close(kgwalk_plan* plan) { return close_handle<PlanObject>(plan); }

size_t kgwalk_plan_num_paths(const kgwalk_plan* plan) {
  return guarded_value(std::size_t{0}, [&] { return object_of<PlanObject>(plan)->paths.size(); });
}

const kgwalk_path* kgwalk_plan_path(const kgwalk_plan* plan, size_t place) {
  return guarded_value(static_cast<const kgwalk_path*>(nullptr), [&] {
    const auto asked = object_of<PlanObject>(plan);
    if (place >= asked->paths.size())
      throw Misuse("the plan has " + std::to_string(asked->paths.size()) + " paths, and none at place " +
                   std::to_string(place));
    return static_cast<const kgwalk_path*>(&asked->paths[place]);
  });
}

kgwalk_status kgwalk_plan_write(const kgwalk_plan* plan, const char* format, char** text) {
  if (text != nullptr) *text = nullptr;
  return guarded([&] {
    const auto asked = object_of<PlanObject>(plan);
    need(text, "text");
    *text = copied(kgwalk::format_plan(asked->plan, text_of(format, "format"))).release();
  });
}
