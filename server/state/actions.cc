#include "server/state/actions.h"

#include <fmt/format.h>

#include "kgwalk/error.h"

namespace kgwalk::server {
namespace {

struct Action {
  const char* name;
  std::string (*line)(const Json& value);  // what is typed for it
};

const std::string& text_of(const Json& value) { return value.get_ref<const std::string&>(); }

const Action kActions[] = {
    {"say", [](const Json& v) { return text_of(v); }},
    {"goal", [](const Json& v) { return v.is_null() ? std::string("/nogoal") : "/goal " + text_of(v); }},
    {"from", [](const Json& v) { return "/from " + text_of(v); }},
    {"take", [](const Json& v) { return fmt::format("/take {}", v.get<int>()); }},
    {"take_hop",
     [](const Json& v) {
       return fmt::format("/take {} -[{}]-> {}", text_of(v["head"]), text_of(v["relation"]),
                          text_of(v["tail"]));
     }},
    {"auto", [](const Json& v) { return fmt::format("/auto {}", v.get<int>()); }},
    {"undo", [](const Json&) { return std::string("/undo"); }}};

const Action& action_of(const Json& action) {
  const Action* found = nullptr;
  for (const Action& known : kActions) {
    if (!action.contains(known.name)) continue;
    if (found != nullptr)
      throw ConfigError(fmt::format("a turn is one thing: give '{}' or '{}'", found->name, known.name));
    found = &known;
  }
  if (found == nullptr) throw ConfigError("a turn needs one of say, goal, from, take, take_hop, auto, undo");
  return *found;
}

}  // namespace

Json action_properties() {
  const Json name = {{"type", "string"}, {"minLength", 1}, {"maxLength", 1000}};
  const Json hop = {{"type", "object"},
                    {"description", "Walk this hop, one of those weighed at the last turn, instead."},
                    {"properties", {{"head", name}, {"relation", name}, {"tail", name}}},
                    {"required", {"head", "relation", "tail"}}};
  const auto text = [](const char* type, const char* description, int longest) {
    return Json{{"type", type}, {"description", description}, {"minLength", 1}, {"maxLength", longest}};
  };
  Json goal = text("string", "Head for this entity; null: for none.", 1000);
  goal["type"] = {"string", "null"};
  return {
      {"say",
       text("string", "What the user says; a line that begins with '/' is a command of kgwalk chat.", 10000)},
      {"goal", std::move(goal)},
      {"from", text("string", "Go and stand on this entity.", 1000)},
      {"take",
       {{"type", "integer"},
        {"description", "Walk this path of the last turn instead, from 1."},
        {"minimum", 1}}},
      {"take_hop", hop},
      {"auto",
       {{"type", "integer"},
        {"description", "So many turns in which the simulated user speaks."},
        {"minimum", 1},
        {"maximum", 100}}},
      {"undo", {{"type", "boolean"}, {"enum", {true}}, {"description", "Take the last step back."}}}};
}

Conversation::Reply act(Conversation& conversation, const Json& action) {
  const Action& known = action_of(action);
  const Json& value = action[known.name];
  if (known.name != std::string_view("take_hop")) return conversation.answer(known.line(value));
  return conversation.take({text_of(value["head"]), text_of(value["relation"]), text_of(value["tail"])});
}

std::string action_text(const Json& action) {
  const Action& known = action_of(action);
  return known.line(action[known.name]);
}

}  // namespace kgwalk::server
