// Walks as parts of a batch of work keep them: all that is measured of them, without what was said.
#include "rl/environment/walks.h"

namespace kgwalk::rl {
namespace {

Json as_json(const graph::Triple& hop) { return Json::array({hop.head, hop.relation, hop.tail}); }

graph::Triple hop_of(const Json& json) {
  return {json.at(0).get<graph::EntityId>(), json.at(1).get<graph::RelationId>(),
          json.at(2).get<graph::EntityId>()};
}

Json as_json(const AskedOnTheWay& asked) {
  return {{"question", asked.question},
          {"stood", asked.stood},
          {"about", asked.about},
          {"heard", asked.heard},
          {"right", asked.right},
          {"on_from", asked.on_from},
          {"answered", asked.answered ? Json(*asked.answered) : Json(nullptr)}};
}

AskedOnTheWay asked_of(const Json& json) {
  AskedOnTheWay asked;
  json.at("question").get_to(asked.question);
  json.at("stood").get_to(asked.stood);
  json.at("about").get_to(asked.about);
  json.at("heard").get_to(asked.heard);
  json.at("right").get_to(asked.right);
  json.at("on_from").get_to(asked.on_from);
  if (const Json& answered = json.at("answered"); !answered.is_null())
    asked.answered = answered.get<graph::EntityId>();
  return asked;
}

}  // namespace

void to_json(Json& json, const Walk& walk) {
  const Episode& e = walk.episode;
  json = {{"pair", {e.pair.start, e.pair.goal, e.pair.distance}},
          {"at", e.situation.start},
          {"walked", Json::array()},
          {"path_ends", e.situation.path_ends},
          {"hops", e.hops},
          {"distance", e.distance},
          {"best", e.best},
          {"log_prob", walk.log_prob},
          {"stuck", walk.stuck},
          {"asked", Json::array()}};
  for (const graph::Triple& hop : e.situation.walked) json["walked"].push_back(as_json(hop));
  for (const AskedOnTheWay& asked : walk.asked) json["asked"].push_back(as_json(asked));
}

void from_json(const Json& json, Walk& walk) {
  const Json& pair = json.at("pair");
  walk = {begin_episode({pair.at(0).get<graph::EntityId>(), pair.at(1).get<graph::EntityId>(),
                         pair.at(2).get<graph::Distance>()})};
  Episode& e = walk.episode;
  json.at("at").get_to(e.situation.start);
  for (const Json& hop : json.at("walked")) e.situation.walked.push_back(hop_of(hop));
  json.at("path_ends").get_to(e.situation.path_ends);
  json.at("hops").get_to(e.hops);
  json.at("distance").get_to(e.distance);
  json.at("best").get_to(e.best);
  json.at("log_prob").get_to(walk.log_prob);
  json.at("stuck").get_to(walk.stuck);
  for (const Json& asked : json.at("asked")) walk.asked.push_back(asked_of(asked));
}

}  // namespace kgwalk::rl
