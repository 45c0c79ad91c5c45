#include "server/doors/schemas.h"

#include <utility>

namespace kgwalk::server {

Json entity_schema(std::string_view description) {
  return {{"type", "string"}, {"description", description}, {"minLength", 1}, {"maxLength", 1000}};
}

Json optional_entity(std::string_view description) {
  return {{"type", "string"}, {"description", description}, {"maxLength", 1000}, {"default", ""}};
}

Json number_schema(std::string_view description, int low, int high, int otherwise) {
  return {{"type", "integer"},
          {"description", description},
          {"minimum", low},
          {"maximum", high},
          {"default", otherwise}};
}

Json model_schema() {
  return {{"type", "string"}, {"description", "Name of the model; left out: the first."}, {"default", ""}};
}

Json object_schema(Json properties, std::vector<std::string> required) {
  Json schema = {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

Json history_schema() {
  const Json utterance = object_schema({{"speaker", {{"type", "string"}, {"enum", {"user", "assistant"}}}},
                                        {"text", {{"type", "string"}, {"maxLength", 10000}}}},
                                       {"speaker", "text"});
  return {{"type", "array"},
          {"description", "What was said so far, oldest first."},
          {"items", utterance},
          {"maxItems", 1000},
          {"default", Json::array()}};
}

std::vector<Utterance> history_of(const Json& history) {
  std::vector<Utterance> out;
  for (const Json& u : history)
    out.push_back({u["speaker"].get<std::string>(), u["text"].get<std::string>()});
  return out;
}

}  // namespace kgwalk::server
