// Dialogues of self-play as parts of a batch of work keep them.
#include "planner/conversation/self_play.h"

namespace kgwalk {
namespace {

Json as_json(const SelfPlayTurn& turn) {
  return {{"user", turn.user},
          {"assistant", turn.assistant},
          {"from", turn.from},
          {"path", turn.path},
          {"left", turn.left},
          {"asked", turn.asked},
          {"answerable", turn.answerable},
          {"answered", turn.answered},
          {"names", turn.names},
          {"named", turn.named},
          {"wrong", turn.wrong},
          {"written", turn.written},
          {"ms", turn.ms}};
}

SelfPlayTurn turn_of(const Json& json) {
  SelfPlayTurn turn;
  json.at("user").get_to(turn.user);
  json.at("assistant").get_to(turn.assistant);
  json.at("from").get_to(turn.from);
  turn.path = json.at("path");
  json.at("left").get_to(turn.left);
  json.at("asked").get_to(turn.asked);
  json.at("answerable").get_to(turn.answerable);
  json.at("answered").get_to(turn.answered);
  json.at("names").get_to(turn.names);
  json.at("named").get_to(turn.named);
  json.at("wrong").get_to(turn.wrong);
  json.at("written").get_to(turn.written);
  json.at("ms").get_to(turn.ms);
  return turn;
}

}  // namespace

void to_json(Json& json, const SelfPlayDialogue& dialogue) {
  json = {{"start", dialogue.start},
          {"goal", dialogue.goal},
          {"distance", dialogue.distance},
          {"reached", dialogue.reached},
          {"turns", Json::array()}};
  for (const SelfPlayTurn& turn : dialogue.turns) json["turns"].push_back(as_json(turn));
}

void from_json(const Json& json, SelfPlayDialogue& dialogue) {
  json.at("start").get_to(dialogue.start);
  json.at("goal").get_to(dialogue.goal);
  json.at("distance").get_to(dialogue.distance);
  json.at("reached").get_to(dialogue.reached);
  for (const Json& turn : json.at("turns")) dialogue.turns.push_back(turn_of(turn));
}

}  // namespace kgwalk
