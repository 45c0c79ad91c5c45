#include "server/doors/openapi.h"

#include <algorithm>
#include <cctype>

namespace kgwalk::server {
namespace {

Json schema_of_text(const char* type) { return {{"type", type}}; }

Json problem_response() {
  const Json problem = {{"type", "object"},
                        {"properties",
                         {{"type", schema_of_text("string")},
                          {"title", schema_of_text("string")},
                          {"status", schema_of_text("integer")},
                          {"detail", schema_of_text("string")}}}};
  return {{"description", "What is wrong (RFC 9457); below /v1/ in the form of OpenAI's errors."},
          {"content", {{"application/problem+json", {{"schema", problem}}}}}};
}

Json parameter(const std::string& name, const char* in, Json schema, bool required) {
  Json out = {{"name", name}, {"in", in}, {"required", required}};
  if (const auto description = schema.find("description"); description != schema.end()) {
    out["description"] = *description;
    schema.erase("description");
  }
  out["schema"] = std::move(schema);
  return out;
}

Json parameters_of(const Route& route) {
  Json list = Json::array();
  for (std::size_t at = route.path.find('{'); at != std::string::npos; at = route.path.find('{', at + 1))
    list.push_back(parameter(route.path.substr(at + 1, route.path.find('}', at) - at - 1), "path",
                             schema_of_text("string"), true));
  if (route.method != "GET" || route.input.is_null()) return list;
  const Json required = route.input.value("required", Json::array());
  for (const auto& property : route.input["properties"].items())
    list.push_back(parameter(property.key(), "query", property.value(),
                             std::find(required.begin(), required.end(), property.key()) != required.end()));
  return list;
}

// "postApiV1SessionsIdTurns".
std::string operation_id(const Route& route) {
  std::string id;
  for (const char c : route.method) id += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  bool upper = true;
  for (const char c : route.path) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) id += static_cast<char>(upper ? std::toupper(byte) : byte);
    upper = std::isalnum(byte) == 0;
  }
  return id;
}

Json described(const Route& route) {
  Json out = {{"summary", route.summary}, {"operationId", operation_id(route)}};
  if (const Json parameters = parameters_of(route); !parameters.empty()) out["parameters"] = parameters;
  if (route.method == "POST" && !route.input.is_null())
    out["requestBody"] = {{"required", true}, {"content", {{route.input_type, {{"schema", route.input}}}}}};
  const bool empty = route.method == "DELETE" && route.path.starts_with("/api/");
  Json good = {{"description", "The answer."}};
  if (!empty)
    good["content"] = {{route.type, {{"schema", route.output.is_null() ? Json::object() : route.output}}}};
  const bool creates = route.method == "POST" && route.path.ends_with("/sessions");
  out["responses"] = {{empty     ? "204"
                       : creates ? "201"
                                 : "200",
                       std::move(good)},
                      {"default", problem_response()}};
  return out;
}

}  // namespace

Json openapi(const Router& router, const std::string& base, const std::string& version) {
  Json paths = Json::object();
  for (const Route& route : router.routes()) {
    std::string method = route.method;
    for (char& c : method) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    paths[route.path][method] = described(route);
  }
  return {{"openapi", "3.1.0"},
          {"info",
           {{"title", "kgwalk"},
            {"version", version},
            {"description",
             "Reasoning over a knowledge graph in a dialogue: paths, conversations to a goal, facts."},
            {"license", {{"name", "Apache-2.0"}, {"identifier", "Apache-2.0"}}}}},
          {"servers", {{{"url", base.empty() ? "/" : base}}}},
          {"security", {Json::object(), {{"key", Json::array()}}}},
          {"paths", std::move(paths)},
          {"components", {{"securitySchemes", {{"key", {{"type", "http"}, {"scheme", "bearer"}}}}}}}};
}

}  // namespace kgwalk::server
