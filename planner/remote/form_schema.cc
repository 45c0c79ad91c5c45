#include "planner/remote/form_schema.h"

#include <initializer_list>
#include <utility>

#include "kgwalk/choice.h"
#include "kgwalk/typed_values.h"

namespace kgwalk {
namespace {

Json ref(const char* name) { return {{"$ref", std::string("#/$defs/") + name}}; }

Json any_of(Json choices) { return {{"anyOf", std::move(choices)}}; }

Json list_of(Json item, int least, int most = 0) {
  Json schema = {{"type", "array"}, {"items", std::move(item)}, {"minItems", least}};
  if (most > 0) schema["maxItems"] = most;
  return schema;
}

Json object(std::initializer_list<std::pair<const char*, Json>> members) {
  Json schema = {{"type", "object"}, {"properties", Json::object()}, {"required", Json::array()}};
  for (const auto& [name, member] : members) {
    schema["properties"][name] = member;
    schema["required"].push_back(name);
  }
  schema["additionalProperties"] = false;
  return schema;
}

Json named(const std::vector<std::string>& names) { return {{"type", "string"}, {"enum", names}}; }

Json test() { return named(Choice<graph::Comparison>::names()); }

Json sets_with_relations() {
  const Json set = ref("set"), relations = ref("relations"), value = ref("value");
  const Json whole = {{"type", "integer"}, {"minimum", 1}};
  Json choices = Json::array({object({{"step", relations}, {"from", set}}), object({{"having", relations}})});
  for (const char* word : {"where", "where_count"}) {
    choices.push_back(object({{word, relations}, {"test", test()}, {"value", value}, {"of", set}}));
    choices.push_back(object({{word, relations}, {"between", list_of(value, 2, 2)}, {"of", set}}));
  }
  for (const char* word : {"first", "last"})
    for (const char* by : {"by", "by_count"})
      choices.push_back(object({{word, set}, {by, relations}, {"n", whole}}));
  return choices;
}

Json set_schema(const FormNames& names) {
  Json choices = Json::array();
  if (!names.entities.empty()) {
    choices.push_back(ref("entity"));
    choices.push_back(list_of(ref("entity"), 2));
  }
  if (!names.types.empty()) choices.push_back(object({{"type", named(names.types)}}));
  if (!names.relations.empty())
    for (Json& choice : sets_with_relations()) choices.push_back(std::move(choice));
  for (const char* word : {"and", "or", "but"}) choices.push_back(object({{word, list_of(ref("set"), 2)}}));
  return any_of(std::move(choices));
}

Json form_choices(const FormNames& names) {
  const Json set = ref("set"), relations = ref("relations"), value = ref("value");
  const Json two = list_of(set, 2, 2), several = list_of(set, 2);
  Json choices = Json::array({object({{"find", set}}), object({{"count", set}}), object({{"check", set}}),
                              object({{"check", set}, {"members", set}}),
                              object({{"check", set}, {"test", test()}, {"value", value}}),
                              object({{"relations", two}})});
  if (names.relations.empty()) return choices;
  for (const char* word : {"sum", "average"}) choices.push_back(object({{word, relations}, {"of", set}}));
  for (const char* by : {"by", "by_count"}) {
    choices.push_back(object({{"which", several}, {by, relations}, {"least", {{"type", "boolean"}}}}));
    choices.push_back(object({{"whether", two}, {by, relations}, {"test", test()}}));
    choices.push_back(object({{"difference", two}, {by, relations}}));
  }
  return choices;
}

}  // namespace

Json form_schema(const FormNames& names) {
  Json definitions = {{"set", set_schema(names)},
                      {"value", any_of(Json::array({{{"type", "number"}}, {{"type", "string"}}}))}};
  if (!names.entities.empty()) definitions["entity"] = named(names.entities);
  if (!names.relations.empty()) {
    definitions["relation"] = named(names.relations);
    definitions["relations"] = any_of(Json::array({ref("relation"), list_of(ref("relation"), 2)}));
  }
  Json forms = form_choices(names);
  forms.push_back({{"type", "null"}});
  Json schema = object({{"form", any_of(std::move(forms))}});
  schema["$defs"] = std::move(definitions);
  return schema;
}

}  // namespace kgwalk
