#include "planner/answering/focus.h"

#include "kgwalk/error.h"
#include "kgwalk/form_text.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk {
namespace {

using graph::EntityId;

Json names_of(const std::vector<EntityId>& entities, const graph::KnowledgeGraph& graph) {
  Json names = Json::array();
  for (const EntityId entity : entities) names.push_back(graph.entity_name(entity));
  return names;
}

EntityId entity_of(const Json& name, const graph::KnowledgeGraph& graph) {
  const auto found = graph.find_entity(name.get_ref<const std::string&>());
  if (!found)
    throw FormatError("memory of a conversation: '" + name.get<std::string>() + "' is not in the graph");
  return *found;
}

std::vector<EntityId> entities_of(const Json& names, const graph::KnowledgeGraph& graph) {
  std::vector<EntityId> entities;
  for (const Json& name : names) entities.push_back(entity_of(name, graph));
  return entities;
}

}  // namespace

Json to_json(const Focus& focus, const graph::TypedValues& values) {
  const graph::KnowledgeGraph& graph = values.graph();
  Json spoken = Json::array(), relations = Json::array();
  for (const auto& [entity, note] : focus.before.focus)
    spoken.push_back({{"entity", graph.entity_name(entity)},
                      {"topic", note.topic},
                      {"ago", note.turns_ago},
                      {"answers", note.answers},
                      {"first", note.first_topic},
                      {"chosen", note.chosen},
                      {"left", note.left},
                      {"place", note.place}});
  for (const graph::RelationId relation : focus.before.relations)
    relations.push_back(graph.relation_name(relation));
  const listening::ActContext& context = focus.before.context;
  return {{"spoken_of", std::move(spoken)},
          {"relations", std::move(relations)},
          {"counted", focus.before.counted},
          {"checked", focus.before.checked},
          {"those", names_of(focus.before.answers, graph)},
          {"those_ago", focus.before.answers_ago},
          {"capitals", focus.before.capitals},
          {"context", {context.offered, context.answered, context.cut, context.goal}},
          {"question", focus.question ? forms::to_json(*focus.question, values) : Json(nullptr)},
          {"order", names_of(focus.order, graph)},
          {"told", focus.told},
          {"offered", names_of(focus.offered, graph)},
          {"offered_for", focus.offered_for},
          {"offered_name", focus.offered_name},
          {"said", focus.said}};
}

Focus focus_of(const Json& json, const graph::TypedValues& values) {
  const graph::KnowledgeGraph& graph = values.graph();
  Focus focus;
  for (const Json& one : json.at("spoken_of"))
    focus.before.focus.emplace_back(entity_of(one.at("entity"), graph),
                                    listening::FocusNote{.topic = one.at("topic"),
                                                         .turns_ago = one.at("ago"),
                                                         .answers = one.at("answers"),
                                                         .first_topic = one.at("first"),
                                                         .chosen = one.at("chosen"),
                                                         .left = one.at("left"),
                                                         .place = one.at("place")});
  for (const Json& name : json.at("relations")) {
    const auto relation = graph.find_relation(name.get_ref<const std::string&>());
    if (!relation)
      throw FormatError("memory of a conversation: relation '" + name.get<std::string>() +
                        "' is not in the graph");
    focus.before.relations.push_back(*relation);
  }
  focus.before.counted = json.at("counted");
  focus.before.checked = json.value("checked", false);
  focus.before.answers = entities_of(json.at("those"), graph);
  focus.before.answers_ago = json.value("those_ago", 0);
  focus.before.capitals = json.value("capitals", false);
  const Json& context = json.at("context");
  focus.before.context = {
      .offered = context.at(0), .answered = context.at(1), .cut = context.at(2), .goal = context.at(3)};
  if (!json.at("question").is_null()) focus.question = forms::query_of_json(json["question"], values);
  focus.order = entities_of(json.at("order"), graph);
  focus.told = json.at("told");
  focus.offered = entities_of(json.at("offered"), graph);
  focus.offered_for = json.at("offered_for");
  focus.offered_name = json.at("offered_name");
  focus.said = json.at("said");
  return focus;
}

}  // namespace kgwalk
