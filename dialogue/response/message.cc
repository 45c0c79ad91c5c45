#include "dialogue/response/message.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "kgwalk/error.h"
#include "runtime/config.h"
#include "runtime/text.h"

namespace kgwalk::dialogue {
namespace {

void check_text(std::string_view text, const std::string& where, Problems& problems) {
  if (text.empty()) problems.add(where, "is empty; it is a name");
  if (invalid_utf8_at(text)) problems.add(where, "is not UTF-8");
}

void check_way(const Message& message, std::size_t number, Problems& problems) {
  const Way& way = message.ways[number];
  const std::string where = "ways[" + std::to_string(number) + "]";
  if (way.empty()) problems.add(where, "is empty; a way has one fact or more");
  for (std::size_t i = 0; i < way.size(); ++i) {
    for (const std::string* name : {&way[i].head, &way[i].relation, &way[i].tail})
      check_text(*name, where, problems);
    const std::string& from = i == 0 ? message.start : way[i - 1].tail;
    if (way[i].head != from)
      problems.add(where, "is no chain: '" + way[i].head + "' does not follow '" + from + "'");
  }
}

void check_kind(const Message& message, Problems& problems) {
  const bool decides = message.kind == MessageKind::kYes || message.kind == MessageKind::kNo;
  const bool leads = message.kind == MessageKind::kPath || message.kind == MessageKind::kOne ||
                     message.kind == MessageKind::kList;
  if (leads && message.ways.empty()) problems.add("ways", "is empty; this kind says where a way leads");
  if (decides) check_text(message.claim, "claim", problems);
  const std::size_t most = leads ? message.kind == MessageKind::kList ? message.ways.size() : 1 : decides;
  if (message.ways.size() > most)
    problems.add("ways", "has " + std::to_string(message.ways.size()) + " ways; this kind has at most " +
                             std::to_string(most));
}

std::string text_in(const Json& json, const char* name) {
  if (!json.contains(name)) return {};
  if (!json.at(name).is_string()) throw ConfigError(std::string("\"") + name + "\" of a message is a text");
  return json.at(name).get<std::string>();
}

Way way_of(const Json& json) {
  Way way;
  for (const Json& fact : json) {
    if (!fact.is_array() || fact.size() != 3)
      throw ConfigError("a fact of a message is a list of head, relation and tail");
    way.push_back({fact[0].get<std::string>(), fact[1].get<std::string>(), fact[2].get<std::string>()});
  }
  return way;
}

void read_lists(const Json& json, Message& message) {
  for (const Json& way : json.value("ways", Json::array())) message.ways.push_back(way_of(way));
  for (const Json& relation : json.value("instead", Json::array()))
    message.instead.push_back(relation.get<std::string>());
  for (const Json& said : json.value("context", Json::array())) {
    const std::string speaker = said.at("speaker").get<std::string>();
    if (speaker != "user" && speaker != "assistant")
      throw ConfigError("speaker '" + speaker + "' is unknown; use 'user' or 'assistant'");
    message.context.push_back({speaker == "user" ? graph::Speaker::kUser : graph::Speaker::kAssistant,
                               said.at("text").get<std::string>()});
  }
}

}  // namespace

std::vector<std::string> names_of(const Message& message) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  add(message.start);
  for (const Way& way : message.ways)
    for (const graph::NamedTriple& fact : way) add(fact.tail);
  add(message.claim);
  return names;
}

void check(const Message& message) {
  Problems problems;
  check_text(message.start, "start", problems);
  for (std::size_t i = 0; i < message.ways.size(); ++i) check_way(message, i, problems);
  check_kind(message, problems);
  for (const graph::Chat& said : message.context)
    if (invalid_utf8_at(said.text)) problems.add("context", "is not UTF-8");
  problems.throw_if_any("message");
}

void check(const Message& message, const graph::KnowledgeGraph& graph) {
  check(message);
  Problems problems;
  for (const std::string& name : names_of(message))
    if (!graph.find_entity(name))
      problems.add("'" + name + "'",
                   "is not in the graph" + did_you_mean(name, graph.suggest_entities(name)));
  for (const Way& way : message.ways)
    for (const graph::NamedTriple& fact : way) {
      const auto head = graph.find_entity(fact.head), tail = graph.find_entity(fact.tail);
      const auto relation = graph.find_relation(fact.relation);
      if (head && tail && (!relation || !graph.has_edge({*head, *relation, *tail})))
        problems.add(fact.head + " -[" + fact.relation + "]-> " + fact.tail, "is no fact of the graph");
    }
  problems.throw_if_any("message");
}

Message message_of(const Json& json) {
  if (!json.is_object()) throw ConfigError("a message is a json object");
  constexpr std::string_view kKnown[] = {"kind",  "start",   "ways", "claim",
                                         "asked", "instead", "goal", "context"};
  for (const auto& [key, value] : json.items())
    if (std::find(std::begin(kKnown), std::end(kKnown), key) == std::end(kKnown))
      throw ConfigError("a message has no member \"" + key + "\"");
  Message message;
  message.kind = Choice<MessageKind>(text_in(json, "kind"));
  message.start = text_in(json, "start");
  message.claim = text_in(json, "claim");
  message.asked = text_in(json, "asked");
  message.goal = text_in(json, "goal");
  try {
    read_lists(json, message);
  } catch (const Json::exception&) {
    throw ConfigError(
        "\"ways\" of a message are lists of facts, \"instead\" is a list of relations, \"context\" one of "
        "objects "
        "with \"speaker\" and \"text\"");
  }
  check(message);
  return message;
}

Json to_json(const Message& message) {
  Json json = {{"kind", choice_name(message.kind)}, {"start", message.start}};
  for (const Way& way : message.ways) {
    Json facts = Json::array();
    for (const graph::NamedTriple& fact : way) facts.push_back({fact.head, fact.relation, fact.tail});
    json["ways"].push_back(std::move(facts));
  }
  if (!message.claim.empty()) json["claim"] = message.claim;
  if (!message.asked.empty()) json["asked"] = message.asked;
  if (!message.instead.empty()) json["instead"] = message.instead;
  if (!message.goal.empty()) json["goal"] = message.goal;
  for (const graph::Chat& said : message.context)
    json["context"].push_back(
        {{"speaker", said.speaker == graph::Speaker::kUser ? "user" : "assistant"}, {"text", said.text}});
  return json;
}

}  // namespace kgwalk::dialogue
